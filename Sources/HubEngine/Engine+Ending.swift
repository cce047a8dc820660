/// The end of calls, as each party must see it (callkit-semantics.md 2.10).
extension Engine {
    /// The originator of a local end.
    enum HangUpOrigin {
        /// The user, or the system on the user's behalf, by an end action.
        case user
        /// The user, who declines on this device alone.
        case userOnThisDevice
        /// The device, which signs out with all its calls.
        case leaving
    }

    /// Ends a call locally: a hang-up, a cancelled call or a declined one (rows CK-21, CK-25, CK-30).
    ///
    /// A declined call's caller is shown the message (row CH-02), unless the call rings on.
    mutating func hangUp(_ call: CallID, by origin: HangUpOrigin, message: String? = nil, at date: Instant) {
        guard let state = state(of: call) else { return }
        switch state {
        case .ringing where origin == .leaving:
            withdraw(call, with: .local(at: date))
        case .ringing where origin == .userOnThisDevice && ringsElsewhere(call):
            withdraw(call, with: .local(at: date))
        case .ringing, .answering:
            if let conversation = conversation(of: call), let device = deviceID(ofOwnerOf: call) {
                conversations[conversation]?.calleeDevices.append(device)
            }
            let declined = CallEnd(reason: .remoteEnded, cause: .declined, date: date, message: message)
            let elsewhere = CallEnd(reason: .declinedElsewhere, cause: nil, date: date)
            finish(call, with: .local(at: date), caller: declined, callees: elsewhere, isDeclined: true)
        case .starting, .connecting:
            finish(call, with: .local(at: date), others: CallEnd(reason: .remoteEnded, cause: .cancelled, date: date))
        case .connected:
            // A transferred call is connected while its new other party still rings.
            let cause: EndCause? = isBeingPlaced(call) ? .cancelled : nil
            finish(call, with: .local(at: date), others: CallEnd(reason: .remoteEnded, cause: cause, date: date))
        }
    }

    /// Indicates that the call rings on another device of the account too.
    private func ringsElsewhere(_ call: CallID) -> Bool {
        guard let id = conversation(of: call), case .ringing(_, let devices) = phase(of: id) else { return false }
        return devices.count > 1
    }

    /// Ends a call that its device cannot continue: it has failed, for both parties.
    mutating func abandon(_ call: CallID, cause: EndCause) {
        if state(of: call) == .ringing {
            withdraw(call, with: .failed(cause, at: now))
        } else {
            finish(call, with: .failed(cause, at: now))
        }
    }

    /// Removes one of several ringing devices; the call continues to ring on the others, or waits for a device.
    private mutating func withdraw(_ call: CallID, with end: CallEnd) {
        guard let id = conversation(of: call), case .ringing(let uuid, let devices) = phase(of: id) else { return }
        let left = devices.filter { $0 != call }
        if !left.isEmpty || keepsWaiting(id, after: end) {
            conversations[id]?.phase = .ringing(uuid, devices: left)
            endLeg(call, end)
            if left.isEmpty { awaitDeviceAgain(id) }
            return
        }
        // The last one: to the caller the callee is offline, unless the hub shuts down.
        finish(call, with: end, others: .failed(end.cause == .shutdown ? .shutdown : .offline, at: end.date))
    }

    /// Ends a whole conversation in the same way for all parties, or in another way for the others.
    mutating func finish(_ call: CallID, with end: CallEnd, others: CallEnd? = nil) {
        finish(call, with: end, caller: others ?? end, callees: others ?? end)
    }

    /// Ends a conversation whose callee cannot be reached, for the caller; a transferred call returns instead.
    mutating func endSetUp(of id: ConversationID, with end: CallEnd) {
        guard let caller = caller(of: id) else { return }
        finish(caller, with: end, caller: end, callees: end, isUnreachable: true)
    }

    /// Indicates that nobody has answered a call yet, be it a connected one that is transferred.
    func isBeingPlaced(_ call: CallID) -> Bool {
        guard let id = conversation(of: call) else { return false }
        return conversations[id]?.isConnected == false
    }

    /// Ends a whole conversation: first for the call that caused it, then the caller, then the callee's devices.
    private mutating func finish(
        _ call: CallID,
        with end: CallEnd,
        caller: CallEnd,
        callees: CallEnd,
        isDeclined: Bool = false,
        isUnreachable: Bool = false
    ) {
        guard let id = self.conversation(of: call), let conversation = conversations[id] else { return }
        let returns = (isUnreachable || conversation.caller != call) && returnsToTransferor(conversation)
        var legs = legs(of: conversation)
        legs.isDeclined = isDeclined
        let isCaller = conversation.caller == call
        let ends = (caller: isCaller ? end : caller, callees: isCaller ? callees : end)
        leaveRinging(id, isMissed: isMissed(conversation, legs, callees: ends.callees))
        if !returns || conversation.caller != call { endLeg(call, end) }
        if let other = conversation.caller, other != call, !returns { endLeg(other, caller) }
        for callee in conversation.callees where callee != call { endLeg(callee, callees) }
        conversations.remove(id)
        addRecent(conversation, legs, caller: ends.caller, callees: ends.callees)
        if returns { returnToTransferor(conversation, after: caller) }
    }

    /// Ends a conversation for all its parties, on behalf of an administrator.
    mutating func endConversation(_ id: ConversationID, token: RequestToken) {
        guard let conversation = conversations[id], let call = conversation.caller ?? conversation.callees.first else {
            return refuse(token, .notFound, "there is no such call, or it is over; admin.calls lists those there are")
        }
        reply(token, .done)
        finish(call, with: .failed(.administrator, at: now))
    }

    /// Ends one leg: sends its last snapshot, removes it from the device's calls, updates the audio.
    mutating func endLeg(_ call: CallID, _ end: CallEnd) {
        guard let session = session(of: call) else { return }
        removeLeg(call, end)
        reconcileAudio(of: session)
    }

    /// Removes a leg and sends its last snapshot; the caller of this method updates the audio.
    mutating func removeLeg(_ call: CallID, _ end: CallEnd) {
        guard let session = session(of: call), let conversation = conversation(of: call),
            var last = snapshot(of: call)
        else { return }
        noteParticipantsChange(around: call)
        last.state = .ended
        // A client's date is not validated; a call must not end before it began.
        last.endedAt = max(end.date, last.connectedAt ?? last.startedAt ?? end.date)
        last.endedReason = end.reason
        last.cause = end.cause
        last.message = end.message
        last.choices = []
        last.participants = []
        last.remoteIsRinging = false
        if isExternal(conversation), let account = account(of: session) { addTombstone(last.uuid, of: account) }
        calls.remove(call)
        sessions[session]?.calls.removeAll { $0 == call }
        notify(last, of: call, on: session)
        leaveGroup(last.group, of: session)
        refreshChoices(of: session)
        for companion in companions(of: session) { refreshChoices(of: companion) }
        sessionsToRecheck.append(session)
    }

    /// Continues the transactions that waited for an ended call, and closes sessions without calls while draining.
    mutating func resumeWaitingTransactions() {
        while !sessionsToRecheck.isEmpty {
            let session = sessionsToRecheck.removeFirst()
            for transaction in transactions(of: session) { proceed(with: transaction, of: session) }
            if isDraining, sessions[session]?.calls.isEmpty == true { close(session, end: .draining) }
        }
    }

    private func transactions(of session: SessionID) -> [TransactionUUID] {
        sessions[session]?.transactions.map(\.uuid) ?? []
    }
}
