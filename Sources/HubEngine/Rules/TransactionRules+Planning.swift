/// The changes of the scratch copy.
extension TransactionRules {
    /// Holds or ends the calls that have the user's attention, before `uuids` get it.
    ///
    /// With `holdingIsLimited`, a call is ended instead of held if holding it would leave more groups than the provider
    /// takes (the choices shrink, callkit-semantics.md 2.5). A start does not need it: its number of calls is always
    /// checked.
    mutating func holdOrEndActiveCalls(for uuids: [CallUUID], holdingIsLimited: Bool) {
        for group in competingCalls(of: uuids) {
            let staying = calls.filter { $0.phase != .ringing || uuids.contains($0.uuid) }
            let hasCapacity = staying.groupCount <= provider.maximumCallGroups
            if group.isHoldable, hasCapacity || !holdingIsLimited {
                setPhase(.held, ofGroup: group[0].group)
                plan.append(PlannedAction(kind: .setHeld(true), callUUID: group[0].uuid, origin: .system))
            } else {
                for call in group {
                    calls.removeAll { $0.uuid == call.uuid }
                    plan.append(PlannedAction(kind: .end, callUUID: call.uuid, origin: .system))
                }
            }
        }
    }

    /// Returns the calls that have the user's attention and are not among `uuids`, by groups.
    func competingCalls(of uuids: [CallUUID]) -> [[PlannedCall]] {
        let obstacles = calls.filter { call in
            guard !uuids.contains(call.uuid) else { return false }
            switch call.phase {
            case .answering, .outgoing, .active: return true
            case .ringing, .held: return false
            }
        }
        return obstacles.byGroup
    }

    /// Returns all calls of a call's group, itself included.
    func members(of call: PlannedCall) -> [PlannedCall] {
        calls.filter { $0.group == call.group }
    }

    /// A number that is not used by any group.
    var unusedGroup: Int { (calls.map(\.group).max() ?? 0) + 1 }

    mutating func setPhase(_ phase: CallPhase, of uuid: CallUUID) {
        for position in calls.indices where calls[position].uuid == uuid { calls[position].phase = phase }
    }

    mutating func setPhase(_ phase: CallPhase, ofGroup group: Int) {
        for position in calls.indices where calls[position].group == group { calls[position].phase = phase }
    }

    mutating func setGroup(_ group: Int, of uuid: CallUUID) {
        for position in calls.indices where calls[position].uuid == uuid { calls[position].group = group }
    }

    func position(of uuid: CallUUID, index: Int) throws(Refusal) -> Int {
        guard let position = calls.firstIndex(where: { $0.uuid == uuid }) else {
            throw Refusal(
                .requestTransaction(.unknownCallUUID),
                "this device has no call with this callUUID; its calls are in data.calls",
                actionIndex: index
            )
        }
        return position
    }
}

extension Refusal: Error {
    /// CXErrorCodeRequestTransactionError.invalidAction.
    static func invalid(_ message: String, _ index: Int) -> Refusal {
        Refusal(.requestTransaction(.invalidAction), message, actionIndex: index)
    }
}
