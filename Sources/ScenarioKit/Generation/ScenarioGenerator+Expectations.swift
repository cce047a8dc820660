import HubEngine

/// Expectations, which are added once all effects of a step are known.
extension ScenarioGenerator {
    /// Adds the expectations of the calls that have changed since the last step.
    mutating func flush() {
        let within = timeout
        var later: [DeviceCall] = []
        for view in changedCalls {
            guard participants.slots[view.slot].isOpen, let call = views[view], let position = position(of: view) else {
                continue
            }
            guard !participants.slots[view.slot].isLost else {
                later.append(view)
                continue
            }
            let isSilent = call.hasEnded && calls[position].needsExplicitEnd
            for facts in isSilent ? [] : facts(of: call, view, since: lastExpected[view]) {
                expect(.call(participants.deviceReference(view.slot), calls[position].name, facts), within: within)
            }
            lastExpected[view] = call
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
    private func facts(of call: CallSnapshot, _ view: DeviceCall, since before: CallSnapshot?) -> [[CallFact]] {
        if call.hasEnded {
            return before?.hasEnded == true ? [] : [[.ended(call.endedReason, because: call.cause)]]
        }
        var facts: [CallFact] = []
        if call.state != before?.state, call.state != .starting, call.state != .connecting {
            facts.append(.state(call.state))
        }
        if call.remoteIsRinging, !call.hasConnected, before?.remoteIsRinging != true, isToUnrecordedParty(view) {
            facts.append(.remotelyRinging)
        }
        if call.isMuted != (before?.isMuted ?? false) { facts.append(.muted(call.isMuted)) }
        if call.remoteIsOnHold != (before?.remoteIsOnHold ?? false) { facts.append(.heldByRemote(call.remoteIsOnHold)) }
        if call.group != before?.group { facts += groupFact(call, view) }
        if call.hasVideo, before?.hasVideo != true { facts.append(.video) }
        if call.isTranslating != (before?.isTranslating ?? false) {
            facts.append(call.isTranslating ? .translating : .not(.translating))
        }
        var lists = facts.isEmpty ? [] : [facts]
        let offered = call.choices.map(\.name)
        if offered.count > 2, offered != before?.choices.map(\.name) { lists.append([.offers(offered)]) }
        return lists
    }

    /// Indicates that no recorded device is the callee, which could be expected to ring instead.
    private func isToUnrecordedParty(_ view: DeviceCall) -> Bool {
        guard let position = position(of: view), case .account(let callee) = calls[position].callee else { return true }
        return !views.contains { other, _ in
            self.position(of: other) == position && participants.slots[other.slot].account == callee
        }
    }

    private func groupFact(_ call: CallSnapshot, _ view: DeviceCall) -> [CallFact] {
        guard let group = call.group else { return [.grouped(false)] }
        let other = liveCalls(of: view.slot).first { $0.group == group && $0.uuid != call.uuid }
        return other.flatMap { name(of: $0.uuid, view.slot) }.map { [.groupedWith($0)] } ?? []
    }

    // MARK: Sound

    /// Adds an expectation of the received voices for each device whose sources have changed.
    private mutating func expectVoices(within: Duration?) {
        let devices = sources.keys.map { (party: participants.deviceReference($0).party, slot: $0) }
        // In the order of the parties in the file, so that a recording of the run gives the same scenario.
        let sorted = devices.sorted { (Int($0.party) ?? 0, $0.slot) < (Int($1.party) ?? 0, $1.slot) }
        for slot in sorted.map(\.slot) where participants.slots[slot].isOpen && !participants.slots[slot].isLost {
            guard let voices = voices(of: slot), voices != lastExpectedVoices[slot] ?? [] else { continue }
            lastExpectedVoices[slot] = voices
            let isInACall = liveCalls(of: slot).contains { $0.hasConnected }
            guard !voices.isEmpty || isInACall else { continue }
            let deviceReference = participants.deviceReference(slot)
            expect(
                voices.isEmpty ? .hearsNothing(deviceReference, for: nil) : .hears(deviceReference, voices, for: nil),
                within: within
            )
        }
    }

    /// Returns the voices that a device receives; nil: they are uncertain, for example because a party is muted.
    private mutating func voices(of slot: Int) -> [Voice]? {
        var voices: [Voice] = []
        for source in sources[slot] ?? [] {
            let participant = participants.participant(source.handle)
            if let own = BuiltInParty.allCases.first(where: { $0.handle == source.handle }) {
                voices.append(
                    own == .echo ? .party(participants.deviceReference(slot).party) : own == .tone ? .tone : .music
                )
                continue
            }
            // An unrecorded party has merged the source into its call; the kind of its group is unknown.
            guard !isMergedByUnrecordedParty(source, slot) else { return nil }
            // A party with a lost connection sends no sound.
            guard !participants.slots.contains(where: { .account($0.account) == participant && $0.isLost }) else {
                return nil
            }
            if isMuted(participant) {
                // As the only source a muted party is silence; in a group the result depends on the other members.
                guard sources[slot]?.count == 1, !isGrouped(participant) else { return nil }
                continue
            }
            voices.append(.party(participants.party(participant)))
        }
        return voices
    }

    private func isMergedByUnrecordedParty(_ source: AudioSource, _ slot: Int) -> Bool {
        let view = DeviceCall(slot: slot, uuid: source.callUUID)
        guard let position = position(of: view), let call = views[view] else { return true }
        let other = call.isOutgoing ? calls[position].callee : calls[position].caller
        if case .unrecorded = other { return participants.participant(source.handle) != other }
        return false
    }

    private func isMuted(_ participant: Participant) -> Bool { live(participant).contains { $0.isMuted } }

    private func isGrouped(_ participant: Participant) -> Bool { live(participant).contains { $0.group != nil } }

    /// Returns the ongoing calls of a recorded participant.
    private func live(_ participant: Participant) -> [CallSnapshot] {
        views.filter { view, call in .account(participants.slots[view.slot].account) == participant && !call.hasEnded }
            .map(\.value)
    }
}
