import HubEngine

/// The rules that hold in every run, independent of the scenario (docs/scenarios.md, Built-in checks).
extension DevicePool {
    /// The first violation of a rule; nil: there is none.
    var violation: SimulatedDevice.RuleViolation? {
        if let end = environment.unexpectedEnd(timeout: .zero) {
            return SimulatedDevice.RuleViolation(at: now, expected: "the hub runs until a step ends it", actual: end)
        }
        return devices.compactMap(\.violation).min { $0.at < $1.at }
    }

    /// Checks a received voice: the device must have an audio session and a call that explains the voice.
    func checkVoice(_ detection: ToneDetector.Detection, _ index: Int) {
        let device = devices[index]
        let names = detection.voices.numbers.map { description(for: voices.voices[$0]) }.joined(separator: " and ")
        guard device.audio != nil else {
            device.violation(
                "\(device.deviceReference) hears nothing while no audio session is active",
                "\(device.deviceReference) hears \(names), and no audio session is active",
                at: detection.from
            )
            return
        }
        for voice in detection.voices.numbers {
            switch reason(for: voice, at: index) {
            case .explained: unexplained.removeAll { $0.device == index && $0.voice == voice }
            case .none: reportViolation(index, voice, at: detection.from)
            case .unexplainedByOthers:
                guard now >= deliverySkewUntil else { break }
                if environment.maximumNotificationSkew == .zero {
                    reportViolation(index, voice, at: detection.from)
                } else if !unexplained.contains(where: { $0.device == index && $0.voice == voice }) {
                    unexplained.append(Unexplained(device: index, voice: voice, since: detection.from))
                }
            }
        }
    }

