/// How calls end, for each party as it must see it (callkit.md 2.10).
extension Engine {
    /// Who puts an end to a call on its device.
    enum HangUp {
        /// The user, or the system in the user's stead, by an end action.
        case user
        /// The user, who declines for this device alone.
        case userHere
        /// The device leaves with all its calls.
        case leaving
    }

    /// A local end: a hang-up, a cancelled call or a declined one (rows CK-21, CK-25, CK-30).
    mutating func hangUp(_ call: CallID, by whom: HangUp, at date: Instant) {
        guard let state = state(of: call) else { return }
        switch state {
        case .ringing where whom == .leaving:
            withdraw(call, with: .local(at: date))
        case .ringing where whom == .userHere && ringsElsewhere(call):
            withdraw(call, with: .local(at: date))
        case .ringing, .answering:
            if let conversation = conversation(of: call), let device = deviceID(ofOwnerOf: call) {
                conversations[conversation]?.calleeDevices.append(device)
            }
            let declined = CallEnd(reason: .remoteEnded, cause: .declined, date: date)
            let elsewhere = CallEnd(reason: .declinedElsewhere, cause: nil, date: date)
            finish(call, with: .local(at: date), caller: declined, callees: elsewhere, isDeclined: true)
        case .starting, .connecting:
            finish(call, with: .local(at: date), others: CallEnd(reason: .remoteEnded, cause: .cancelled, date: date))
        case .connected:
            finish(call, with: .local(at: date), others: CallEnd(reason: .remoteEnded, cause: nil, date: date))
        }
    }

    /// Whether another device of the account rings for the same call.
    private func ringsElsewhere(_ call: CallID) -> Bool {
        guard let id = conversation(of: call), case .ringing(_, let devices) = phase(of: id) else { return false }
        return devices.count > 1
    }

    /// The device cannot go on with a call: it has failed, for both.
    mutating func abandon(_ call: CallID, cause: EndCause) {
        if state(of: call) == .ringing {
            withdraw(call, with: .failed(cause, at: now))
        } else {
            finish(call, with: .failed(cause, at: now))
        }
    }

    /// One of several ringing devices is gone; the call goes on ringing on the others, if there are any, or waits for one.
    private mutating func withdraw(_ call: CallID, with end: CallEnd) {
        guard let id = conversation(of: call), case .ringing(let uuid, let devices) = phase(of: id) else { return }
        let left = devices.filter { $0 != call }
        if !left.isEmpty || waitsOn(id, after: end) {
            conversations[id]?.phase = .ringing(uuid, devices: left)
            endLeg(call, end)
            if left.isEmpty { awaitAgain(id) }
            return
        }
        // The last one: to the caller nobody is there, unless it is the hub that goes.
        finish(call, with: end, others: .failed(end.cause == .shutdown ? .shutdown : .offline, at: end.date))
    }

    /// Ends a whole conversation in the same way for everybody, or in two ways.
    mutating func finish(_ call: CallID, with end: CallEnd, others: CallEnd? = nil) {
        finish(call, with: end, caller: others ?? end, callees: others ?? end)
    }

    /// Ends a whole conversation: for the call that caused it first, then for the caller, then for the callee's devices.
    private mutating func finish(
        _ call: CallID,
        with end: CallEnd,
        caller: CallEnd,
        callees: CallEnd,
        isDeclined: Bool = false
    ) {
        guard let id = self.conversation(of: call), let conversation = conversations[id] else { return }
        var legs = legs(of: conversation)
        legs.isDeclined = isDeclined
        let isCaller = conversation.caller == call
        let ends = (caller: isCaller ? end : caller, callees: isCaller ? callees : end)
        leaveRinging(id, isMissed: isMissed(conversation, legs, callees: ends.callees))
        endLeg(call, end)
        if let other = conversation.caller, other != call { endLeg(other, caller) }
        for callee in conversation.callees where callee != call { endLeg(callee, callees) }
        conversations.remove(id)
        remember(conversation, legs, caller: ends.caller, callees: ends.callees)
    }

    /// An administrator puts an end to a call, for everybody who is in it.
    mutating func endConversation(_ id: ConversationID, token: RequestToken) {
        guard let conversation = conversations[id], let call = conversation.caller ?? conversation.callees.first else {
            return refuse(token, .notFound, "there is no such call, or it is over; admin.calls lists those there are")
        }
        reply(token, .done)
        finish(call, with: .failed(.administrator, at: now))
    }

    /// Ends one leg: its last snapshot, its place among the device's calls, its audio.
    mutating func endLeg(_ call: CallID, _ end: CallEnd) {
        guard let session = session(of: call) else { return }
        removeLeg(call, end)
        reconcileAudio(of: session)
    }

    /// Takes a leg away and tells so; its audio is the caller's to put in line.
    mutating func removeLeg(_ call: CallID, _ end: CallEnd) {
        guard let session = session(of: call), let conversation = conversation(of: call),
            var last = snapshot(of: call)
        else { return }
        last.state = .ended
        // A client's own date may be anything; no call ends before it began.
        last.endedAt = max(end.date, last.connectedAt ?? last.startedAt ?? end.date)
        last.endedReason = end.reason
        last.cause = end.cause
        last.choices = []
        last.remoteIsRinging = false
        if isExternal(conversation), let account = account(of: session) { bury(last.uuid, of: account) }
        calls.remove(call)
        sessions[session]?.calls.removeAll { $0 == call }
        tell(last, of: call, on: session)
        leaveGroup(last.group, of: session)
        refreshChoices(of: session)
        unsettled.append(session)
    }

    /// What an ended call leaves to do on its device: actions that waited for it go on or fail; a draining hub lets go.
    mutating func settle() {
        while !unsettled.isEmpty {
            let session = unsettled.removeFirst()
            for transaction in transactions(of: session) { proceed(with: transaction, of: session) }
            if isDraining, sessions[session]?.calls.isEmpty == true { close(session, end: .draining) }
        }
    }

    private func transactions(of session: SessionID) -> [TransactionUUID] {
        sessions[session]?.transactions.map(\.uuid) ?? []
    }
}
