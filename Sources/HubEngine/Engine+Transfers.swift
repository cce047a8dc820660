/// Transfers: a device connects a call's other party with somebody else, and leaves (protocol.md, Transferring a call).
///
/// This file has their acceptance and the attended ones (rule CH-05); the blind ones are in Engine+BlindTransfers.
extension Engine {
    // MARK: Acceptance

    /// Returns the parties of a requested transfer as they are now; nil: none is requested, or its calls have no
    /// parties in the hub.
    func preparedTransfer(
        in requests: [ActionRequest],
        of session: SessionID,
        knowing knowledge: LookUpResult?
    ) -> PreparedTransfer? {
        guard let request = requests.first, case .transfer(let target) = request.kind,
            let call = call(request.callUUID, of: session), otherCall(than: call) != nil,
            let conversation = conversation(of: call)
        else { return nil }
        guard case .call(let uuid) = target else { return PreparedTransfer(conversation: conversation) }
        guard let other = self.call(uuid, of: session), let joined = self.conversation(of: other),
            let parties = parties(of: call, other)
        else { return nil }
        return PreparedTransfer(
            conversation: conversation,
            joined: PreparedTransfer.Joined(
                conversation: joined,
                callee: self.callee(in: knowledge, of: parties),
                names: knowledge?.calleeNames ?? KnownNames()
            )
        )
    }

    /// The other ends of two calls that an attended transfer connects with one another.
    private struct Parties {
        /// The party that counts as the caller: block lists, names and Recents are those of a call by this one.
        let caller: CallID
        let callee: CallID
    }

    /// Returns the other ends of two calls.
    ///
    /// A guest counts as the caller: only a caller's name and guest link are shown to the other party.
    private func parties(of call: CallID, _ other: CallID) -> Parties? {
        guard let transferee = otherCall(than: call), let target = otherCall(than: other) else { return nil }
        let isSwapped = isGuest(target) && !isGuest(transferee)
        return isSwapped ? Parties(caller: target, callee: transferee) : Parties(caller: transferee, callee: target)
    }

    /// Returns the callee by what was looked up; nil: not looked up, not the party's account, or one has blocked the
    /// other, or refuses them as a stranger.
    private func callee(in knowledge: LookUpResult?, of parties: Parties) -> Conversation.Callee? {
        guard let knowledge, !knowledge.isCalleeRefused, !refusesTransfer(knowledge),
            case .account(let name, let screeningData) = knowledge.target, let owner = session(of: parties.callee),
            account(named: name) == account(of: owner)
        else { return nil }
        let handle = shownHandle(of: session(of: parties.caller))
        let callee = Conversation.Callee(account: name, callerHandle: handle, knowledge, screeningData)
        return callee.filter == .blocked ? nil : callee
    }

    /// Refuses a transfer that its parties do not allow.
    func checkTransfer(
        in requests: [ActionRequest],
        of session: SessionID,
        knowing knowledge: LookUpResult?
    ) throws(Refusal) {
        guard let request = requests.first, case .transfer(let target) = request.kind else { return }
        guard sessions[session]?.opening.isGuest == false else { throw .invalid("a guest cannot transfer calls", 0) }
        let call = try transferable(request.callUUID, of: session)
        guard case .call(let uuid) = target else {
            guard !isDraining else {
                throw Refusal(.draining, "the hub is about to stop and takes no new calls", actionIndex: 0)
            }
            guard knowledge.map({ refusesTransfer($0, by: accountName(of: session)) }) != true else {
                throw .invalid("the call's other end cannot be connected with the owner of toHandle", 0)
            }
            return
        }
        let other = try transferable(uuid, of: session)
        guard let parties = parties(of: call, other), canJoin(parties) else {
            throw .invalid("the two calls' other ends are on one device; a device cannot call itself", 0)
        }
        guard !isGuest(parties.caller) || !isGuest(parties.callee) else {
            throw .invalid("a guest's call can be transferred to an account of the house alone", 0)
        }
        // Neither party is notified, and no reason given: a blocked caller must not learn of the block (decision D13).
        guard let knowledge else { return }
        guard callee(in: knowledge, of: parties) != nil else {
            throw .invalid("the two calls' other ends cannot be connected with one another", 0)
        }
    }

