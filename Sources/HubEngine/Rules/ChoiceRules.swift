/// The rules for the choices of a ringing call, given the device's other calls (callkit-semantics.md 2.5, row CK-38).
///
/// A group counts as one call: it is held by one action on any of its calls, and ended by one on each.
enum ChoiceRules {
    /// Returns the choices while a call of another session on the machine has the user's attention.
    ///
    /// Holding that call needs no action: the answer does it.
    ///
    /// - Parameters:
    ///   - uuid: The call that rings.
    ///   - busy: The calls of the other sessions that have the attention, by groups; not empty.
    ///   - others: The device's own calls that do not ring; all of them are held.
    ///   - caller: The caller's call, which is not offered to be ended: nobody would be left to be answered.
    ///   - limit: The provider's `maximumCallGroups`.
    /// - Returns: At least one choice, `decline`.
    static func choices(
        for uuid: CallUUID,
        besideCompanions busy: [[PlannedCall]],
        and others: [PlannedCall],
        caller: CallUUID?,
        limit: Int
    ) -> [Choice] {
        let answer = ActionRequest(callUUID: uuid, kind: .answer)
        let groups = others.byGroup
        let ends = busy.flatMap { $0 }.map { ActionRequest(callUUID: $0.uuid, kind: .end) }
        var choices: [Choice] = []
        if groups.count < limit {
            if busy.allSatisfy(\.isHoldable) { choices.append(Choice(name: .holdAndAccept, actions: [answer])) }
            if !ends.contains(where: { $0.callUUID == caller }) {
                choices.append(Choice(name: .endAndAccept, actions: ends + [answer]))
            }
        } else if groups.count == limit, let held = groups.first, busy.allSatisfy(\.isHoldable) {
            let ends = held.map { ActionRequest(callUUID: $0.uuid, kind: .end) }
            choices.append(Choice(name: .endHeldAndAccept, actions: ends + [answer]))
        }
        return choices + [Choice(name: .decline, actions: [ActionRequest(callUUID: uuid, kind: .end)])]
    }

    /// Returns the transactions to choose from, the least disruptive first; `decline` is always the last.
    ///
    /// - Parameters:
    ///   - uuid: The call that rings.
    ///   - others: The device's other calls that do not ring.
    ///   - limit: The provider's `maximumCallGroups`.
    /// - Returns: At least one choice, `decline`.
    static func choices(for uuid: CallUUID, beside others: [PlannedCall], limit: Int) -> [Choice] {
        let answer = ActionRequest(callUUID: uuid, kind: .answer)
        let decline = Choice(name: .decline, actions: [ActionRequest(callUUID: uuid, kind: .end)])
        guard !others.isEmpty else { return [Choice(name: .accept, actions: [answer]), decline] }
        let groups = others.byGroup
        let hasCapacity = groups.count < limit
        let held = groups.first { $0[0].phase == .held }
        // A provider may be reconfigured to take fewer groups than the device has: then one less may still be too many.
        let heldCount = groups.count { $0[0].phase == .held }
        func end(_ group: [PlannedCall]) -> [ActionRequest] {
            group.map { ActionRequest(callUUID: $0.uuid, kind: .end) }
        }
        func hold(_ group: [PlannedCall]) -> [ActionRequest] {
            [ActionRequest(callUUID: group[0].uuid, kind: .setHeld(true))]
        }

        var choices: [Choice] = []
        if let busy = groups.first(where: { $0[0].phase != .held }) {
            if busy.isHoldable, hasCapacity {
                choices.append(Choice(name: .holdAndAccept, actions: hold(busy) + [answer]))
            }
            guard heldCount < limit else { return [decline] }
            choices.append(Choice(name: .endAndAccept, actions: end(busy) + [answer]))
            if busy.isHoldable, !hasCapacity, let held {
                choices.append(Choice(name: .endHeldAndAccept, actions: end(held) + hold(busy) + [answer]))
            }
        } else if let held {
            // As on iOS: holding a held call changes nothing.
            if hasCapacity { choices.append(Choice(name: .holdAndAccept, actions: hold(held) + [answer])) }
            guard heldCount <= limit else { return [decline] }
            choices.append(Choice(name: .endHeldAndAccept, actions: end(held) + [answer]))
        }
        return choices + [decline]
    }
}
