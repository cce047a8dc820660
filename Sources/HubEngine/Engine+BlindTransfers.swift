/// Blind transfers: the other party of a connected call is connected with the owner of a handle, who is called; if they
/// cannot be reached or decline, the call comes back (rule CH-06).
extension Engine {
    /// Places the call of a device's other party anew, and takes the device out.
    mutating func handOver(_ call: CallID, to handle: Handle) {
        guard let transferee = otherCall(than: call), let former = conversation(of: call),
            let session = session(of: call), let account = accountName(of: session)
        else { return }
        recordEnd(of: former)
        let transfer = Conversation.Transfer(date: now, account: account, handle: shownHandle(of: session))
        let seen = remoteParticipant(of: transferee)
        placeAnew(transferee, to: handle, transfer, transferor: seen)
        giveUp(call)
        conversations.remove(former)
        notifyChange(transferee)
        // The transferor first: its gate shuts.
        reconcileAudio(of: session)
        callAnew(transferee)
    }

    /// Indicates that the call of a transfer that has failed rings its transferor.
    func returnsToTransferor(_ conversation: Conversation) -> Bool {
        guard let transfer = conversation.transfer, transfer.returned == nil, !isDraining,
            let caller = conversation.caller
        else { return false }
        return !conversation.isConnected && calls.contains(caller)
    }

    /// Calls the transferor back, with the reason.
    mutating func returnToTransferor(_ conversation: Conversation, after end: CallEnd) {
        guard let caller = conversation.caller, let transfer = conversation.transfer else { return }
        let returning = Conversation.Transfer(
            date: now,
            account: transfer.account,
            handle: transfer.handle,
            returned: ReturnedTransfer(handle: conversation.handle, cause: end.cause)
        )
        placeAnew(caller, to: transfer.handle, returning, transferor: nil)
        notifyChange(caller)
        callAnew(caller)
    }

    /// Makes a new conversation for a connected call, whose other party is called.
    private mutating func placeAnew(
        _ call: CallID,
        to handle: Handle,
        _ transfer: Conversation.Transfer,
        transferor: CallParticipant?
    ) {
        var conversation = Conversation(caller: call, handle: handle, isExternal: false, phase: .inviting)
        conversation.transfer = transfer
        conversation.callerDevices = deviceID(ofOwnerOf: call).map { [$0] } ?? []
        calls[call]?.conversation = conversations.insert(conversation)
        calls[call]?.setRemoteParty(handle, transferor: transferor)
        calls[call]?.returned = transfer.returned
    }

    /// Updates the audio of a call without an other party, and has the new one looked up.
    private mutating func callAnew(_ call: CallID) {
        guard let session = session(of: call), let id = conversation(of: call),
            let handle = conversations[id]?.handle, let account = accountName(of: session)
        else { return }
        reconcileAudio(of: session)
        let lookUp = LookUp(handle: handle, caller: account, callerHandle: shownHandle(of: session))
        effects.append(.lookUp(LookUpToken(conversation: id), lookUp))
    }

    /// Indicates that a call was transferred, and has not come back.
    func isTransferred(_ id: ConversationID) -> Bool {
        guard let transfer = conversations[id]?.transfer else { return false }
        return transfer.returned == nil
    }

    /// Indicates that a call has come back to its transferor.
    func hasReturned(_ id: ConversationID) -> Bool { conversations[id]?.transfer?.returned != nil }

    /// Indicates that a transferred call may ring an account: a guest's may not ring another guest (rule CH-07).
    func mayReach(_ account: String, from caller: CallID) -> Bool {
        sessions(of: self.account(named: account)).allSatisfy { mayReach($0, from: caller) }
    }

    /// Indicates the same of a device, which may have signed in since.
    func mayReach(_ device: SessionID, from caller: CallID) -> Bool {
        guard let id = conversation(of: caller), conversations[id]?.transfer != nil, isGuest(caller) else {
            return true
        }
        return sessions[device]?.opening.isGuest == false
    }

    /// Gives a ringing call its transferor, or the transfer that has failed.
    func addTransfer(of id: ConversationID, to call: inout Call) {
        guard let transfer = conversations[id]?.transfer else { return }
        guard transfer.returned == nil else { return call.returned = transfer.returned }
        call.transferor = CallParticipant(
            handle: transfer.handle,
            name: transfer.handle.value,
            nameSource: .handle,
            naming: .byDriver(account: transfer.account)
        )
    }
}
