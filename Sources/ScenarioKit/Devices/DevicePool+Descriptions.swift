import HubAccountData
import HubEngine
import HubWire

/// Short descriptions of messages with the scenario's names, for records.
extension DevicePool {
    /// Records a message or an event of a device's connection.
    func note(
        _ index: Int,
        _ kind: MessageRecord.Kind,
        _ method: String,
        _ summary: String,
        _ call: CallName? = nil,
        bytes: [UInt8]? = nil
    ) {
        let json = bytes.map { String(decoding: $0, as: UTF8.self) }
        var message = MessageRecord(at: now, kind: kind, method: method, summary: summary, call: call, json: json)
        message.order = nextOrder()
        devices[index].record.messages.append(message)
    }

    /// Returns the next sequence number, which orders the steps and messages of the run's record.
    func nextOrder() -> Int {
        lastOrder += 1
        return lastOrder
    }

    /// Records the hub's reply or refusal.
    func note(_ result: Result<ReplyPayload, WireError>, _ index: Int, _ bytes: [UInt8]) {
        switch result {
        case .success(let payload): note(index, .reply, "reply", description(for: payload), bytes: bytes)
        case .failure(let error):
            note(index, .refusal, error.code.word, "\(error.code.word): \(withPartyNames(error.message))", bytes: bytes)
        }
    }

    /// Returns the name of a call, or the beginning of its UUID if it has none.
    func name(_ call: CallUUID) -> String {
        calls.name(of: call)?.text ?? String(call.uuidText.prefix(8))
    }

    /// Describes a request.
    func description(for request: ClientRequest) -> String {
        switch request {
        case .open(let open): open.resume == nil ? "sign in" : "resume"
        case .close: "leave"
        case .engine(let engine): description(for: engine, request.method)
        default: request.method.rawValue
        }
    }

    private func description(for request: Request, _ method: ClientMethod) -> String {
        switch request {
        case .transaction(let actions):
            actions.isEmpty ? "nothing" : actions.map { description(for: $0.kind, $0.callUUID) }.joined(separator: ", ")
        case .fulfill(let action, _, let engine):
            "fulfill \(description(forAction: action))" + (engine.map { " by \($0.rawValue)" } ?? "")
        case .fail(let action): "fail \(description(forAction: action))"
        case .executed(_, let handled): handled ? "handled" : "passed on"
        case .reportNewIncomingCall(let call, _): "incoming \(name(call))"
        case .reportCall(let call, _): "update \(name(call))"
        case .reportCallEnded(let call, let reason, _): "\(name(call)) ended: \(reason)"
        case .reportOutgoingCall(let call, let event, _): "\(name(call)) \(event.rawValue)"
        default: method.rawValue
        }
    }

    private func description(forAction uuid: ActionUUID) -> String {
        let action = devices.lazy.flatMap(\.requestedActions).first { $0.action.uuid == uuid }?.action
        return action.map { description(for: $0.kind, $0.callUUID) } ?? "an action"
    }

    /// Describes an action on a call.
    func description(for kind: ActionKind, _ call: CallUUID) -> String {
        switch kind {
        case .start(let handle, _, _, _): "call \(withPartyNames(handle.value)) as \(name(call))"
        case .endHere: "end \(name(call)) here"
        case .decline(let message, let onlyHere):
            "end \(name(call))\(onlyHere ? " here" : "") saying \(LineFormat.quoted(message))"
        case .setGroup(let other?): "merge \(name(call)) with \(name(other))"
        case .transfer(.call(let other)): "transfer \(name(call)) to \(name(other))"
        case .transfer(.handle(let handle)): "transfer \(name(call)) to \(withPartyNames(handle.value))"
        case .playDTMF(let digits, let type):
            "key \(type == .softPause ? "," : type == .hardPause ? ";" : "")\(digits) on \(name(call))"
        default: "\(ActionKindName(kind)?.rawValue ?? kind.typeName) \(name(call))"
        }
    }

    private func description(for payload: ReplyPayload) -> String {
        switch payload {
        case .opened(let opened): opened.resumed ? "resumed" : "signed in"
        case .accepted: "accepted"
        case .ignored: "ignored"
        case .recents(let entries): "\(entries.count) recents"
        case .providers(let providers): "\(providers.count) providers"
        case .people(let people, _): description(for: people)
        default: "done"
        }
    }

