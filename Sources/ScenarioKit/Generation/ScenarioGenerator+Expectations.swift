import HubEngine

/// Expectations, which are added once all effects of a step are known.
extension ScenarioGenerator {
    /// Adds the expectations of the calls that have changed since the last step.
    mutating func addExpectations() {
        let within = timeout
        var later: [DeviceCall] = []
        for deviceCall in changedCalls {
            guard participants.devices[deviceCall.deviceIndex].isOpen, let call = callStates[deviceCall],
                let position = position(of: deviceCall)
            else {
                continue
            }
            guard !participants.devices[deviceCall.deviceIndex].isLost else {
                later.append(deviceCall)
                continue
            }
            let isSilent = call.hasEnded && calls[position].needsExplicitEnd
            for callMatchers in isSilent ? [] : callMatchers(of: call, deviceCall, since: lastExpected[deviceCall]) {
                expect(
                    .call(participants.deviceReference(deviceCall.deviceIndex), calls[position].name, callMatchers),
                    within: within
                )
            }
            lastExpected[deviceCall] = call
        }
        changedCalls = later
        expectDigits()
        if style.hasSound { expectVoices(within: within) }
    }

    mutating func expect(_ expectation: Assertion, within: Duration?) {
        guard let at = lastChange ?? lastStep else { return }
        lines.append(Line(stepAction: .expect(expectation, within: within), at: at))
    }

    /// The time limit of an expectation; a value only for changes that come later than the default patience allows.
    private var timeout: Duration? { timeout(until: lastChange) }

    func timeout(until instant: Instant?) -> Duration? {
        guard let lastStep, let instant else { return nil }
        let seconds = Int64((instant.since(lastStep) / .seconds(1)).rounded(.up))
        return seconds > 1 ? .seconds(seconds + 2) : nil
    }

    /// Returns the matchers to expect of a call, one list for each line.
    private func callMatchers(of call: CallSnapshot, _ deviceCall: DeviceCall, since before: CallSnapshot?)
        -> [[CallMatcher]]
    {
        if call.hasEnded {
            return before?.hasEnded == true ? [] : [[.ended(call.endedReason, because: call.cause)]]
        }
        var callMatchers: [CallMatcher] = []
        if call.state != before?.state, call.state != .starting, call.state != .connecting {
            callMatchers.append(.state(call.state))
        }
        if call.remoteIsRinging, !call.hasConnected, before?.remoteIsRinging != true, isToUnrecordedParty(deviceCall) {
            callMatchers.append(.remotelyRinging)
        }
        if call.isMuted != (before?.isMuted ?? false) { callMatchers.append(.muted(call.isMuted)) }
        if call.remoteIsOnHold != (before?.remoteIsOnHold ?? false) {
            callMatchers.append(.heldByRemote(call.remoteIsOnHold))
        }
        if call.group != before?.group { callMatchers += groupMatcher(call, deviceCall) }
        if call.hasVideo, before?.hasVideo != true { callMatchers.append(.video) }
        if call.isTranslating != (before?.isTranslating ?? false) {
            // A device of the scenario fulfils by itself, and says no engine.
            callMatchers.append(call.isTranslating ? .translating(by: nil) : .not(.translating(by: nil)))
        }
        var lists = callMatchers.isEmpty ? [] : [callMatchers]
        let offered = call.choices.map(\.name)
        if offered.count > 2, offered != before?.choices.map(\.name) { lists.append([.offers(offered)]) }
        return lists
    }

    /// Indicates that no recorded device is the callee, which could be expected to ring instead.
    private func isToUnrecordedParty(_ deviceCall: DeviceCall) -> Bool {
        guard let position = position(of: deviceCall), case .account(let callee) = calls[position].callee else {
            return true
        }
        return !callStates.contains { other, _ in
            self.position(of: other) == position && participants.devices[other.deviceIndex].account == callee
        }
    }

