import HubEngine
import HubServer
import HubWire

/// DTMF digits, which are played at once, after a pause, or on their user's confirmation.
extension StoryWriter {
    /// Processes received digits of earlier actions, and the digits that are to be played now.
    ///
    /// Their steps precede the other effects of an event, since the following digits are performed in the same event.
    ///
    /// - Parameter told: The effects of the event.
    /// - Returns: The indices in `told` of the received digits that are processed.
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
                // A recorded device at the other end would have received digits that were played.
                settle(view, isHeardByRecorded(view) ? .fails : .fulfills, at: news.at)
                keys[view] = isFulfilled ? nil : action
            case .timedOutPerforming(let action): keys[View(slot: slot, uuid: action.callUUID)] = nil
            case .callChanged(let call):
                // The hub discards pending digits with a hold or an end.
                if call.state != .connected { keys[View(slot: slot, uuid: call.uuid)] = nil }
            default: break
            }
        }
        return late
    }

    /// Removes the digits that a device was to play; for those after a `;` adds the user's response as a step.
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

    /// Processes received digits; for an unrecorded sender adds the step that keys them.
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

    /// Adds an expectation of the digits that each device received since the last step, joined in one line.
    mutating func expectDigits() {
        let slots = keyed.map(\.slot).reduce(into: [Int]()) { if !$0.contains($1) { $0.append($1) } }
        for slot in slots where cast.slots[slot].isOpen && !cast.slots[slot].isLost {
            let told = keyed.filter { $0.slot == slot }
            var within = patience(until: lastDigits)
            // The pause's length may differ between the recorded hub and another one.
            if told.contains(where: \.waits) { within = max(within ?? .zero, Self.longestPause) }
            expect(.isTold(cast.who(slot), .digits(told.map(\.digits).joined())), within: within)
        }
        keyed = []
    }

    /// The default soft pause plus the default patience of a scenario, 2 s.
    private static var longestPause: Duration { HubWishes().settings.softPause + .seconds(2) }
}
