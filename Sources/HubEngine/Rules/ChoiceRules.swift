/// What a ringing call offers, beside the device's other calls (callkit.md 2.5, row CK-38).
///
/// A group counts as one call: it is held by one action on any of its calls, and ended by one on each.
enum ChoiceRules {
    /// The transactions to choose from, the friendliest first; `decline` always comes last.
    ///
    /// - Parameters:
    ///   - uuid: the call that rings.
    ///   - others: the device's other calls that do not ring.
    ///   - limit: the provider's `maximumCallGroups`.
    /// - Returns: one choice at least, `decline`.
    static func choices(for uuid: CallUUID, beside others: [PlannedCall], limit: Int) -> [Choice] {
        let answer = ActionRequest(callUUID: uuid, kind: .answer)
        let decline = Choice(name: .decline, actions: [ActionRequest(callUUID: uuid, kind: .end)])
        guard !others.isEmpty else { return [Choice(name: .accept, actions: [answer]), decline] }
        let groups = others.byGroup
        let hasRoom = groups.count < limit
        let held = groups.first { $0[0].phase == .held }
        // A provider may be configured to take fewer than the device has: then one less may still be one too many.
        let heldCount = groups.count { $0[0].phase == .held }
        func end(_ group: [PlannedCall]) -> [ActionRequest] {
            group.map { ActionRequest(callUUID: $0.uuid, kind: .end) }
        }
        func hold(_ group: [PlannedCall]) -> [ActionRequest] {
            [ActionRequest(callUUID: group[0].uuid, kind: .setHeld(true))]
        }

        var choices: [Choice] = []
        if let busy = groups.first(where: { $0[0].phase != .held }) {
            if busy.isHoldable, hasRoom {
                choices.append(Choice(name: .holdAndAccept, actions: hold(busy) + [answer]))
            }
            guard heldCount < limit else { return [decline] }
            choices.append(Choice(name: .endAndAccept, actions: end(busy) + [answer]))
            if busy.isHoldable, !hasRoom, let held {
                choices.append(Choice(name: .endHeldAndAccept, actions: end(held) + hold(busy) + [answer]))
            }
        } else if let held {
            // As iOS has it: the hold of a held call is no change.
            if hasRoom { choices.append(Choice(name: .holdAndAccept, actions: hold(held) + [answer])) }
            guard heldCount <= limit else { return [decline] }
            choices.append(Choice(name: .endHeldAndAccept, actions: end(held) + [answer]))
        }
        return choices + [decline]
    }
}