    /// Returns a call whose other party is a device of the hub.
    private func transferable(_ uuid: CallUUID, of session: SessionID) throws(Refusal) -> CallID {
        guard let call = call(uuid, of: session), let id = conversation(of: call) else {
            throw .invalid("there is no such call", 0)
        }
        guard !isExternal(id) else { throw .invalid("an external call cannot be transferred by the hub", 0) }
        guard otherCall(than: call) != nil else {
            throw .invalid(
                isBeingPlaced(call)
                    ? "the call is being transferred already, and its new other party has not answered yet"
                    : "the call's other end is a built-in party, which cannot be transferred",
                0
            )
        }
        return call
    }

    /// Indicates that two calls can be the ends of one conversation: they are on two devices.
    private func canJoin(_ parties: Parties) -> Bool { session(of: parties.caller) != session(of: parties.callee) }

    func isGuest(_ call: CallID) -> Bool {
        guard let session = session(of: call) else { return false }
        return sessions[session]?.opening.isGuest == true
    }

    /// Indicates that a call's target refuses to be connected with the caller by a transfer, as with a stranger.
    ///
    /// A transferor's own account never does: the caller talks with it already.
    private func refusesTransfer(_ knowledge: LookUpResult, by transferor: String? = nil) -> Bool {
        guard case .account(let account, let screeningData) = knowledge.target, account != transferor else {
            return false
        }
        return screeningData.refusesTransfers
    }

    /// Returns the query that a transfer of a device waits for; nil: none.
    func lookUpBefore(_ plan: [PlannedAction], of session: SessionID) -> LookUp? {
        guard let action = plan.first, case .transfer(let target) = action.kind,
            let call = call(action.callUUID, of: session)
        else { return nil }
        switch target {
        case .handle(let handle): return lookUp(handle, for: otherCall(than: call))
        case .call(let uuid):
            guard let other = self.call(uuid, of: session), let parties = parties(of: call, other) else { return nil }
            return lookUp(shownHandle(of: self.session(of: parties.callee)), for: parties.caller)
        }
    }

    private func lookUp(_ handle: Handle, for caller: CallID?) -> LookUp? {
        guard let session = caller.flatMap({ self.session(of: $0) }), let account = accountName(of: session) else {
            return nil
        }
        return LookUp(handle: handle, caller: account, callerHandle: shownHandle(of: session))
    }

    /// Continues what has waited for a look-up.
    mutating func handle(_ result: LookUpResult, of token: LookUpToken) {
        switch token.purpose {
        case .call(let conversation): invite(result, to: conversation)
        case .transfer(let transfer):
            guard sessions.contains(transfer.session) else { return reply(transfer.request, .refused(.sessionGone)) }
            // Without parties it is refused as any such request is.
            let parties = preparedTransfer(in: [transfer.action], of: transfer.session, knowing: nil)
            guard parties?.conversation ?? transfer.conversation == transfer.conversation,
                parties?.joined?.conversation ?? transfer.joined == transfer.joined
            else {
                let refusal = Refusal.invalid("the other end of one of the calls has changed meanwhile", 0)
                return reply(transfer.request, .refused(refusal))
            }
            accept([transfer.action], from: transfer.session, token: transfer.request, knowing: result)
        }
    }

    // MARK: Performance

    /// Indicates that a transfer's parties are still those for whom it was accepted.
    func canTransfer(_ action: Action, of transaction: TransactionUUID, in session: SessionID) -> Bool {
        guard case .transfer(let target) = action.kind, let call = call(action.callUUID, of: session),
            let prepared = preparedTransfer(of: transaction, in: session), otherCall(than: call) != nil,
            conversation(of: call) == prepared.conversation
        else { return false }
        guard case .call(let uuid) = target else { return true }
        guard let other = self.call(uuid, of: session), let parties = parties(of: call, other),
            conversation(of: other) == prepared.joined?.conversation
        else { return false }
        return canJoin(parties) && otherGroupMembers(of: other).allSatisfy { $0 == call }
    }

