/// Sessions: sign-in, loss of the connection, resume, sign-out, and the drain.
extension Engine {
    mutating func open(_ opening: SessionOpening, token: RequestToken) {
        guard !isDraining else {
            return reply(token, .refused(Refusal(.draining, "the hub is about to stop; sign in again later")))
        }
        let older = sessions(of: account(named: opening.account)).first {
            sessions[$0]?.opening.deviceID == opening.deviceID
        }
        if let older { close(older, end: .replaced) }
        let account = makeAccount(named: opening.account)
        let session = sessions.insert(Session(opening, account: account))
        accounts[account]?.sessions.append(session)
        if opening.observes { accounts[account]?.observers += 1 }
        if opening.operatedDevice != nil { accounts[account]?.operators += 1 }
        reply(token, .opened(session, provider: opening.provider, calls: shownCalls(of: session)))
        setGroupNaming(of: opening.account, opening.isNamedInGroups)
        setHoldAudio(of: opening.account, opening.holdAudio)
        if opening.isAfterReset { notifyReset(of: session) }
        effects.append(.notify(session, .didBegin(opening.provider)))
        for conversation in accounts[account]?.ringing ?? [] { ringAfterSignIn(session, conversation) }
    }

    mutating func resume(_ session: SessionID, token: RequestToken) {
        guard let provider = sessions[session]?.configuration else {
            return reply(token, .refused(.sessionGone))
        }
        deadlines.cancel(.grace(session))
        reply(token, .opened(session, provider: provider, calls: shownCalls(of: session)))
    }

    mutating func markDisconnected(_ session: SessionID) {
        guard sessions[session] != nil else { return }
        deadlines.set(.grace(session), at: now + configuration.resumeGrace)
    }

    /// Ends a session and all its calls.
    ///
    /// `end` is the hub's reason; nil: the client left, which the other parties see as a hang-up.
    mutating func close(_ session: SessionID, end: SessionEnd?) {
        guard let closing = sessions[session] else { return }
        for transaction in closing.transactions { deadlines.cancel(.transaction(session, transaction.uuid)) }
        sessions[session]?.transactions = []
        for call in closing.calls {
            if let end {
                abandon(call, cause: end == .shutdown || end == .draining ? .shutdown : .connectionLost)
            } else {
                hangUp(call, by: .leaving, at: now)
            }
        }
        deadlines.cancel(.grace(session))
        sessions.remove(session)
        let account = closing.account
        accounts[account]?.sessions.removeAll { $0 == session }
        if closing.opening.observes { accounts[account]?.observers -= 1 }
        if closing.opening.operatedDevice != nil { accounts[account]?.operators -= 1 }
        // While the hub stops, calls that ring on no device are kept until their callers' sessions end.
        if end != .draining, end != .shutdown {
            endDecoyRinging(on: account, end == nil ? .local(at: now) : .failed(.connectionLost, at: now))
        }
        removeAccountIfUnused(account)
        effects.append(.sessionEnded(session, end))
    }

    /// Starts the drain: sessions without calls end at once, the others after their last call or at `until`.
    ///
    /// New calls and sign-ins are refused. A second drain changes the time alone.
    mutating func drain(until: Instant) {
        deadlines.set(.drain, at: until)
        guard !isDraining else { return }
        isDraining = true
        for session in sessions.keys {
            if sessions[session]?.calls.isEmpty == true {
                close(session, end: .draining)
            } else {
                effects.append(.sessionClosing(session, .draining))
            }
        }
    }

    /// Ends all sessions when the drain's grace period is over.
    mutating func closeAll() {
        for session in sessions.keys { close(session, end: .shutdown) }
    }

    func snapshots(of session: SessionID) -> [CallSnapshot] {
        (sessions[session]?.calls ?? []).compactMap { snapshot(of: $0) }
    }

    mutating func reply(_ token: RequestToken, _ reply: Reply) {
        effects.append(.reply(token, reply))
    }
}

extension Refusal {
    /// Session gone (440).
    static let sessionGone = Refusal(.sessionGone, "this session is gone; open a new one without resume")
}
