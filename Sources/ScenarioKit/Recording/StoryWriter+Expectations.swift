import HubEngine

/// Expectations, which are added once all effects of a step are known.
extension StoryWriter {
    /// Adds the expectations of the calls that have changed since the last step.
    mutating func flush() {
        let within = patience
        var later: [View] = []
        for view in touched {
            guard cast.slots[view.slot].isOpen, let call = views[view], let place = place(of: view) else { continue }
            guard !cast.slots[view.slot].isLost else {
                later.append(view)
                continue
            }
            let isSilent = call.hasEnded && calls[place].isEndedByHand
            for facts in isSilent ? [] : facts(of: call, view, since: said[view]) {
                expect(.call(cast.who(view.slot), calls[place].name, facts), within: within)
            }
            said[view] = call
        }
        touched = later
        expectDigits()
        if style.hasSound { expectVoices(within: within) }
    }

    mutating func expect(_ expectation: Assertion, within: Duration?) {
        guard let at = lastChange ?? lastStep else { return }
        lines.append(Line(deed: .expect(expectation, within: within), at: at))
    }

    /// The time limit of an expectation; a value only for changes that come later than the default patience allows.
    private var patience: Duration? { patience(until: lastChange) }

    func patience(until instant: Instant?) -> Duration? {
        guard let lastStep, let instant else { return nil }
        let seconds = Int64((instant.since(lastStep) / .seconds(1)).rounded(.up))
        return seconds > 1 ? .seconds(seconds + 2) : nil
    }

    /// Returns the facts to expect of a call, one list for each line.
    private func facts(of call: CallSnapshot, _ view: View, since before: CallSnapshot?) -> [[CallFact]] {
        if call.hasEnded {
            return before?.hasEnded == true ? [] : [[.ended(call.endedReason, because: call.cause)]]
        }
        var facts: [CallFact] = []
        if call.state != before?.state, call.state != .starting, call.state != .connecting {
            facts.append(.state(call.state))
        }
        if call.remoteIsRinging, !call.hasConnected, before?.remoteIsRinging != true, isToOutsider(view) {
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
    private func isToOutsider(_ view: View) -> Bool {
        guard let place = place(of: view), case .account(let callee) = calls[place].callee else { return true }
        return !views.contains { other, _ in self.place(of: other) == place && cast.slots[other.slot].account == callee
        }
    }

    private func groupFact(_ call: CallSnapshot, _ view: View) -> [CallFact] {
        guard let group = call.group else { return [.grouped(false)] }
        let other = liveCalls(of: view.slot).first { $0.group == group && $0.uuid != call.uuid }
        return other.flatMap { name(of: $0.uuid, view.slot) }.map { [.groupedWith($0)] } ?? []
    }

    // MARK: Sound

    /// Adds an expectation of the received voices for each device whose sources have changed.
    private mutating func expectVoices(within: Duration?) {
        let devices = sources.keys.map { (party: cast.who($0).party, slot: $0) }
        // In the order of the parties in the file, so that a recording of the run gives the same scenario.
        let sorted = devices.sorted { (Int($0.party) ?? 0, $0.slot) < (Int($1.party) ?? 0, $1.slot) }
        for slot in sorted.map(\.slot) where cast.slots[slot].isOpen && !cast.slots[slot].isLost {
            guard let voices = voices(of: slot), voices != saidVoices[slot] ?? [] else { continue }
            saidVoices[slot] = voices
            let isInACall = liveCalls(of: slot).contains { $0.hasConnected }
            guard !voices.isEmpty || isInACall else { continue }
            let who = cast.who(slot)
            expect(voices.isEmpty ? .hearsNothing(who, for: nil) : .hears(who, voices, for: nil), within: within)
        }
    }

    /// Returns the voices that a device receives; nil: they are uncertain, for example because a party is muted.
    private mutating func voices(of slot: Int) -> [Voice]? {
        var voices: [Voice] = []
        for source in sources[slot] ?? [] {
            let person = cast.person(source.handle)
            if let own = BuiltInParty.allCases.first(where: { $0.handle == source.handle }) {
                voices.append(own == .echo ? .party(cast.who(slot).party) : own == .tone ? .tone : .music)
                continue
            }
            // An unrecorded party has merged the source into its call; the kind of its group is unknown.
            guard !isBridgedUnseen(source, slot) else { return nil }
            // A party with a lost connection sends no sound.
            guard !cast.slots.contains(where: { .account($0.account) == person && $0.isLost }) else { return nil }
            if isMuted(person) {
                // As the only source a muted party is silence; in a group the result depends on the other members.
                guard sources[slot]?.count == 1, !isGrouped(person) else { return nil }
                continue
            }
            voices.append(.party(cast.party(person)))
        }
        return voices
    }

    private func isBridgedUnseen(_ source: AudioSource, _ slot: Int) -> Bool {
        let view = View(slot: slot, uuid: source.callUUID)
        guard let place = place(of: view), let call = views[view] else { return true }
        let other = call.isOutgoing ? calls[place].callee : calls[place].caller
        if case .outsider = other { return cast.person(source.handle) != other }
        return false
    }

    private func isMuted(_ person: Person) -> Bool { live(person).contains { $0.isMuted } }

    private func isGrouped(_ person: Person) -> Bool { live(person).contains { $0.group != nil } }

    /// Returns the ongoing calls of a recorded participant.
    private func live(_ person: Person) -> [CallSnapshot] {
        views.filter { view, call in .account(cast.slots[view.slot].account) == person && !call.hasEnded }.map(\.value)
    }
}
