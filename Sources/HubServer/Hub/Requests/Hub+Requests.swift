import HubAccountData
import HubEngine
import HubWire

/// Text messages of clients: decoded, and answered here (sign-in, ping, leave) or by the engine.
extension Hub {
    package func received(text: UnsafeRawBufferPointer, from id: ConnectionID) {
        guard !queuesLongText(text, from: id) else { return }
        handle(text: text, from: id)
    }

    /// Handles a message, after all earlier ones of its connection.
    ///
    /// - Parameters:
    ///   - text: The message.
    ///   - id: The connection.
    func handle(text: UnsafeRawBufferPointer, from id: ConnectionID) {
        // Messages that another loop had received before it was told to close the connection.
        guard !admissionControl.isViolator(id) else { return }
        guard !signIn.isVerifying(id) else {
            if !signIn.enqueue(text, of: id) { disconnectViolator(id) }
            return
        }
        guard maySend(text, on: id) else { return }
        let message = IncomingMessage(parsing: [UInt8](text))
        let context = RequestContext(connection: id, id: message.id, token: pending.issueToken())
        guard sessions[id] != nil || message.method?.isBeforeSignIn ?? true else {
            let error = WireError(.notSignedIn, "sign in first: session.open comes before any other method")
            return refuse(error, to: context)
        }
        switch message.content {
        case .failure(let error): refuse(error, to: context)
        case .success(.open(let request)): open(request, context)
        case .success(.invitation(let request)): answer(request, context)
        case .success(.passkey(.challenge)): answerChallenge(context)
        case .success(let request):
            if let session = sessions[id] { answer(request, of: session, context) }
        }
    }

    private func answer(_ request: ClientRequest, of session: ClientSession, _ context: RequestContext) {
        switch request {
        case .open(let request): open(request, context)
        case .close:
            reply(.done, to: context)
            apply(.sessionClosed(session.id), causedBy: session)
        case .ping(let payload): reply(.pong(payload, now: clock.now), to: context)
        case .refresh(let token): refresh(token, of: session, context)
        case .account(let request): answer(request, of: session, context)
        case .push(let request): answer(request, of: session, context)
        case .people(let request): answer(request, of: session, context)
        case .appearance(let request): answer(request, of: session, context)
        case .admin(let request): answer(request, of: session, context)
        case .invitation(let request): answer(request, context)
        case .passkey(let request): answer(request, of: session, context)
        case .engine(let request):
            if let refusal = fanOutRefusal(by: request, of: session) ?? refusal(of: request, by: session) {
                return refuse(refusal, to: context)
            }
            do throws(WireError) {
                var context = context
                context.takenCalls = try takeCalls(for: request, of: session)
                context.invitation = session.invitation
                let request = session.isByInvitation ? request.withoutName : request
                apply(.request(session.id, request, token: context.token), for: context, causedBy: session)
                if request.changesProvider { noteProvider(of: session) }
            } catch {
                refuse(error, to: context)
            }
        case .accountData(let request):
            if request.mayChange, let refusal = admissionControl.fanOutRefusal(of: session, at: clock.now) {
                return refuse(refusal, to: context)
            }
            answer(request, of: session, context)
        }
    }

    /// Disconnects a client that keeps violating the protocol.
    func disconnectViolator(_ connection: ConnectionID) {
        admissionControl.markViolator(connection)
        if let session = sessions[connection] {
            sendUnlogged(.closing(.policy, retryAfterSeconds: nil), to: session)
        }
        log(.warning, "connection closed: too many protocol errors", fields(of: connection))
        transport?.close(connection, code: 1008, reason: ClosingReason.policy.rawValue)
    }
}

extension ClientMethod {
    /// Indicates that a client may call the method before it signs in.
    fileprivate var isBeforeSignIn: Bool {
        [.sessionOpen, .invitationShow, .invitationAccept, .accountRegister, .passkeyChallenge].contains(self)
    }
}

extension Request {
    /// Indicates that the request changes the session's provider.
    fileprivate var changesProvider: Bool {
        switch self {
        case .configure, .invalidate: true
        default: false
        }
    }

    /// Returns the request without a caller name: a guest's name is that of the invitation, and no other reaches the
    /// callee.
    fileprivate var withoutName: Request {
        guard case .reportCall(let call, var update) = self else { return self }
        update.localizedCallerName = nil
        return .reportCall(call, update)
    }
}
