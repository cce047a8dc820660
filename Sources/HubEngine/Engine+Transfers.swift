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
            let call = call(request.callUUID, of: session), let transferee = otherCall(than: call),
            let conversation = conversation(of: call)
        else { return nil }
        guard case .call(let uuid) = target else { return PreparedTransfer(conversation: conversation) }
        guard let other = self.call(uuid, of: session), otherCall(than: other) != nil,
            let joined = self.conversation(of: other)
        else { return nil }
        return PreparedTransfer(
            conversation: conversation,
            joined: PreparedTransfer.Joined(
                conversation: joined,
                callee: self.target(in: knowledge, of: transferee),
                names: knowledge?.calleeNames ?? KnownNames()
            )
        )
    }

    private func target(in knowledge: LookUpResult?, of transferee: CallID) -> Conversation.Callee? {
        guard let knowledge, case .account(let account, let screeningData) = knowledge.target else { return nil }
        return Conversation.Callee(
            account: account,
            callerHandle: shownHandle(of: session(of: transferee)),
            knowledge,
            screeningData
        )
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
            return
        }
        let other = try transferable(uuid, of: session)
        guard let transferee = otherCall(than: call), let joined = otherCall(than: other),
            canJoin(transferee, joined)
        else { throw .invalid("the two calls' other ends are on one device; a device cannot call itself", 0) }
        guard !isGuest(transferee) || !isGuest(joined) else {
            throw .invalid("a guest's call can be transferred to an account of the house alone", 0)
        }
        // A blocked party is told nothing of it (decision D13), and neither is the transferor.
        guard let knowledge else { return }
        guard let callee = self.target(in: knowledge, of: transferee), callee.filter != .blocked else {
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
            let isPlaced = conversations[id]?.isConnected == false
            throw .invalid(
                isPlaced
                    ? "the call is being transferred already, and its new other party has not answered yet"
                    : "the call's other end is a built-in party, which cannot be transferred",
                0
            )
        }
        return call
    }

    /// Indicates that two calls can be the ends of one conversation: they are on two devices.
    private func canJoin(_ one: CallID, _ other: CallID) -> Bool { session(of: one) != session(of: other) }

    func isGuest(_ call: CallID) -> Bool {
        guard let session = session(of: call) else { return false }
        return sessions[session]?.opening.isGuest == true
    }

    /// Returns the query that an attended transfer waits for; nil: none.
    func lookUpBefore(_ plan: [PlannedAction]) -> LookUp? {
        guard let joined = plan.first?.transfer?.joined, let first = plan.first?.transfer?.conversation,
            let transferee = farEnd(of: first, besides: plan[0].callUUID),
            case .transfer(.call(let uuid)) = plan[0].kind,
            let target = farEnd(of: joined.conversation, besides: uuid),
            let from = session(of: transferee), let account = accountName(of: from)
        else { return nil }
        return LookUp(
            handle: shownHandle(of: session(of: target)),
            caller: account,
            callerHandle: shownHandle(of: from)
        )
    }

    /// Returns the connected call of a conversation that has not this UUID, or that belongs to another device.
    private func farEnd(of id: ConversationID, besides uuid: CallUUID) -> CallID? {
        guard let caller = caller(of: id), case .connected(.call(let callee)) = phase(of: id) else { return nil }
        return self.uuid(of: caller) == uuid ? callee : caller
    }

    /// Continues what has waited for a look-up.
    mutating func handle(_ result: LookUpResult, of token: LookUpToken) {
        switch token.purpose {
        case .call(let conversation): invite(result, to: conversation)
        case .transfer(let transfer):
            guard sessions.contains(transfer.session) else { return reply(transfer.request, .refused(.sessionGone)) }
            accept([transfer.action], from: transfer.session, token: transfer.request, knowing: result)
        }
    }

    // MARK: Performance

    /// Indicates that a transfer's parties are still those for whom it was accepted.
    func canTransfer(_ action: Action, of transaction: TransactionUUID, in session: SessionID) -> Bool {
        guard case .transfer(let target) = action.kind, let call = call(action.callUUID, of: session),
            let prepared = preparedTransfer(of: transaction, in: session), let transferee = otherCall(than: call),
            conversation(of: call) == prepared.conversation
        else { return false }
        guard case .call(let uuid) = target else { return true }
        guard let other = self.call(uuid, of: session), let joined = otherCall(than: other),
            conversation(of: other) == prepared.joined?.conversation
        else { return false }
        return canJoin(transferee, joined) && otherGroupMembers(of: other).allSatisfy { $0 == call }
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
        guard let transferee = otherCall(than: call), let target = otherCall(than: other), let callee = joined.callee,
            let former = conversation(of: call), let latter = conversation(of: other),
            let session = session(of: call), let account = accountName(of: session)
        else { return }
        for leg in [call, other, transferee, target] { noteParticipantsChange(around: leg) }
        recordEnd(of: former)
        recordEnd(of: latter)
        let handle = shownHandle(of: self.session(of: target))
        var conversation = Conversation(
            caller: transferee,
            handle: handle,
            isExternal: false,
            phase: .connected(.call(target))
        )
        conversation.callee = callee
        conversation.transfer = Conversation.Transfer(
            date: now,
            connectedAt: now,
            account: account,
            handle: shownHandle(of: session)
        )
        conversation.callerDevices = deviceID(ofOwnerOf: transferee).map { [$0] } ?? []
        conversation.calleeDevices = deviceID(ofOwnerOf: target).map { [$0] } ?? []
        let id = conversations.insert(conversation)
        let hasVideo = self.hasVideo(transferee) && self.hasVideo(target)
        for leg in [transferee, target] {
            calls[leg]?.conversation = id
            calls[leg]?.hasVideo = hasVideo
        }
        let seen = (byTransferee: remoteParticipant(of: transferee), byTarget: remoteParticipant(of: target))
        calls[transferee]?.setRemoteParty(handle, names: joined.names, transferor: seen.byTransferee)
        calls[target]?.setRemoteParty(callee, transferor: seen.byTarget)
        giveUp(call)
        giveUp(other)
        conversations.remove(former)
        conversations.remove(latter)
        for leg in [transferee, target] { noteParticipantsChange(around: leg) }
        for leg in [transferee, target] { notifyChange(leg) }
        // The transferor first: its gate shuts before others open.
        reconcileAudio(of: session)
        for leg in [transferee, target] {
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

    private func hasVideo(_ call: CallID) -> Bool { calls[call]?.hasVideo == true }
}
