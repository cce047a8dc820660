import HubEngine
import HubServer
import HubWire

/// Digits: played one after the other, at once, after a pause, or when their user says so.
extension StoryWriter {
    /// Digits that came of what was keyed earlier, and what follows from what now is to be played.
    ///
    /// They belong in front of what else one event has caused: the digits behind them are performed in the same one.
    ///
    /// - Parameter told: What the event has caused.
    /// - Returns: Where in that the digits stand that are dealt with.
    mutating func takeKeys(_ told: [(slot: Int, news: RecordedNews)]) -> Set<Int> {
        var late: Set<Int> = []
        for (index, (slot, news)) in told.enumerated() {
            guard case .told(.dtmf(let uuid, let digits, let type)) = news.content,
                let place = place(of: View(slot: slot, uuid: uuid)),
                let (view, _) = keys.first(where: { view, action in
                    action.kind == .playDTMF(digits: digits, type: type) && view.slot != slot
                        && self.place(of: view) == place
                })
            else { continue }
            settle(view, .fulfills, at: news.at)
            hear(digits, type, on: uuid, slot, at: news.at)
            late.insert(index)
        }
        for (slot, news) in told {
            guard case .told(let notification) = news.content else { continue }
            switch notification {
            case .perform(_, let action, _, _, let isFulfilled):
                guard case .playDTMF = action.kind else { continue }
                let view = View(slot: slot, uuid: action.callUUID)
                // Who is recorded would have been told of digits that were played.
                settle(view, isHeardByRecorded(view) ? .fails : .fulfills, at: news.at)
                keys[view] = isFulfilled ? nil : action
            case .timedOutPerforming(let action): keys[View(slot: slot, uuid: action.callUUID)] = nil
            case .callChanged(let call):
                // With a hold or an end the hub drops them.
                if call.state != .connected { keys[View(slot: slot, uuid: call.uuid)] = nil }
            default: break
            }
        }
        return late
    }

    /// The digits that a device was to play are done with: for those after a `;` its user has said so.
    private mutating func settle(_ view: View, _ settling: Settling, at instant: Instant) {
        guard case .playDTMF(_, let type)? = keys.removeValue(forKey: view)?.kind, type == .hardPause,
            let name = name(of: view.uuid, view.slot)
        else { return }
        step(.settle(cast.who(view.slot), settling, .key, name), at: instant)
    }

    private func isHeardByRecorded(_ view: View) -> Bool {
        guard let place = place(of: view), let call = views[view], !calls[place].isExternal else { return false }
        if case .account = call.isOutgoing ? calls[place].callee : calls[place].caller { return true }
        return false
    }

    /// Digits came: from somebody who is recorded they have been told already.
    mutating func hear(_ digits: String, _ type: DTMFType, on uuid: CallUUID, _ slot: Int, at instant: Instant) {
        let view = View(slot: slot, uuid: uuid)
        guard let place = place(of: view), let call = views[view] else { return }
        let other = call.isOutgoing ? calls[place].callee : calls[place].caller
        var waits = type == .softPause
        if case .outsider = other {
            step(.transaction(cast.who(other), [.key(digits, calls[place].name)], refusal: nil), at: instant)
            waits = false
        }
        keyed.append((slot, digits, waits))
        lastDigits = instant
    }

    /// Says what was keyed to each device since the last step; digits that came one by one are one line.
    mutating func expectDigits() {
        let slots = keyed.map(\.slot).reduce(into: [Int]()) { if !$0.contains($1) { $0.append($1) } }
        for slot in slots where cast.slots[slot].isOpen && !cast.slots[slot].isLost {
            let told = keyed.filter { $0.slot == slot }
            var within = patience(until: lastDigits)
            // How long a pause was at the recorded hub is not how long it is at another one.
            if told.contains(where: \.waits) { within = max(within ?? .zero, Self.longestPause) }
            expect(.isTold(cast.who(slot), .digits(told.map(\.digits).joined())), within: within)
        }
        keyed = []
    }

    /// The usual pause, and the patience of a scenario.
    private static var longestPause: Duration { HubWishes().settings.softPause + .seconds(2) }
}
