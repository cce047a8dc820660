import HubEngine
import HubWire

/// Steps from the actions of recorded users.
extension StoryWriter {
    /// Processes an event of a session.
    mutating func takeSession(_ news: RecordedNews, _ slot: Int) {
        if case .told(.didBegin(let configuration)) = news.content, cast.slots[slot].configuration == nil {
            cast.slots[slot].configuration = configuration
        }
        guard case .session(let what) = news.content else { return }
        switch what {
        case .opened:
            // A recorder that reconnects receives the open sessions again.
            guard !cast.slots[slot].isOpen else { return }
            if !lines.isEmpty {
                if !cast.slots[slot].wasOpen { cast.slots[slot].isLate = true }
                step(.connection(cast.who(slot), .signsIn, refusal: nil), at: news.at)
            }
            (cast.slots[slot].isOpen, cast.slots[slot].wasOpen, cast.slots[slot].isLost) = (true, true, false)
        case .lost:
            step(.connection(cast.who(slot), .drops, refusal: nil), at: news.at)
            cast.slots[slot].isLost = true
        case .resumed:
            step(.connection(cast.who(slot), .resumes, refusal: nil), at: news.at)
            cast.slots[slot].isLost = false
        case .closed:
            // The hub ends the session of a lost connection.
            if cast.slots[slot].isLost {
                needsGrace = true
            } else if cast.slots[slot].isOpen {
                step(.connection(cast.who(slot), .leaves, refusal: nil), at: news.at)
            }
            cast.slots[slot].isOpen = false
        }
    }

    /// Adds an action of a user to the step of its transaction.
    mutating func takeAction(_ news: RecordedNews, _ slot: Int) {
        switch news.content {
        case .told(.perform(let transaction, let action, _, .user, _)):
            if !offered.contains(transaction) { take(action, of: transaction, slot, at: news.at) }
        case .told(.execute(let transaction, let actions)):
            // A client that is offered a whole transaction may handle it whole; then its actions are not notified.
            offered.insert(transaction)
            for action in actions { take(action, of: transaction, slot, at: news.at) }
        default: break
        }
    }

    private mutating func take(_ action: Action, of transaction: TransactionUUID, _ slot: Int, at instant: Instant) {
        if case .start(let handle, _, _, let isExternal) = action.kind {
            let end = End(account: cast.slots[slot].account, uuid: action.callUUID)
            begin(.account(end.account), cast.person(handle), isExternal: isExternal, end)
        }
        guard name(of: action.callUUID, slot) != nil else {
            return note("what was done to a call that was there before the recording began")
        }
        if var asked = transactions[transaction] {
            asked.actions.append(action)
            transactions[transaction] = asked
            lines[asked.line].deed = deed(asked)
        } else {
            var asked = Asked(line: 0, slot: slot, actions: [action], calls: liveCalls(of: slot))
            step(deed(asked), at: instant)
            asked.line = lines.count - 1
            transactions[transaction] = asked
        }
    }

    /// Returns the step of a transaction: a choice or a swap if its actions match one.
    private mutating func deed(_ asked: Asked) -> Deed {
        let who = cast.who(asked.slot)
        let plain = asked.actions.map { ($0.callUUID, $0.kind) }
        let offered = asked.calls.flatMap(\.choices).first { choice in
            choice.actions.count == plain.count
                && zip(choice.actions, plain).allSatisfy { $0.callUUID == $1.0 && $0.kind == $1.1 }
        }
        if let offered, let last = plain.last, let call = name(of: last.0, asked.slot) {
            return .choose(who, offered.name, call)
        }
        if plain.count == 2, plain[0].1 == .setHeld(true), plain[1].1 == .setHeld(false),
            let first = name(of: plain[0].0, asked.slot), let second = name(of: plain[1].0, asked.slot)
        {
            let others = asked.calls.filter { $0.state == .held || $0.state == .connected }
            return others.count == 2 ? .swap(who, nil, nil) : .swap(who, first, second)
        }
        return .transaction(who, spoken(asked.actions, asked.slot), refusal: nil)
    }

    /// Returns actions as lines contain them; consecutive digits, each of which is an action, are joined.
    private mutating func spoken(_ actions: [Action], _ slot: Int) -> [SpokenAction] {
        var spoken: [SpokenAction] = []
        for action in actions {
            guard let next = self.spoken(action, slot) else { continue }
            if case .key(let digits, let call) = next, case .key(let before, call)? = spoken.last {
                spoken[spoken.count - 1] = .key(before + digits, call)
            } else {
                spoken.append(next)
            }
        }
        return spoken
    }

    private mutating func spoken(_ action: Action, _ slot: Int) -> SpokenAction? {
        guard let name = name(of: action.callUUID, slot) else { return nil }
        switch action.kind {
        case .start(let handle, let isVideo, _, _):
            return .call(cast.target(cast.person(handle)), name, isVideo: isVideo)
        case .answer: return .answer(name)
        case .end: return .end(name)
        case .endHere: return .endHere(name)
        case .setHeld(let isHeld): return .setHeld(name, isHeld)
        case .setMuted(let isMuted): return .setMuted(name, isMuted)
        case .setGroup(let other?):
            guard let other = self.name(of: other, slot) else { return nil }
            return .setGroup(name, with: other)
        case .setGroup(nil): return .setGroup(name, with: nil)
        case .playDTMF(let digits, let type):
            let pause = type == .singleTone ? "" : type == .softPause ? "," : ";"
            return .key(pause + digits.filter { $0 != "," && $0 != ";" }, name)
        case .pull: return .pull(name)
        case .setTranslating(let isOn, let local, let remote):
            return .setTranslating(name, isOn, from: local, to: remote)
        case .unknown: return nil
        }
    }
}
