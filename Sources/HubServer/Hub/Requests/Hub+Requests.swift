import HubAccountData
import HubEngine
import HubWire

/// Text messages of clients: decoded, and answered here (sign-in, ping, leave) or by the engine.
extension Hub {
    func received(text: UnsafeRawBufferPointer, from id: ConnectionID) {
        guard !queuesLongText(text, from: id) else { return }
        handle(text: text, from: id)
    }

    /// Handles a message whose turn it is.
    ///
    /// - Parameters:
    ///   - text: The message.
    ///   - id: The connection.
    func handle(text: UnsafeRawBufferPointer, from id: ConnectionID) {
        causer = sessions[id]
        defer { (asking, causer) = (nil, nil) }
        guard !parking.contains(id) else {
            if !parking.keep(text, of: id) { sendAway(id) }
            return
        }
        guard maySend(text, on: id) else { return }
        let message = IncomingMessage(parsing: [UInt8](text))
        asking = Asking(connection: id, id: message.id)
        guard sessions[id] != nil || message.method == nil || message.method == .sessionOpen else {
            return refuse(WireError(.notSignedIn, "sign in first: session.open comes before any other method"))
        }
        switch message.content {
        case .failure(let error): refuse(error)
        case .success(let request): answer(request, on: id)
        }
    }

    private func answer(_ request: ClientRequest, on id: ConnectionID) {
        switch request {
        case .open(let open):
            self.open(open, on: id)
        case .close:
            guard let session = sessions[id] else { return }
            reply(.success(.done))
            apply(.sessionClosed(session.id))
        case .ping(let payload):
            reply(.success(.pong(payload, now: clock.now)))
        case .refresh(let token):
            if let session = sessions[id] { refresh(token, of: session) }
        case .account(let request):
            if let session = sessions[id] { answer(request, of: session) }
        case .push(let request):
            if let session = sessions[id] { answer(request, of: session) }
        case .admin(let request):
            if let session = sessions[id] { answer(request, of: session) }
        case .engine(let request):
            guard let session = sessions[id] else { return }
            if let refusal = refusalOfTraffic(by: request, of: session) ?? refusal(of: request, by: session) {
                return refuse(refusal)
            }
            apply(.request(session.id, session.isByLink ? request.withoutName : request, token: token))
        case .memory(let request):
            guard let session = sessions[id] else { return }
            if request.mayChange, let refusal = refusalOfTraffic(of: session) { return refuse(refusal) }
            answer(request, of: session)
        }
    }

    // MARK: Signing in

    /// Attaches a session to the connection that asked for it, and closes its former one.
    private func moveHere(_ session: ClientSession, to id: ConnectionID) {
        if let older = session.connection {
            sendUnkept(.closing(.replaced, retryAfterSeconds: nil), to: session)
            ground?.close(older, code: 1000, reason: ClosingReason.replaced.rawValue)
        }
        counters.resumes += 1
        sessions.attach(session, to: id)
        routes?.attach(session.id, to: id)
        ledger.connectionResumed(session.id, address: conduct[id]?.address.text ?? "-", at: clock.now)
        relate(.session(.resumed), of: session)
    }

    /// Completes a sign-in or a resume that the engine has accepted.
    func welcome(_ id: SessionID, calls: [CallSnapshot]) {
        guard let asking else { return }
        // Only now: until the engine has accepted it, the grace period may turn out to be over.
        if let (session, _) = asking.resumption { moveHere(session, to: asking.connection) }
        if let opening = asking.opening {
            let name: Identifier<ClientSession> = chance.identifier()
            let payer = payer(of: opening, on: asking.connection)
            let session = ClientSession(
                id,
                named: name.uuidText,
                opening: opening,
                connection: asking.connection,
                payer: payer,
                traffic: traffics.traffic(of: payer, at: clock.now.nanoseconds),
                log: ReplayLog(settings, memory: ground?.queues ?? QueueMemory(limit: .max)),
                secret: ResumeSecret(run: run, by: &chance),
                clock: clock
            )
            sessions.insert(session)
            noteArrival(of: session)
            noteExpiry(of: session)
            routes?.open(id, on: asking.connection, reportsDrops: session.reportsDroppedPackets)
            ledger.opened(
                id,
                account: session.account,
                device: session.device.id ?? "",
                name: session.device.name,
                address: conduct[asking.connection]?.address.text ?? "-"
            )
            counters.sessionsOpened += 1
        }
        guard let session = sessions[id] else { return }
        causer = session
        ground?.markSignedIn(asking.connection)
        let isResumed = asking.resumption != nil
        if log.tells(.debug) {
            log(.debug, isResumed ? "session resumed" : "session opened", fields(of: asking.connection))
        }
        reply(.success(.opened(opened(session, calls: calls, isResumed: isResumed))))
        if !isResumed { relateArrival(of: session) }
        guard let (_, seq) = asking.resumption else { return }
        for missed in session.log.takeUp(after: seq) { send(missed.notification, seq: missed.seq, to: session) }
    }

