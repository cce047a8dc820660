/// The participants of a group's conversation, and their notification (row CH-01).
///
/// They follow the audio topology, mute and hold apart: a held group has the same members. A call lists those whom its
/// owner could hear over the call's group, or who could hear the owner, but for the call's own remote party.
extension Engine {
    /// The other end of a call.
    enum RemoteParty: Hashable {
        /// A device.
        case device(SessionID)
        /// A built-in party, or one outside the hub; it is in one conversation only.
        case outside(ConversationID)
    }

    /// A remote party, and the call that describes it.
    struct DescribedParty {
        var party: RemoteParty
        var call: CallID
        /// True if it is the remote party of a call of the same device.
        var isDirect: Bool
    }

    /// Returns the participants of a call that it shares a group's conversation with; empty: it shares none.
    func participants(of id: CallID) -> [CallParticipant] {
        guard isShared(id) else { return [] }
        return describedParties(besides: id).compactMap { participant($0) }
    }

    /// Returns the parties besides a call's owner and remote party, each once, those of the owner's own calls first.
    func describedParties(besides id: CallID) -> [DescribedParty] {
        guard let session = session(of: id) else { return [] }
        var known: Set<RemoteParty> = [.device(session)]
        // A transferred call has no other party while it rings.
        if let remote = remoteParty(of: id) { known.insert(remote) }
        var found: [DescribedParty] = []
        let members = members(with: id)
        for member in members {
            guard let party = remoteParty(of: member), known.insert(party).inserted else { continue }
            found.append(DescribedParty(party: party, call: member, isDirect: true))
        }
        for member in members {
            guard let other = otherCall(than: member) else { continue }
            // The audio of an external call goes no further than the device that carries it.
            for mate in otherGroupMembers(of: other) where !isExternalCall(mate) {
                guard let party = remoteParty(of: mate), known.insert(party).inserted else { continue }
                found.append(DescribedParty(party: party, call: mate, isDirect: false))
            }
        }
        return found
    }

    /// Indicates that a call's owner or remote party has merged the call with others.
    private func isShared(_ id: CallID) -> Bool {
        group(of: id) != nil || otherCall(than: id).flatMap { group(of: $0) } != nil
    }

    private func remoteParty(of id: CallID) -> RemoteParty? {
        guard let conversation = conversation(of: id), case .connected(let farEnd) = phase(of: conversation) else {
            return nil
        }
        guard case .call = farEnd, !isExternal(conversation) else { return .outside(conversation) }
        return otherCall(than: id).flatMap { session(of: $0) }.map { .device($0) }
    }

    private func isExternalCall(_ id: CallID) -> Bool { conversation(of: id).map { isExternal($0) } ?? false }

    private func participant(_ described: DescribedParty) -> CallParticipant? {
        guard let call = calls[described.call] else { return nil }
        if described.isDirect {
            // A caller without a handle has no name either (row CK-08).
            if call.nameSource == .hidden { return .hidden }
            return CallParticipant(handle: call.remoteHandle, name: call.shownName, nameSource: call.nameSource)
        }
        if isHiddenInGroups(oppositeTo: described.call) { return .hidden }
        if let name = call.overridingName {
            return CallParticipant(handle: call.remoteHandle, name: name, nameSource: .caller)
        }
        if let name = call.guestName {
            return CallParticipant(handle: call.remoteHandle, name: name, nameSource: .guest)
        }
        // The name that the group's owner has for a third party is not disclosed to the group's members.
        return CallParticipant(
            handle: call.remoteHandle,
            name: call.remoteHandle.value,
            nameSource: .handle,
            naming: .byDriver(account: accountName(oppositeTo: described.call))
        )
    }

    private func accountName(oppositeTo id: CallID) -> String? {
        otherCall(than: id).flatMap { session(of: $0) }.flatMap { accountName(of: $0) }
    }

    // MARK: Hidden accounts

    /// Indicates that the account at the other end of a call does not want to be named to third parties.
    func isHiddenInGroups(oppositeTo id: CallID) -> Bool {
        guard let session = otherCall(than: id).flatMap({ session(of: $0) }), let account = account(of: session)
        else { return false }
        return accounts[account]?.isHiddenInGroups == true
    }

    /// Shows an account to the other members of groups from now on, or hides it.
    mutating func setGroupNaming(of name: String, _ isNamed: Bool) {
        guard let account = account(named: name), isHidden(account) == isNamed else { return }
        accounts[account]?.isHiddenInGroups = !isNamed
        for session in sessions(of: account) {
            for call in calls(of: session) { noteParticipantsChange(around: call) }
            // The handle and name are part of the other members' audio sources too.
            reconcileAudio(of: session)
        }
    }

    private func isHidden(_ account: AccountID) -> Bool { accounts[account]?.isHiddenInGroups == true }

    // MARK: Changes

    /// Notes the calls whose participants a change of a call may change; to be called before and after it.
    mutating func noteParticipantsChange(around id: CallID) {
        guard isShared(id) else { return }
        noteListeners(of: id)
        if let other = otherCall(than: id) { noteListeners(of: other) }
    }

    /// Notes a call with its group, and the calls at their other ends with theirs.
    private mutating func noteListeners(of id: CallID) {
        for member in members(with: id) {
            callsToRecheck.append(member)
            if let other = otherCall(than: member) { callsToRecheck.append(contentsOf: members(with: other)) }
        }
    }

    /// Sends each noted call whose participants differ from those last sent.
    mutating func notifyChangedParticipants() {
        let noted = callsToRecheck
        callsToRecheck.removeAll(keepingCapacity: true)
        for call in noted {
            guard let last = lastParticipants(of: call), last != participants(of: call) else { continue }
            notifyChange(call)
        }
    }

    /// Returns the participants last sent to a call's owner; nil: the call is over.
    func lastParticipants(of call: CallID) -> [CallParticipant]? { calls[call]?.participants }
}