    private func preparedTransfer(of transaction: TransactionUUID, in session: SessionID) -> PreparedTransfer? {
        guard let index = transactionIndex(of: transaction, in: session) else { return nil }
        return sessions[session]?.transactions[index].current?.transfer
    }

    /// Performs a transfer.
    ///
    /// - Returns: True if one of the calls that the device has given up had its user's attention.
    mutating func transfer(
        _ uuid: CallUUID,
        _ prepared: PreparedTransfer,
        to target: TransferTarget,
        of session: SessionID
    )
        -> Bool
    {
        guard let call = call(uuid, of: session) else { return false }
        switch target {
        case .handle(let handle):
            let hadFocus = hasFocus(call)
            handOver(call, to: handle)
            return hadFocus
        case .call(let uuid):
            guard let other = self.call(uuid, of: session), let joined = prepared.joined else { return false }
            let hadFocus = hasFocus(call) || hasFocus(other)
            join(call, other, joined)
            return hadFocus
        }
    }

    /// Connects the other parties of two calls with one another: all at once, then the notifications are sent.
    private mutating func join(_ call: CallID, _ other: CallID, _ joined: PreparedTransfer.Joined) {
        guard let parties = parties(of: call, other), let callee = joined.callee, let former = conversation(of: call),
            let latter = conversation(of: other),
            let session = session(of: call), let account = accountName(of: session)
        else { return }
        let ends = [parties.caller, parties.callee]
        recordEnd(of: former)
        recordEnd(of: latter)
        let handle = shownHandle(of: self.session(of: parties.callee))
        var conversation = Conversation(
            caller: parties.caller,
            handle: handle,
            isExternal: false,
            phase: .connected(.call(parties.callee))
        )
        conversation.callee = callee
        conversation.transfer = Conversation.Transfer(
            date: now,
            connectedAt: now,
            account: account,
            handle: shownHandle(of: session)
        )
        conversation.callerDevices = deviceID(ofOwnerOf: parties.caller).map { [$0] } ?? []
        conversation.calleeDevices = deviceID(ofOwnerOf: parties.callee).map { [$0] } ?? []
        let id = conversations.insert(conversation)
        let hasVideo = self.hasVideo(parties.caller) && self.hasVideo(parties.callee)
        for leg in ends {
            calls[leg]?.conversation = id
            calls[leg]?.hasVideo = hasVideo
        }
        let transferors = (
            ofCaller: remoteParticipant(of: parties.caller), ofCallee: remoteParticipant(of: parties.callee)
        )
        calls[parties.caller]?.setRemoteParty(handle, names: joined.names, transferor: transferors.ofCaller)
        calls[parties.callee]?.setRemoteParty(callee, transferor: transferors.ofCallee)
        giveUp(call)
        giveUp(other)
        conversations.remove(former)
        conversations.remove(latter)
        for leg in ends { notifyChange(leg) }
        // The transferor first: its gate shuts before others open.
        reconcileAudio(of: session)
        for leg in ends {
            if let owner = self.session(of: leg) { reconcileAudio(of: owner) }
        }
    }

    /// Removes a call that its owner has transferred.
    mutating func giveUp(_ call: CallID) {
        removeLeg(call, CallEnd(reason: nil, cause: .transferred, date: now))
    }

    /// Makes the Recents entries of a connected conversation that a transfer ends.
    mutating func recordEnd(of id: ConversationID) {
        guard let conversation = conversations[id] else { return }
        addRecent(conversation, legs(of: conversation), caller: .local(at: now), callees: .local(at: now))
    }

    /// Returns the other party of a call, as its owner is shown them.
    func remoteParticipant(of call: CallID) -> CallParticipant? {
        guard let call = calls[call] else { return nil }
        if call.nameSource == .hidden { return .hidden }
        return CallParticipant(handle: call.remoteHandle, name: call.shownName, nameSource: call.nameSource)
    }
}
