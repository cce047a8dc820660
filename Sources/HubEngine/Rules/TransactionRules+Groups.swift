/// Merge and split (callkit-semantics.md 2.7; rows CK-47 to CK-49).
extension TransactionRules {
    mutating func validateGroup(_ uuid: CallUUID, with other: CallUUID?, index: Int) throws(Refusal) {
        let call = try connected(uuid, index: index)
        guard let other else { return try validateSplit(call, index: index) }
        guard other != uuid else { throw .invalid("callUUIDToGroupWith must be another call's UUID, or null", index) }
        try validateMerge(call, with: try connected(other, index: index), index: index)
    }

    /// Plans the un-hold of held members first, by actions whose effect comes with the merge's.
    ///
    /// So no call of the new group is audible to a part of it in between (row CK-47).
    private mutating func validateMerge(
        _ call: PlannedCall,
        with other: PlannedCall,
        index: Int
    ) throws(Refusal) {
        guard call.group != other.group else { return }
        let left = members(of: call).filter { $0.uuid != call.uuid }
        guard call.capabilities.supportsGrouping, left.isEmpty || call.capabilities.supportsUngrouping else {
            throw .invalid("the call does not support \(left.isEmpty ? "grouping" : "leaving its group")", index)
        }
        let joined = members(of: other)
        guard joined.count > 1 || other.capabilities.supportsGrouping else {
            throw .invalid("the call to group with does not support grouping", index)
        }
        guard joined.count < provider.maximumCallsPerCallGroup else {
            let most = provider.maximumCallsPerCallGroup
            throw .invalid(
                "the calls would be a group of \(joined.count + 1), and the provider allows "
                    + (most == 1 ? "no groups (maximumCallsPerCallGroup is 1)" : "\(most) calls in a group"),
                index
            )
        }
        guard left.allSatisfy({ $0.phase == .held }) || left.isHoldable else {
            throw .invalid("a call that stays behind cannot be held", index)
        }
        try moveFocus(for: joined.map(\.uuid) + [call.uuid], excluding: left, index: index)
        resume([call, other], index: index)
        for member in joined { setPhase(.active, of: member.uuid) }
        setPhase(.active, of: call.uuid)
        for member in left { setPhase(.held, of: member.uuid) }
        setGroup(other.group, of: call.uuid)
    }

    /// Makes the call that leaves the group the active one and holds the others (decision D8).
    private mutating func validateSplit(_ call: PlannedCall, index: Int) throws(Refusal) {
        let left = members(of: call).filter { $0.uuid != call.uuid }
        guard !left.isEmpty else { return }
        guard call.capabilities.supportsUngrouping else {
            throw .invalid("the call does not support leaving its group", index)
        }
        guard calls.groupCount < provider.maximumCallGroups else {
            throw Refusal(
                .requestTransaction(.maximumCallGroupsReached),
                "leaving its group, the call would exceed the provider's maximum number of groups; end one first",
                actionIndex: index
            )
        }
        guard left.allSatisfy({ $0.phase == .held }) || left.isHoldable else {
            throw .invalid("a call that stays behind cannot be held", index)
        }
        try moveFocus(for: [call.uuid], excluding: left, index: index)
        resume([call], index: index)
        setPhase(.active, of: call.uuid)
        for member in left { setPhase(.held, of: member.uuid) }
        setGroup(unusedGroup, of: call.uuid)
    }

    private func connected(_ uuid: CallUUID, index: Int) throws(Refusal) -> PlannedCall {
        let call = calls[try position(of: uuid, index: index)]
        guard call.phase.isConnected else {
            throw .invalid("only connected calls can be grouped; this one is \(call.phase.errorText)", index)
        }
        return call
    }

    /// Holds all other calls that have the user's attention first; refuses if one of them cannot be held.
    private mutating func moveFocus(
        for members: [CallUUID],
        excluding left: [PlannedCall],
        index: Int
    ) throws(Refusal) {
        let staying = members + left.map(\.uuid)
        guard competingCalls(of: staying).allSatisfy(\.isHoldable) else {
            throw .invalid("another call is in the way and cannot be held; end it first", index)
        }
        holdOrEndActiveCalls(for: staying, holdingIsLimited: false)
    }

    private mutating func resume(_ held: [PlannedCall], index: Int) {
        for call in held where call.phase == .held && !resumesWithMerge.contains(call.uuid) {
            planDeferred(ActionRequest(callUUID: call.uuid, kind: .setHeld(false)), origin: .system)
        }
    }

    /// Plans an un-hold whose effect comes with a merge.
    mutating func planDeferred(_ request: ActionRequest, origin: ActionOrigin = .user) {
        let held = calls.first { $0.uuid == request.callUUID }
        resumesWithMerge += held.map { members(of: $0).map(\.uuid) } ?? []
        var planned = PlannedAction(kind: request.kind, callUUID: request.callUUID, origin: origin, uuid: request.uuid)
        planned.isDeferred = true
        plan.append(planned)
    }

    /// Indicates that a later action merges held calls with the calls in their way.
    func merges(_ held: [PlannedCall], with obstacles: [[PlannedCall]], after index: Int) -> Bool {
        guard obstacles.count == 1, let groupInTheWay = obstacles.first,
            groupInTheWay.allSatisfy({ $0.phase == .active })
        else {
            return false
        }
        return requests.dropFirst(index + 1).contains { request in
            guard case .setGroup(let other?) = request.kind else { return false }
            func has(_ calls: [PlannedCall], _ uuid: CallUUID) -> Bool { calls.contains { $0.uuid == uuid } }
            return has(held, request.callUUID) && has(groupInTheWay, other)
                || has(groupInTheWay, request.callUUID) && has(held, other)
        }
    }
}
