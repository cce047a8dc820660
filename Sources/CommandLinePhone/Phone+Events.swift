import CallAudio
import HubAccountData
import HubClient
import HubWire

// Handling of the client's events.
extension Phone {
    func handle(_ event: ClientEvent) {
        switch event {
        case .notification(let notification):
            handle(notification)
        case .connectionLost(let reason):
            isConnectionLost = true
            reporter.report(
                PhoneEvent(event: "connectionLost", reason: reason),
                "The connection is lost (\(reason)); the client is reconnecting."
            )
        case .resumed:
            let words =
                isConnectionLost ? "The connection is back" : "The connection had gone silent; this is a new one"
            reporter.report(PhoneEvent(event: "resumed"), "\(words), and the calls go on.", emphasis: .good)
            isConnectionLost = false
        case .reset(let snapshot):
            isConnectionLost = false
            (calls, placed, session, waitingKeys) = (snapshot, [], nil, [])
            hadCall = hadCall || settings.call != nil
            let lost = isOperator ? "The session is a new one" : "The hub was restarted; the previous calls have ended"
            reporter.report(PhoneEvent(event: "reset"), lost + ".")
            if isOperator { listCalls() }
        case .refreshed:
            reporter.report(PhoneEvent(event: "refreshed"))
        case .missedNotifications(let expected, let received):
            reporter.failure("The hub left out the notifications from \(expected) to before \(received).")
        case .unexpectedMessage(let text):
            reporter.failure("The hub sent something that is not understood: \(quoted(text)).")
        case .ended(let error):
            if error != .closed { lost(error) }
        }
        updateSendState()
    }

    private func handle(_ notification: WireNotification) {
        switch notification {
        case .callChanged(let call):
            changed(call)
        case .didActivateAudioSession(let session):
            self.session = session
            let event = PhoneEvent(
                event: "audio",
                callUUIDs: session.calls.map(\.uuidText),
                isActive: true,
                ssrc: session.ssrc
            )
            reporter.report(event)
        case .didDeactivateAudioSession(let id, _):
            if session?.id == id { session = nil }
            reporter.report(PhoneEvent(event: "audio", isActive: false))
        case .audioSources(let sources):
            // A single source needs no line: the user knows the other party.
            let names = sources.map(\.shownName).joined(separator: ", ")
            reporter.report(
                PhoneEvent(event: "sources", sources: sources.map({ PhoneEvent.Source($0) })),
                sources.count > 1 ? "You hear \(names)." : nil
            )
        case .dtmf(let call, let digits, _):
            reporter.report(
                PhoneEvent(event: "dtmf", callUUID: call.uuidText, digits: digits),
                "The other side keyed \(quoted(digits))."
            )
        case .closing(let reason, _, _):
            reporter.report(
                PhoneEvent(event: "closing", reason: reason.rawValue),
                "The hub will close the connection: \(reason.rawValue)."
            )
        case .didReset:
            (calls, session, waitingKeys) = ([], nil, [])
        case .changed(.recents):
            // The numbers of the entries listed before are invalid now.
            recents = nil
        case .providersChanged:
            if isOperator { fetchApp() }
        case .perform(_, let action, _, _, fulfilled: false):
            perform(action)
        case .timedOutPerforming(let action):
            waitingKeys.removeAll { $0.uuid == action.uuid }
        case .didBegin, .execute, .perform, .observed, .packetsDropped, .recorded, .changed,
            .directoryReloadRequested, .peopleChanged, .unknown:
            break
        }
    }

    private func changed(_ call: CallSnapshot) {
        let before = calls.first { $0.uuid == call.uuid }
        placed.remove(call.uuid)
        discardKeys(of: call)
        if call.hasEnded {
            calls.removeAll { $0.uuid == call.uuid }
        } else if let index = calls.firstIndex(where: { $0.uuid == call.uuid }) {
            calls[index] = call
        } else {
            calls.append(call)
        }
        let words = call.sentence(since: before)
        let lines = [words?.text, participantsLine(of: call, since: before)].compactMap(\.self)
        reporter.report(
            PhoneEvent(event: "call", call: PhoneCall(call)),
            lines.isEmpty ? nil : lines.joined(separator: "\n"),
            emphasis: words?.emphasis ?? .none
        )
        if settings.call != nil, call.isOutgoing, before == nil { waitForCalls() }
        if call.hasConnected, !hasTalked, !isOperator {
            hasTalked = true
            if let seconds = settings.seconds { later(seconds, .talkedLongEnough) }
        }
        if call.isOutgoing ? settings.call != nil : call.hasConnected { hadCall = true }
        if isOperator, call.state == .ringing, before == nil { fetchApp() }
        if call.state == .ringing, settings.answers, answered.insert(call.uuid).inserted { answer(call) }
    }

    /// Returns the line about the people in a conversation; nil: nothing new, as on the second call of a group.
    private func participantsLine(of call: CallSnapshot, since before: CallSnapshot?) -> String? {
        if call.participants.isEmpty { lastParticipantsLine = nil }
        guard let line = call.participantsSentence(since: before) else { return nil }
        defer { lastParticipantsLine = line }
        return call.group != nil && line == lastParticipantsLine ? nil : line
    }

    /// Updates the audio line: open while the audio session is active and a call is connected.
    ///
    /// The session covers each connected call: others have joined it by a merge, and may be all that is left of it.
    private func updateSendState() {
        let covered = isConnectionLost || session == nil ? [] : calls.filter { $0.state == .connected }
        audio.set(
            AudioLine(isOpen: !covered.isEmpty, isMuted: !covered.isEmpty && covered.allSatisfy(\.isMuted))
        )
    }

    /// Reports the hub and the account that the phone is signed in with.
    func reportSignedIn() {
        guard let session = client.session else { return }
        let url = settings.hub
        let device = settings.operatedDevice
        let words = device.map { "Operating the device \(visible($0)) of" } ?? "Signed in as"
        reporter.report(
            PhoneEvent(event: "signedIn", account: session.account, hub: url, session: session.session, device: device),
            "\(words) \(session.account) at \(url) (\(session.hub.name) \(session.hub.version)).",
            emphasis: .faint
        )
    }

    /// Reports the statistics of the received audio; in JSON only.
    func reportReceivedAudio(_ statistics: ReceivedAudioStatistics) {
        guard statistics.packets > 0 else { return }
        reporter.report(
            PhoneEvent(
                event: "heard",
                packets: statistics.packets,
                latePackets: statistics.latePackets,
                concealedMilliseconds: statistics.concealedMilliseconds
            )
        )
    }
}
