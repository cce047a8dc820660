import HubEngine
import HubWire

/// The actions of unrecorded parties in one event, derived from the calls of recorded devices.
struct OutsiderDeeds {
    /// The kind of an action.
    enum Kind {
        case began
        case answered
        case declined
        case ended
        case held
        case resumed
        case dropped
    }

    private(set) var all: [(person: Person, kind: Kind, place: Int)] = []
    private(set) var at: Instant?

    /// The parties that did something, without duplicates.
    var people: [Person] { all.map(\.person).reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }

    mutating func add(_ person: Person, _ kind: Kind, _ place: Int, at instant: Instant) {
        all.append((person, kind, place))
        at = instant
    }

    func places(_ person: Person, _ kind: Kind) -> [Int] {
        all.filter { $0.person == person && $0.kind == kind }.map(\.place)
    }
}

/// Calls from outside, and the actions of unrecorded parties.
extension StoryWriter {
    /// Processes a change of a recorded device's call, and adds the unrecorded party's action that caused it.
    mutating func change(_ call: CallSnapshot, _ slot: Int, at instant: Instant, _ deeds: inout OutsiderDeeds) {
        guard let place = place(of: View(slot: slot, uuid: call.uuid)) else {
            return appear(call, slot, at: instant, &deeds)
        }
        let before = views[View(slot: slot, uuid: call.uuid)]
        let isOver = call.hasEnded && before?.hasEnded != true
        if isOver { noteEnd(call, place) }
        if let before, call.capabilities != before.capabilities {
            let update = CallUpdate(call.capabilities, since: before.capabilities)
            step(.report(cast.who(slot), .update(calls[place].name, update), refusal: nil), at: instant)
        }
        if calls[place].isExternal { return follow(call, before, place, slot, at: instant) }
        let other = call.isOutgoing ? calls[place].callee : calls[place].caller
        guard case .outsider = other, !cast.isBuiltIn(other) else { return }
        if call.hasConnected, !calls[place].isAnswered {
            calls[place].isAnswered = true
            if call.isOutgoing { deeds.add(other, .answered, place, at: instant) }
        }
        if isOver {
            guard let kind = end(call, place) else { return }
            deeds.add(other, kind, place, at: instant)
        } else if call.remoteIsOnHold != (before?.remoteIsOnHold ?? false), !call.hasEnded {
            deeds.add(other, call.remoteIsOnHold ? .held : .resumed, place, at: instant)
        }
    }

    /// Processes a call that the scenario does not contain yet: it rings from outside, or predates the recording.
    private mutating func appear(
        _ call: CallSnapshot,
        _ slot: Int,
        at instant: Instant,
        _ deeds: inout OutsiderDeeds
    ) {
        let end = End(account: cast.slots[slot].account, uuid: call.uuid)
        guard !call.isOutgoing, call.state == .ringing, !unknown.contains(end) else {
            if unknown.insert(end).inserted, !call.hasEnded {
                note("a call that was there before the recording began")
            }
            return
        }
        let (caller, callee) = (cast.person(call.remoteHandle), Person.account(end.account))
        let name = CallName(Names.call(number: calls.count))
        if call.isExternal {
            let update = CallUpdate(call.capabilities, since: CallCapabilities())
            let report = Report.incoming(.handle(call.remoteHandle), name, update)
            step(.report(cast.who(slot), report, refusal: nil), at: instant)
        } else {
            let action = SpokenAction.call(cast.target(callee), name, isVideo: call.hasVideo)
            step(.transaction(cast.who(caller), [action], refusal: nil), at: instant)
            deeds.add(caller, .began, calls.count, at: instant)
        }
        begin(caller, callee, isExternal: call.isExternal, end)
    }

    /// Adds the reports of an external call, which its owner carries itself.
    private mutating func follow(
        _ call: CallSnapshot,
        _ before: CallSnapshot?,
        _ place: Int,
        _ slot: Int,
        at instant: Instant
    ) {
        let name = calls[place].name
        guard let before else { return }
        let who = cast.who(slot)
        if call.isOutgoing, call.startedConnectingAt != nil, before.startedConnectingAt == nil {
            step(.report(who, .connecting(name), refusal: nil), at: instant)
        }
        if call.isOutgoing, call.hasConnected, !before.hasConnected {
            step(.report(who, .connected(name), refusal: nil), at: instant)
        }
        if call.hasEnded, !before.hasEnded, let reason = call.endedReason, call.cause == nil {
            step(.report(who, .ended(name, reason), refusal: nil), at: instant)
        }
    }