    /// Describes a notification.
    func description(for notification: WireNotification) -> String {
        switch notification {
        case .execute(_, let actions): actions.map { description(for: $0.kind, $0.callUUID) }.joined(separator: ", ")
        case .perform(_, let action, _, let origin, let isFulfilled):
            description(for: action.kind, action.callUUID) + (origin == .system ? ", by the hub" : "")
                + (isFulfilled ? "" : ", to be fulfilled")
        case .timedOutPerforming(let action): description(for: action.kind, action.callUUID)
        case .didActivateAudioSession(let session): "audio on: " + session.calls.map(name).joined(separator: ", ")
        case .didDeactivateAudioSession(_, let calls): "audio off: " + calls.map(name).joined(separator: ", ")
        case .callChanged(let call): "\(name(call.uuid)) \(description(for: call))"
        case .observed(let call): "\(name(call.uuid)) elsewhere" + (call.hasEnded ? ", ended" : "")
        case .dtmf(let call, let digits, _): "\(digits) on \(name(call))"
        case .audioSources(let sources): sources.map { withPartyNames($0.name) }.joined(separator: ", ")
        case .directoryReloadRequested(let identifier): identifier
        case .peopleChanged(let people): description(for: people)
        case .closing(let reason, _, _): reason.rawValue
        default: ""
        }
    }

    /// Returns the one call that a notification is about; nil: none, or several.
    func call(_ notification: WireNotification) -> CallName? {
        switch notification {
        case .perform(_, let action, _, _, _), .timedOutPerforming(let action): calls.name(of: action.callUUID)
        case .callChanged(let call): calls.name(of: call.uuid)
        case .observed(let call): calls.name(of: call.uuid)
        case .dtmf(let call, _, _): calls.name(of: call)
        default: nil
        }
    }

    private func description(for people: [Person]) -> String {
        people.map { "\(withPartyNames($0.handle.value)) \($0.presence.keyword)" }.joined(separator: ", ")
    }

    /// Describes a call's state from its owner's side.
    func description(for call: CallSnapshot) -> String {
        var description = [call.state.rawValue]
        if let reason = call.endedReason { description.append("\(reason)") }
        if let cause = call.cause { description.append("because \(cause.rawValue)") }
        if call.hasEnded, call.endedReason == nil { description.append("locally") }
        if call.isMuted { description.append("muted") }
        if call.group != nil { description.append("grouped") }
        if call.remoteIsOnHold { description.append("held by remote") }
        if call.remoteIsRinging { description.append("remotely ringing") }
        if !call.participants.isEmpty {
            let people = call.participants.map { self.description(for: $0) }
            description.append("includes \(LineFormat.listed(people))")
        }
        if let message = call.message { description.append("says \(LineFormat.quoted(message))") }
        if call.hasVideo { description.append("video") }
        if call.isTranslating {
            description.append("translating" + (call.translationEngine.map { " by \($0.rawValue)" } ?? ""))
        }
        if !call.choices.isEmpty {
            description.append("offers " + call.choices.map(\.name.words).joined(separator: ", "))
        }
        return description.joined(separator: ", ")
    }
}

extension DevicePool {
    /// Describes a person in the conversation of a group.
    private func description(for participant: CallParticipant) -> String {
        guard participant.nameSource != .hidden else { return "somebody" }
        let handle = withPartyNames(participant.handle.value)
        let name = withPartyNames(participant.name)
        return name == handle ? handle : "\(handle) named \(LineFormat.quoted(name))"
    }
}

extension ErrorCode {
    /// The error's name in scenarios.
    var word: String { name ?? "error \(number)" }
}

extension ActionKindName {
    /// Creates the name that lines use for an action; nil: they have none.
    init?(_ kind: ActionKind) {
        switch kind {
        case .start: self = .start
        case .answer: self = .answer
        case .end, .endHere, .decline: self = .end
        case .setHeld(let isHeld): self = isHeld ? .hold : .unhold
        case .setMuted(let isMuted): self = isMuted ? .mute : .unmute
        case .setGroup(let other): self = other == nil ? .ungroup : .group
        case .playDTMF: self = .key
        case .pull: self = .pull
        case .transfer: self = .transfer
        case .setTranslating: self = .translate
        case .unknown: return nil
        }
    }
}
