import HubEngine

/// The rules that hold in every run, independent of the scenario (docs/scenarios.md, Built-in checks).
extension DevicePool {
    /// The first violation of a rule; nil: there is none.
    var violation: SimulatedDevice.RuleViolation? {
        if let end = environment.unexpectedEnd(timeout: .zero) {
            return SimulatedDevice.RuleViolation(at: now, expected: "the hub runs until a step ends it", came: end)
        }
        return phones.compactMap(\.violation).min { $0.at < $1.at }
    }

    /// Checks a received voice: the device must have an audio session and a call that explains the voice.
    func checkVoice(_ receivedVoices: ToneDetector.Detection, _ index: Int) {
        let phone = phones[index]
        let names = receivedVoices.voices.numbers.map { description(for: voices.voices[$0]) }.joined(separator: " and ")
        guard phone.audio != nil else {
            phone.violation(
                "\(phone.deviceReference) hears nothing while no audio session is active",
                "\(phone.deviceReference) hears \(names), and no audio session is active",
                at: receivedVoices.from
            )
            return
        }
        for voice in receivedVoices.voices.numbers {
            switch reason(for: voice, at: index) {
            case .given: unexplained.removeAll { $0.phone == index && $0.voice == voice }
            case .none: reportViolation(index, voice, at: receivedVoices.from)
            case .fromOthers:
                guard now >= deliverySkewUntil else { break }
                if environment.notificationSkew == .zero {
                    reportViolation(index, voice, at: receivedVoices.from)
                } else if !unexplained.contains(where: { $0.phone == index && $0.voice == voice }) {
                    unexplained.append(Unexplained(phone: index, voice: voice, since: receivedVoices.from))
                }
            }
        }
    }

    private func reportViolation(_ index: Int, _ voice: Int, at moment: Duration) {
        let (deviceReference, name) = (phones[index].deviceReference, description(for: voices.voices[voice]))
        phones[index].violation(
            "\(deviceReference) hears only parties of its connected calls that are not held",
            "\(deviceReference) hears \(name), and \(callsInWords(of: index))",
            at: moment
        )
    }

    /// Describes a voice in words.
    func description(for voice: Voice) -> String {
        switch voice {
        case .party(let name): name
        case .music: "the music"
        case .tone: "the tone"
        }
    }

    /// Describes a device's calls in words: `A is held`.
    func callsInWords(of index: Int) -> String {
        let phone = phones[index]
        let calls = phone.callOrder.compactMap { phone.calls[$0] }.filter { !$0.hasEnded }
        guard !calls.isEmpty else { return "has no call" }
        return calls.map { "\(name($0.uuid)) is \(description(for: $0))" }.joined(separator: "; ")
    }

    /// Checks the rules after each event.
    func watchRules() {
        for index in phones.indices {
            watchAudio(of: index)
            watchGroups(of: index)
        }
        let now = now
        unexplained.removeAll { reason(for: $0.voice, at: $0.phone) == .given || now < deliverySkewUntil }
        for suspect in unexplained where now - suspect.since > environment.notificationSkew {
            reportViolation(suspect.phone, suspect.voice, at: suspect.since)
        }
    }

    /// Checks that no audio session is active while all calls are on hold.
    private func watchAudio(of index: Int) {
        let phone = phones[index]
        let held = phone.audio == nil ? nil : heldAlone(phone)
        guard let since = lasting(held != nil, &heldWithAudio[index]), let held else { return }
        phone.violation(
            "\(phone.deviceReference) has no active audio session when all of its calls are held",
            "\(phone.deviceReference)'s \(name(held)) is held, and an audio session is active",
            at: since
        )
    }

    /// Checks that a group is on hold as a whole or not at all, whatever was held before the merge (CK-47, CK-50).
    private func watchGroups(of index: Int) {
        let phone = phones[index]
        let pair = now < deliverySkewUntil ? nil : heldInPart(phone)
        guard let since = lasting(pair != nil, &heldInPart[index]), let (held, open) = pair else { return }
        phone.violation(
            "\(phone.deviceReference)'s group is held as a whole or not at all",
            "\(phone.deviceReference)'s \(name(held)) is held, and \(name(open)) of the same group is not",
            at: since
        )
    }

    /// Returns the time since which a condition holds, once that exceeds the test environment's tolerance; nil: it does
    /// not.
    private func lasting(_ isSo: Bool, _ since: inout Duration?) -> Duration? {
        since = isSo ? since ?? now : nil
        return since.flatMap { now - $0 > environment.notificationSkew ? $0 : nil }
    }