    /// Returns the way in which an unrecorded party ended a call; nil: it did not.
    private mutating func end(_ call: CallSnapshot, _ place: Int) -> OutsiderDeeds.Kind? {
        switch (call.endedReason, call.cause) {
        case (.remoteEnded?, .declined?): return .declined
        case (.remoteEnded?, nil), (.remoteEnded?, .cancelled?): return .ended
        case (.failed?, .connectionLost?):
            needsGrace = true
            return .dropped
        case (.remoteEnded?, .busy?):
            note("why \(calls[place].name) found its callee busy, who was not recorded")
            return nil
        default: return nil
        }
    }

    /// Records the cause of a call's end, and the hub's settings that it depends on.
    private mutating func noteEnd(_ call: CallSnapshot, _ place: Int) {
        calls[place].cause = calls[place].cause ?? call.cause
        if call.endedReason == .unanswered { needsRingTimeout = true }
        switch (call.endedReason, call.cause) {
        case (_, .actionFailed?), (_, .providerInvalidated?), (_, .shutdown?), (_, .administrator?),
            (.failed?, .timeout?):
            calls[place].isEndedByHand = true
        default: break
        }
    }

    /// Adds a step that ends each call whose actual cause no step can reproduce, so that the scenario can continue.
    mutating func endByHand(_ told: [(slot: Int, news: RecordedNews)]) {
        var done: Set<Int> = []
        for (slot, news) in told {
            guard case .told(.callChanged(let call)) = news.content, call.hasEnded,
                let place = place(of: View(slot: slot, uuid: call.uuid)), calls[place].isEndedByHand,
                done.insert(place).inserted
            else { continue }
            let name = calls[place].name
            note("why \(name) ended: \(call.cause?.rawValue ?? ""); here somebody ends it")
            step(.transaction(cast.who(slot), [.end(name)], refusal: nil), at: news.at)
        }
    }

    // MARK: Steps

    /// Adds the actions of unrecorded parties, one step for each party.
    mutating func perform(_ deeds: OutsiderDeeds) {
        guard let at = deeds.at else { return }
        for person in deeds.people {
            if let deed = deed(of: person, deeds) { step(deed, at: at) }
        }
    }

    private mutating func deed(of person: Person, _ deeds: OutsiderDeeds) -> Deed? {
        let who = cast.who(person)
        func names(_ kind: OutsiderDeeds.Kind) -> [CallName] { deeds.places(person, kind).map { calls[$0].name } }
        let (ended, held, resumed) = (names(.ended), names(.held), names(.resumed))
        if !names(.dropped).isEmpty { return .connection(who, .drops, refusal: nil) }
        if let call = names(.answered).first {
            let choice: Choice.Name =
                switch (ended.isEmpty, held.isEmpty) {
                case (true, true): .accept
                case (true, false): .holdAndAccept
                case (false, true): .endAndAccept
                case (false, false): .endHeldAndAccept
                }
            let isAlone = choice != .accept || !isBusy(person, besides: call)
            return isAlone ? .choose(who, choice, call) : .transaction(who, [.answer(call)], refusal: nil)
        }
        if let call = names(.declined).first { return .choose(who, .decline, call) }
        // The hub itself resumes a call when another one ends, and holds one when another begins: no step is needed.
        if !ended.isEmpty { return .transaction(who, ended.map { .end($0) }, refusal: nil) }
        if !names(.began).isEmpty { return nil }
        if let first = held.first, let second = resumed.first { return .swap(who, first, second) }
        let actions = held.map { SpokenAction.setHeld($0, true) } + resumed.map { .setHeld($0, false) }
        return actions.isEmpty ? nil : .transaction(who, actions, refusal: nil)
    }

    /// Indicates that an unrecorded party has another ongoing call.
    private func isBusy(_ person: Person, besides name: CallName) -> Bool {
        views.contains { view, call in
            guard !call.hasEnded, let place = place(of: view), calls[place].name != name else { return false }
            return calls[place].caller == person || (calls[place].callee == person && calls[place].isAnswered)
        }
    }
}

extension CallUpdate {
    /// Creates an update with the capabilities that have changed.
    fileprivate init(_ now: CallCapabilities, since before: CallCapabilities) {
        self.init()
        func news(_ path: KeyPath<CallCapabilities, Bool>) -> Bool? {
            now[keyPath: path] == before[keyPath: path] ? nil : now[keyPath: path]
        }
        supportsHolding = news(\.supportsHolding)
        supportsGrouping = news(\.supportsGrouping)
        supportsUngrouping = news(\.supportsUngrouping)
        supportsDTMF = news(\.supportsDTMF)
    }
}
