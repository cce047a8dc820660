/// Merge, split, dissolve (callkit.md 2.7; rows CK-47 to CK-50).
extension Engine {
    /// Merges a call with another of its device, or takes it out of its group.
    mutating func setGroup(_ call: CallID, with other: CallID?) {
        guard let other else { return split(call) }
        guard let joining = calls[call], let joined = calls[other], other != call,
            joining.group == nil || joining.group != joined.group
        else { return }
        let left = otherGroupMembers(of: call)
        let group = joined.group ?? identifiers.identifier()
        calls[call]?.group = group
        calls[other]?.group = group
        let newcomers = joined.group == nil ? [call, other] : [call]
        regroup(members(with: call), newcomers: newcomers, left: left, of: joining.session)
    }

    private mutating func split(_ call: CallID) {
        let left = otherGroupMembers(of: call)
        guard !left.isEmpty, let leaving = calls[call] else { return }
        calls[call]?.group = nil
        regroup([call], newcomers: [call], left: left, of: leaving.session)
    }

    /// Makes the members the active calls, holds the others, and dissolves a group of one.
    ///
    /// All of it happens at once, then the notifications are sent.
    private mutating func regroup(
        _ members: [CallID],
        newcomers: [CallID],
        left: [CallID],
        of session: SessionID
    ) {
        let resumed = members.filter { calls[$0]?.isOnHold == true }
        for member in members { calls[member]?.isOnHold = false }
        let displaced = displace(besides: members)
        let isDissolved = left.count == 1
        if isDissolved { calls[left[0]]?.group = nil }
        // A call that was a member already and was not held has not changed.
        for member in members where newcomers.contains(member) || resumed.contains(member) { changed(member) }
        if isDissolved, !displaced.contains(where: { $0.calls.contains(left[0]) }) { changed(left[0]) }
        notify(displaced, of: session)
        reconcileAudio(of: session)
        for member in resumed { notifyOtherParty(of: member) }
    }

    /// Dissolves the group that an ended call has left, if only one call remains in it.
    mutating func leaveGroup(_ group: GroupUUID?, of session: SessionID) {
        guard let group else { return }
        let left = calls(of: session).filter { self.group(of: $0) == group }
        guard left.count == 1, let last = left.first else { return }
        calls[last]?.group = nil
        changed(last)
    }
}