    private func payer(of opening: Asking.Opening, on connection: ConnectionID) -> Payer {
        guard opening.admission.link != nil, let address = conduct[connection]?.address,
            ground?.isExempt(address) == false
        else { return .account(opening.session.account) }
        return .guests(address.guest)
    }

    private func opened(_ session: ClientSession, calls: [CallSnapshot], isResumed: Bool) -> SessionOpened {
        var audio = SessionOpened.AudioFormat()
        audio.staleAfterMilliseconds = Int(settings.transport.staleAfter / .milliseconds(1))
        return SessionOpened(
            session: session.name,
            resumeToken: session.resumeToken,
            resumed: isResumed,
            account: session.account,
            handles: session.handles,
            device: session.device,
            calls: calls,
            hub: SessionOpened.Hub(version: settings.version, node: settings.node),
            audio: audio,
            limits: SessionOpened.Limits(
                maximumMessageBytes: settings.transport.maximumMessageBytes,
                resumeGraceSeconds: Int(settings.resumeGrace.components.seconds),
                ringTimeoutSeconds: Int(settings.ringTimeout.components.seconds),
                maximumDirectoryEntries: memory.limits.maximumDirectoryEntries
            ),
            expiresAt: asking?.opening?.admission.expiresAt ?? session.endsAt.map { clock.date(of: $0) }
        )
    }

    // MARK: Answering

    /// The token for the engine's answers; there is one request at a time, so one value serves.
    var token: RequestToken { RequestToken(rawValue: 0) }

    /// Sends the engine's answer to the client.
    func send(_ answer: Reply, to token: RequestToken) {
        if case .opened(let session, _, let calls) = answer { return welcome(session, calls: calls) }
        switch answer.outcome {
        case .success(let payload): reply(.success(payload))
        case .failure(let error): refuse(error)
        case nil: break
        }
    }

    func refuse(_ error: WireError) {
        counters.errors[error.code.number, default: 0] += 1
        if log.tells(.debug), let asking {
            log(.debug, "request refused", fields(of: asking.connection) + [("code", "\(error.code.number)")])
        }
        reply(.failure(error))
        if let connection = asking?.connection, error.isFaultOfTheMessage { spendFault(of: connection) }
    }

    func reply(_ outcome: Result<ReplyPayload, WireError>) {
        guard let asking, let id = asking.id else { return }
        outgoing.removeAll(keepingCapacity: true)
        HubMessage.encode(replyTo: id, outcome, into: &outgoing)
        ground?.sendText(outgoing, to: asking.connection, number: 0, isLast: false)
    }

    /// Disconnects a client that keeps violating the protocol.
    func sendAway(_ connection: ConnectionID) {
        if let session = sessions[connection] {
            sendUnkept(.closing(.policy, retryAfterSeconds: nil), to: session)
        }
        log(.warning, "client keeps breaking the protocol", fields(of: connection))
        ground?.close(connection, code: 1008, reason: ClosingReason.policy.rawValue)
    }
}

extension Request {
    /// Returns the request without a caller name: a guest's name is that of the link, and no other reaches the callee.
    fileprivate var withoutName: Request {
        guard case .reportCall(let call, var update) = self else { return self }
        update.localizedCallerName = nil
        return .reportCall(call, update)
    }
}
