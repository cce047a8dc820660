/// Merge, split, dissolve (callkit-semantics.md 2.7; rows CK-47 to CK-50).
extension Engine {
    /// Merges a call with another of its device, or takes it out of its group.
    mutating func setGroup(_ call: CallID, with other: CallID?) {
        guard let other else { return split(call) }
        guard let joining = calls[call], let joined = calls[other], other != call,
            joining.group == nil || joining.group != joined.group
        else { return }
        noteParticipantsChange(around: call)
        noteParticipantsChange(around: other)
        let remaining = otherGroupMembers(of: call)
        let group = joined.group ?? identifiers.identifier()
        calls[call]?.group = group
        calls[other]?.group = group
        noteParticipantsChange(around: call)
        let joiningCalls = joined.group == nil ? [call, other] : [call]
        regroup(members(with: call), joiningCalls: joiningCalls, remaining: remaining, of: joining.session)
    }

    private mutating func split(_ call: CallID) {
        let remaining = otherGroupMembers(of: call)
        guard !remaining.isEmpty, let leaving = calls[call] else { return }
        noteParticipantsChange(around: call)
        calls[call]?.group = nil
        regroup([call], joiningCalls: [call], remaining: remaining, of: leaving.session)
    }

    /// Makes the members the active calls, holds the others, and dissolves a group of one.
    ///
    /// All of it happens at once, then the notifications are sent.
    private mutating func regroup(
        _ members: [CallID],
        joiningCalls: [CallID],
        remaining: [CallID],
        of session: SessionID
    ) {
        if !members.contains(where: { hasFocus($0) }) { takeFocusFromCompanions(of: session) }
        let resumed = members.filter { calls[$0]?.isOnHold == true }
        for member in members { calls[member]?.isOnHold = false }
        let displaced = displace(excluding: members, of: session)
        let isDissolved = remaining.count == 1
        if isDissolved { calls[remaining[0]]?.group = nil }
        // Not of a call that was a member already and was not held: it is the same as before.
        for member in members where joiningCalls.contains(member) || resumed.contains(member) { notifyChange(member) }
        if isDissolved, !displaced.contains(where: { $0.calls.contains(remaining[0]) }) { notifyChange(remaining[0]) }
        notify(displaced, of: session)
        reconcileAudio(of: session)
        for member in resumed { notifyOtherParty(of: member) }
    }

    /// Dissolves the group of an ended call, if only one call remains in it.
    mutating func leaveGroup(_ group: GroupUUID?, of session: SessionID) {
        guard let group else { return }
        let remaining = calls(of: session).filter { self.group(of: $0) == group }
        guard remaining.count == 1, let last = remaining.first else { return }
        calls[last]?.group = nil
        notifyChange(last)
    }
}