    private func reportViolation(_ index: Int, _ voice: Int, at moment: Duration) {
        let (deviceReference, name) = (devices[index].deviceReference, description(for: voices.voices[voice]))
        devices[index].violation(
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
        let device = devices[index]
        let calls = device.callOrder.compactMap { device.calls[$0] }.filter { !$0.hasEnded }
        guard !calls.isEmpty else { return "has no call" }
        return calls.map { "\(name($0.uuid)) is \(description(for: $0))" }.joined(separator: "; ")
    }

    /// Checks the rules after each event.
    func checkRules() {
        for index in devices.indices {
            checkHeldAudio(of: index)
            checkGroupHolds(of: index)
        }
        let now = now
        unexplained.removeAll { reason(for: $0.voice, at: $0.device) == .explained || now < deliverySkewUntil }
        for suspect in unexplained where now - suspect.since > environment.maximumNotificationSkew {
            reportViolation(suspect.device, suspect.voice, at: suspect.since)
        }
    }

    /// Checks that no audio session is active while all calls are on hold.
    private func checkHeldAudio(of index: Int) {
        let device = devices[index]
        let held = device.audio == nil ? nil : heldCallIfAllAreHeld(device)
        guard let since = persisting(held != nil, &heldWithAudio[index]), let held else { return }
        device.violation(
            "\(device.deviceReference) has no active audio session when all of its calls are held",
            "\(device.deviceReference)'s \(name(held)) is held, and an audio session is active",
            at: since
        )
    }

    /// Checks that a group is on hold as a whole or not at all, whatever was held before the merge (CK-47, CK-50).
    private func checkGroupHolds(of index: Int) {
        let device = devices[index]
        let pair = now < deliverySkewUntil ? nil : partlyHeldGroup(device)
        guard let since = persisting(pair != nil, &partlyHeldGroup[index]), let (held, open) = pair else { return }
        device.violation(
            "\(device.deviceReference)'s group is held as a whole or not at all",
            "\(device.deviceReference)'s \(name(held)) is held, and \(name(open)) of the same group is not",
            at: since
        )
    }

    /// Returns the time since which a condition holds, once that exceeds the test environment's tolerance; nil: it does
    /// not.
    private func persisting(_ isMet: Bool, _ since: inout Duration?) -> Duration? {
        since = isMet ? since ?? now : nil
        return since.flatMap { now - $0 > environment.maximumNotificationSkew ? $0 : nil }
    }

    /// Returns two calls of one group of which the first is on hold and the second is not; nil: there are none.
    private func partlyHeldGroup(_ device: SimulatedDevice) -> (held: CallUUID, open: CallUUID)? {
        let grouped = device.callOrder.compactMap { device.calls[$0] }.filter { !$0.hasEnded && $0.group != nil }
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
    private func heldCallIfAllAreHeld(_ device: SimulatedDevice) -> CallUUID? {
        let calls = device.calls.values.filter { !$0.hasEnded && $0.state != .ringing }
        return calls.allSatisfy(\.isOnHold) ? calls.first?.uuid : nil
    }

    /// Checks that the audio session is not activated before the call's answer or start is fulfilled.
    func checkOrder(of session: AudioSession, _ index: Int) {
        let device = devices[index]
        for call in session.calls {
            let begun = device.requestedActions.contains { requestedAction in
                guard requestedAction.action.callUUID == call, device.performed.contains(requestedAction.action.uuid)
                else {
                    return false
                }
                switch requestedAction.action.kind {
                case .answer, .start, .pull: return true
                default: return false
                }
            }
            guard !begun else { continue }
            device.violation(
                "\(device.deviceReference)'s audio session is active when the answer or start of \(name(call)) is fulfilled",
                "it was activated before",
                at: now
            )
        }
    }

    // MARK: Permitted voices

    private enum Reason {
        /// A call explains the voice.
        case explained
        /// No call of the device itself explains the voice; its notifications arrive in order with the sound.
        case none
        /// No call of the other devices explains it; their notifications may arrive a little later.
        case unexplainedByOthers
    }

    /// Returns the reason why a device may receive a voice, from the calls that the devices were notified of.
    private func reason(for voice: Int, at index: Int) -> Reason {
        if voice == voices.music || voice == voices.tone, devices[index].calls.values.contains(where: wasHeldByRemote) {
            return .explained
        }
        let own = devices[index].callOrder.filter { devices[index].calls[$0].map(isActive) ?? false }
        guard !own.isEmpty else { return .none }
        var pending = own.map { (device: index, call: $0) }
        var seen = Set(own.map { DeviceCall(device: index, call: $0) })
        while let end = pending.popLast() {
            guard let position = calls.position(of: end.call) else { return .explained }
            let conversation = calls.conversations[position]
            if builtIn(conversation, explains: voice, to: end.device) { return .explained }
            // A program may forward any voice: of others that it calls, or an echo.
            if [conversation.owner, conversation.callee].contains(where: { $0.map(isElsewhere) ?? false }) {
                return .explained
            }
            // So may a party outside the scenario.
            if conversation.isToOutside, devices[end.device].calls[end.call]?.isOutgoing ?? false { return .explained }
            for other in devices.indices where other != end.device {
                for call in [conversation.ends[devices[other].party.name], conversation.ownEnd].compactMap(\.self)
                where call != end.call && wasRecentlyActive(call, other) {
                    if partyNumber(of: devices[other]) == voice { return .explained }
                    for next in groupMembers(of: call, other)
                    where seen.insert(DeviceCall(device: other, call: next)).inserted {
                        pending.append((other, next))
                    }
                }
            }
        }
        return .unexplainedByOthers
    }

    private struct DeviceCall: Hashable {
        var device: Int
        var call: CallUUID
    }

    private func builtIn(_ conversation: CallRegistry.Conversation, explains voice: Int, to device: Int) -> Bool {
        switch conversation.builtIn {
        case .echo: voice == partyNumber(of: devices[device]) || conversation.owner != devices[device].party.name
        case .tone: voice == voices.tone
        case .music: voice == voices.music
        case nil: false
        }
    }

    /// Indicates that the hub may play music or a tone on a call: its other end holds it, or has until just now.
    private func wasHeldByRemote(_ call: CallSnapshot) -> Bool {
        guard call.state == .connected else { return false }
        return call.remoteIsOnHold || lastHeldByRemote[call.uuid].map(isRecent) ?? false
    }

    /// Indicates that a call is open at a device, or was within the test environment's tolerance.
    private func wasRecentlyActive(_ call: CallUUID, _ index: Int) -> Bool {
        guard let snapshot = devices[index].calls[call] else { return false }
        return isActive(snapshot) || lastActive[call].map(isRecent) ?? false
    }

    /// Returns the other calls of the group that a call is in, or was in within the test environment's tolerance.
    private func groupMembers(of call: CallUUID, _ index: Int) -> [CallUUID] {
        let groups = groups(of: call, index)
        return devices[index].callOrder.filter { other in
            other != call && !groups.isDisjoint(with: self.groups(of: other, index)) && wasRecentlyActive(other, index)
        }
    }

    private func groups(of call: CallUUID, _ index: Int) -> Set<GroupUUID> {
        let last = lastGroup[call].flatMap { isRecent($0.until) ? $0.group : nil }
        return Set([devices[index].calls[call]?.group, last].compactMap(\.self))
    }

    /// Indicates that other devices may not have been notified yet of a change at this moment.
    private func isRecent(_ moment: Duration) -> Bool {
        environment.maximumNotificationSkew > .zero && now - moment <= environment.maximumNotificationSkew
    }
}