    /// Returns two calls of one group of which the first is on hold and the second is not; nil: there are none.
    private func heldInPart(_ phone: SimulatedDevice) -> (held: CallUUID, open: CallUUID)? {
        let grouped = phone.callOrder.compactMap { phone.calls[$0] }.filter { !$0.hasEnded && $0.group != nil }
        for held in grouped where held.isOnHold {
            if let open = grouped.first(where: { $0.group == held.group && !$0.isOnHold }) {
                return (held.uuid, open.uuid)
            }
        }
        return nil
    }

    /// Returns a held call of a device whose calls are all on hold; nil: one is not, or there is none.
    ///
    /// An audio session stays active over merges and splits.
    private func heldAlone(_ phone: SimulatedDevice) -> CallUUID? {
        let calls = phone.calls.values.filter { !$0.hasEnded && $0.state != .ringing }
        return calls.allSatisfy(\.isOnHold) ? calls.first?.uuid : nil
    }

    /// Checks that the audio session is not activated before the call's answer or start is fulfilled.
    func checkOrder(of session: AudioSession, _ index: Int) {
        let phone = phones[index]
        for call in session.calls {
            let begun = phone.performances.contains { performance in
                guard performance.action.callUUID == call, phone.performed.contains(performance.action.uuid) else {
                    return false
                }
                switch performance.action.kind {
                case .answer, .start, .pull: return true
                default: return false
                }
            }
            guard !begun else { continue }
            phone.violation(
                "\(phone.deviceReference)'s audio session is active when the answer or start of \(name(call)) is fulfilled",
                "it was activated before",
                at: now
            )
        }
    }

    // MARK: Permitted voices

    private enum Reason {
        /// A call explains the voice.
        case given
        /// No call of the device itself explains the voice; its notifications arrive in order with the sound.
        case none
        /// No call of the other devices explains it; their notifications may arrive a little later.
        case fromOthers
    }

    /// Returns the reason why a device may receive a voice, from the calls that the devices were notified of.
    private func reason(for voice: Int, at index: Int) -> Reason {
        let own = phones[index].callOrder.filter { phones[index].calls[$0].map(isActive) ?? false }
        guard !own.isEmpty else { return .none }
        var toDo = own.map { (phone: index, call: $0) }
        var seen = Set(own.map { DeviceCall(phone: index, call: $0) })
        while let end = toDo.popLast() {
            guard let position = calls.position(of: end.call) else { return .given }
            let conversation = calls.conversations[position]
            if builtIn(conversation, gives: voice, to: end.phone) { return .given }
            // An app may forward any voice: of others that it calls, or an echo.
            if [conversation.owner, conversation.callee].contains(where: { $0.map(accounts.isUnderTest) ?? false }) {
                return .given
            }
            // So may a party outside the scenario.
            if conversation.isToOutside, phones[end.phone].calls[end.call]?.isOutgoing ?? false { return .given }
            for other in phones.indices where other != end.phone {
                for call in [conversation.ends[phones[other].party.name], conversation.ownEnd].compactMap(\.self)
                where call != end.call && wasRecentlyActive(call, other) {
                    if partyNumber(of: phones[other]) == voice { return .given }
                    for next in groupMembers(of: call, other)
                    where seen.insert(DeviceCall(phone: other, call: next)).inserted {
                        toDo.append((other, next))
                    }
                }
            }
        }
        return .fromOthers
    }

    private struct DeviceCall: Hashable {
        var phone: Int
        var call: CallUUID
    }

    private func builtIn(_ conversation: CallRegistry.Conversation, gives voice: Int, to phone: Int) -> Bool {
        switch conversation.builtIn {
        case .echo: voice == partyNumber(of: phones[phone]) || conversation.owner != phones[phone].party.name
        case .tone: voice == voices.tone
        case .music: voice == voices.music
        case nil: false
        }
    }

    /// Indicates that a call is open at a device, or was within the test environment's tolerance.
    private func wasRecentlyActive(_ call: CallUUID, _ index: Int) -> Bool {
        guard let snapshot = phones[index].calls[call] else { return false }
        return isActive(snapshot) || lastActive[call].map(isRecent) ?? false
    }

    /// Returns the other calls of the group that a call is in, or was in within the test environment's tolerance.
    private func groupMembers(of call: CallUUID, _ index: Int) -> [CallUUID] {
        let groups = groups(of: call, index)
        return phones[index].callOrder.filter { other in
            other != call && !groups.isDisjoint(with: self.groups(of: other, index)) && wasRecentlyActive(other, index)
        }
    }

    private func groups(of call: CallUUID, _ index: Int) -> Set<GroupUUID> {
        let last = lastGroup[call].flatMap { isRecent($0.until) ? $0.group : nil }
        return Set([phones[index].calls[call]?.group, last].compactMap(\.self))
    }

    /// Indicates that other devices may not have been notified yet of a change at this moment.
    private func isRecent(_ moment: Duration) -> Bool {
        environment.notificationSkew > .zero && now - moment <= environment.notificationSkew
    }
}