    private func groupMatcher(_ call: CallSnapshot, _ deviceCall: DeviceCall) -> [CallMatcher] {
        guard let group = call.group else { return [.grouped(false)] }
        let other = liveCalls(of: deviceCall.deviceIndex).first { $0.group == group && $0.uuid != call.uuid }
        return other.flatMap { name(of: $0.uuid, deviceCall.deviceIndex) }.map { [.groupedWith($0)] } ?? []
    }

    // MARK: Sound

    /// Adds an expectation of the received voices for each device whose sources have changed.
    private mutating func expectVoices(within: Duration?) {
        let devices = sources.keys.map { (party: participants.deviceReference($0).party, deviceIndex: $0) }
        // In the order of the parties in the file, so that a recording of the run gives the same scenario.
        let sorted = devices.sorted { (Int($0.party) ?? 0, $0.deviceIndex) < (Int($1.party) ?? 0, $1.deviceIndex) }
        for deviceIndex in sorted.map(\.deviceIndex)
        where participants.devices[deviceIndex].isOpen && !participants.devices[deviceIndex].isLost {
            guard let voices = voices(of: deviceIndex), voices != lastExpectedVoices[deviceIndex] ?? [] else {
                continue
            }
            lastExpectedVoices[deviceIndex] = voices
            let isInACall = liveCalls(of: deviceIndex).contains { $0.hasConnected }
            guard !voices.isEmpty || isInACall else { continue }
            let deviceReference = participants.deviceReference(deviceIndex)
            expect(
                voices.isEmpty ? .hearsNothing(deviceReference, for: nil) : .hears(deviceReference, voices, for: nil),
                within: within
            )
        }
    }

    /// Returns the voices that a device receives; nil: they are uncertain, for example because a party is muted.
    private mutating func voices(of deviceIndex: Int) -> [Voice]? {
        var voices: [Voice] = []
        for source in sources[deviceIndex] ?? [] {
            let participant = participants.participant(source.handle)
            // Most of the time the tone for those on hold is silence.
            if source.isHoldAudio, source.handle == BuiltInParty.tone.handle { return nil }
            if let own = BuiltInParty(source.handle) {
                voices.append(
                    own == .echo
                        ? .party(participants.deviceReference(deviceIndex).party) : own == .tone ? .tone : .music
                )
                continue
            }
            // An unrecorded party has merged the source into its call; the kind of its group is unknown.
            guard !isMergedByUnrecordedParty(source, deviceIndex) else { return nil }
            // A party with a lost connection sends no sound.
            guard !participants.devices.contains(where: { .account($0.account) == participant && $0.isLost }) else {
                return nil
            }
            if isMuted(participant) {
                // As the only source a muted party is silence; in a group the result depends on the other members.
                guard sources[deviceIndex]?.count == 1, !isGrouped(participant) else { return nil }
                continue
            }
            voices.append(.party(participants.party(participant)))
        }
        return voices
    }

    private func isMergedByUnrecordedParty(_ source: AudioSource, _ deviceIndex: Int) -> Bool {
        let deviceCall = DeviceCall(deviceIndex: deviceIndex, uuid: source.callUUID)
        guard let position = position(of: deviceCall), let call = callStates[deviceCall] else { return true }
        let other = call.isOutgoing ? calls[position].callee : calls[position].caller
        if case .unrecorded = other { return participants.participant(source.handle) != other }
        return false
    }

    private func isMuted(_ participant: Participant) -> Bool { ongoingCalls(participant).contains { $0.isMuted } }

    private func isGrouped(_ participant: Participant) -> Bool {
        ongoingCalls(participant).contains { $0.group != nil }
    }

    /// Returns the ongoing calls of a recorded participant.
    private func ongoingCalls(_ participant: Participant) -> [CallSnapshot] {
        callStates.filter { deviceCall, call in
            .account(participants.devices[deviceCall.deviceIndex].account) == participant && !call.hasEnded
        }
        .map(\.value)
    }
}
