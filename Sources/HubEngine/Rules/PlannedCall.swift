/// A call as the transaction rules see it: a scratch copy on which a request is validated before it takes effect.
struct PlannedCall {
    var uuid: CallUUID
    var phase: CallPhase
    var capabilities: CallCapabilities
    /// Calls with the same number are merged; a single call has a number of its own.
    var group: Int
}

/// A call on another device of the account, which this device may pull.
struct OtherDeviceCall {
    var call: PlannedCall
    /// True if the call's other end is on this device.
    var isWithThisDevice: Bool
    /// True if the device that the call is on carries the audio.
    var isExternal: Bool
}

/// An action that a transaction will perform.
struct PlannedAction {
    var kind: ActionKind
    var callUUID: CallUUID
    var origin: ActionOrigin
    /// The identifier that the client has given the action, if any.
    var uuid: ActionUUID?
    /// True if its effect comes with that of a later action.
    var isDeferred = false
    /// The other session on the machine whose call it ends; nil: it is an action on the session's own call.
    var companion: SessionID?
    /// The parties of a transfer; nil: it is another action.
    var transfer: PreparedTransfer?
}

extension [PlannedCall] {
    /// The calls by groups, in the order of each group's first call.
    var byGroup: [[PlannedCall]] {
        var groups: [[PlannedCall]] = []
        for call in self {
            if let position = groups.firstIndex(where: { $0[0].group == call.group }) {
                groups[position].append(call)
            } else {
                groups.append([call])
            }
        }
        return groups
    }

    /// The number of groups, a single call being one.
    var groupCount: Int {
        indices.count { index in !self[..<index].contains { $0.group == self[index].group } }
    }

    /// True if all calls of a group can be held: they are active and support holding.
    var isHoldable: Bool {
        allSatisfy { $0.phase == .active && $0.capabilities.supportsHolding }
    }
}
