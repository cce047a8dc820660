import HubAccountData
import HubEngine
import HubWire

/// The sessions of clients whose sign-in or resume the engine has accepted.
extension Hub {
    /// Completes a sign-in or a resume that the engine has accepted.
    ///
    /// - Parameters:
    ///   - id: The session's ID.
    ///   - calls: The session's calls.
    ///   - token: The token of the request.
    /// - Returns: The session; nil: its client is gone.
    func completeSignIn(_ id: SessionID, calls: [CallSnapshot], by token: RequestToken) -> ClientSession? {
        guard let request = pending.remove(token) else { return nil }
        let context = request.context
        switch request.start {
        case .opening(let opening):
            let session = addSession(id, opening, on: context.connection)
            logStart("session opened", of: context.connection)
            let expiresAt = opening.identity.expiresAt ?? session.expiresAt(by: clock)
            var result = opened(session, calls: calls, isResumed: false, expiresAt: expiresAt)
            result.openIDToken = opening.identity.openIDToken
            reply(.opened(result), to: context)
            forwardOpenedSession(of: session)
            noteProvider(of: session)
            return session
        case .resumption(let session, let seq):
            // Only now: until the engine has accepted it, the grace period may turn out to be over.
            attach(session, to: context.connection)
            logStart("session resumed", of: context.connection)
            let calls = calls.map { named($0, for: session.account) }
            let expiresAt = session.expiresAt(by: clock)
            reply(.opened(opened(session, calls: calls, isResumed: true, expiresAt: expiresAt)), to: context)
            for missed in session.log.replay(after: seq) { send(missed.notification, seq: missed.seq, to: session) }
            return session
        case nil: return nil
        }
    }

    /// Attaches a session to the connection that asked for it, and closes its former one.
    private func attach(_ session: ClientSession, to id: ConnectionID) {
        if let older = session.connection {
            sendUnlogged(.closing(.replaced, retryAfterSeconds: nil), to: session)
            transport?.close(older, code: 1000, reason: ClosingReason.replaced.rawValue)
        }
        metrics.counters.resumes += 1
        sessions.attach(session, to: id)
        presence.resume(session.id)
        routes?.attach(session.id, to: id)
        let address = admissionControl.address(of: id)?.text ?? "-"
        records.connectionResumed(session.id, from: address, at: clock.now)
        forwardToRecorders(.session(.resumed), of: session, causedBy: nil)
        transport?.markAuthenticated(id)
    }

    /// Adds a new session to the tables of the hub.
    private func addSession(
        _ id: SessionID,
        _ opening: SessionStart.Opening,
        on connection: ConnectionID
    ) -> ClientSession {
        let name: Identifier<ClientSession> = random.identifier()
        let rateLimitKey = rateLimitKey(of: opening, on: connection)
        let session = ClientSession(
            id,
            named: name.uuidText,
            opening: opening,
            connection: connection,
            rateLimitKey: rateLimitKey,
            fanOut: admissionControl.fanOut(of: rateLimitKey, at: clock.now),
            log: ReplayLog(settings, budget: transport?.queues ?? QueueBudget(limit: .max)),
            secret: signIn.makeResumeToken(using: &random),
            clock: clock
        )
        sessions.insert(session)
        accountData.noteSignIn(of: session)
        signIn.noteExpiry(of: session, at: clock.now)
        routes?.open(
            id,
            on: connection,
            reportsDrops: session.reportsDroppedPackets,
            wantsMix: session.wantsMix
        )
        records.open(session, from: admissionControl.address(of: connection)?.text ?? "-")
        metrics.counters.sessionsOpened += 1
        transport?.markAuthenticated(connection)
        return session
    }

    private func logStart(_ message: StaticString, of connection: ConnectionID) {
        if log.isEnabled(.debug) { log(.debug, message, fields(of: connection)) }
    }

    private func rateLimitKey(of opening: SessionStart.Opening, on connection: ConnectionID) -> RateLimitKey {
        guard opening.identity.invitation != nil, let address = admissionControl.address(of: connection),
            transport?.isExempt(address) == false
        else { return .account(FoldedName(opening.session.account)) }
        return .guests(address.rateLimitAddress)
    }

    private func opened(
        _ session: ClientSession,
        calls: [CallSnapshot],
        isResumed: Bool,
        expiresAt: Instant?
    ) -> SessionOpenResult {
        var audio = SessionOpenResult.AudioFormat()
        audio.staleAfterMilliseconds = Int(settings.transport.staleAfter / .milliseconds(1))
        if session.wantsMix, let mixing = transport?.mixing {
            audio.delivery = .mixed
            audio.mix = SessionOpenResult.Mix(ssrc: mixing.ssrc, mixedFrom: mixing.mixedFrom)
        }
        var result = SessionOpenResult(
            session: session.name,
            resumeToken: session.resumeToken,
            resumed: isResumed,
            account: session.account,
            handles: session.handles,
            device: session.device,
            calls: calls,
            hub: SessionOpenResult.Hub(version: settings.version, node: settings.node),
            audio: audio,
            limits: SessionOpenResult.Limits(
                maximumMessageBytes: settings.transport.maximumMessageBytes,
                resumeGraceSeconds: Int(settings.resumeGrace.components.seconds),
                ringTimeoutSeconds: Int(settings.ringTimeout.components.seconds),
                maximumDirectoryEntries: accountData.maximumDirectoryEntries
            ),
            expiresAt: expiresAt
        )
        if let fresh = session.freshSignIn, fresh.confirms(at: clock.now) {
            result.confirmedUntil = clock.date(of: fresh.end)
        }
        if session.reportsPermissions {
            result.permissions = Permission.allCases.filter(session.permissions.contains)
        }
        return result
    }
}

extension ClientSession {
    /// Returns the date by which a fresh token is needed; nil: none is.
    fileprivate func expiresAt(by clock: HubClock) -> Instant? { endsAt.map { clock.date(of: $0) } }
}
