import HubEngine

/// What is expected when all that a step has caused is known.
extension StoryWriter {
    /// Says what has become of the calls since the last step.
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

    /// What came later than people are patient is waited for longer.
    private var patience: Duration? { patience(until: lastChange) }

    func patience(until instant: Instant?) -> Duration? {
        guard let lastStep, let instant else { return nil }
        let seconds = Int64((instant.since(lastStep) / .seconds(1)).rounded(.up))
        return seconds > 1 ? .seconds(seconds + 2) : nil
    }

    /// What is to be said of a call, a list for each line.
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

    /// Whether nobody recorded is at the other end, of whom it could be said that it rings there.
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

    /// Says whom each device hears whose sources are others now.
    private mutating func expectVoices(within: Duration?) {
        let devices = sources.keys.map { (party: cast.who($0).party, slot: $0) }
        // As the parties will stand in the file, so that what is recorded anew is the same.
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

    /// Whom a device hears; nil: that is not to be said, since somebody is muted on the way.
    private mutating func voices(of slot: Int) -> [Voice]? {
        var voices: [Voice] = []
        for source in sources[slot] ?? [] {
            let person = cast.person(source.handle)
            if let own = BuiltInParty.allCases.first(where: { $0.handle == source.handle }) {
                voices.append(own == .echo ? .party(cast.who(slot).party) : own == .tone ? .tone : .music)
                continue
            }
            // Whom somebody has merged who is not recorded: how is not known.
            guard !isBridgedUnseen(source, slot) else { return nil }
            // Who has no connection at the moment says nothing.
            guard !cast.slots.contains(where: { .account($0.account) == person && $0.isLost }) else { return nil }
            if isMuted(person) {
                // Between two it is silence; in a group it depends on who is where.
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

    /// The calls of somebody who is recorded.
    private func live(_ person: Person) -> [CallSnapshot] {
        views.filter { view, call in .account(cast.slots[view.slot].account) == person && !call.hasEnded }.map(\.value)
    }
}
