/// What a ringing call offers, beside the device's other calls (callkit.md 2.5, row CK-38).
enum ChoiceRules {
    /// The transactions to choose from, the friendliest first; `decline` always comes last.
    ///
    /// - Parameters:
    ///   - uuid: the call that rings.
    ///   - calls: all calls of the device, this one included.
    ///   - limit: the provider's `maximumCallGroups`.
    /// - Returns: one choice at least, `decline`.
    static func choices(for uuid: CallUUID, among calls: [PlannedCall], limit: Int) -> [Choice] {
        let others = calls.filter { $0.uuid != uuid && $0.phase != .ringing }
        let busy = others.first { $0.phase != .held }
        let held = others.filter { $0.phase == .held }
        let hasRoom = others.count < limit
        let answer = ActionRequest(callUUID: uuid, kind: .answer)
        func end(_ call: PlannedCall) -> ActionRequest { ActionRequest(callUUID: call.uuid, kind: .end) }
        func hold(_ call: PlannedCall) -> ActionRequest { ActionRequest(callUUID: call.uuid, kind: .setHeld(true)) }

        var choices: [Choice] = []
        if let busy {
            let isHoldable = busy.phase == .active && busy.capabilities.supportsHolding
            if isHoldable, hasRoom {
                choices.append(Choice(name: .holdAndAccept, actions: [hold(busy), answer]))
            }
            choices.append(Choice(name: .endAndAccept, actions: [end(busy), answer]))
            if isHoldable, !hasRoom, let first = held.first {
                choices.append(Choice(name: .endHeldAndAccept, actions: [end(first), hold(busy), answer]))
            }
        } else if let first = held.first {
            // As iOS has it: the hold of a held call is no change.
            if hasRoom { choices.append(Choice(name: .holdAndAccept, actions: [hold(first), answer])) }
            choices.append(Choice(name: .endHeldAndAccept, actions: [end(first), answer]))
        } else {
            choices.append(Choice(name: .accept, actions: [answer]))
        }
        choices.append(Choice(name: .decline, actions: [ActionRequest(callUUID: uuid, kind: .end)]))
        return choices
    }
}
