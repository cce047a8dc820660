import HubEngine
import HubWire

/// Requests about invitations, before the sign-in and after it (docs/protocol.md, Invitations).
extension Hub {
    func answer(_ request: InvitationRequest, _ context: RequestContext) {
        guard let service = services.invitations else {
            return refuse(WireError(.notFound, "this hub has no invitations"), to: context)
        }
        switch (request.isBeforeSignIn, sessions[context.connection]) {
        case (true, nil): answer(request, ofNewcomerTo: service, context)
        case (true, _):
            let message = "this connection has a session; invitations are accepted on one that has none"
            refuse(WireError(.conflict, message), to: context)
        case (false, let session?): answer(request, of: session, service, context)
        case (false, nil): break
        }
    }

    /// Answers a client that has not signed in, under the limits of sign-ins; its further messages wait meanwhile.
    private func answer(
        _ request: InvitationRequest,
        ofNewcomerTo service: any InvitationService,
        _ context: RequestContext
    ) {
        let id = context.connection
        guard let address = admissionControl.address(of: id) else { return }
        if let refusal = signIn.refusalOfRepeatedFailure(from: address, at: clock.now) {
            admissionControl.noteRefusedSignIn()
            return refuse(refusal, to: context)
        }
        if let refusal = admissionControl.refusalOfSignIn(on: id, transport, using: &random) {
            return refuse(refusal, to: context)
        }
        let queueLane = transport?.isExempt(address) == false ? address.rateLimitAddress.text : nil
        let isStillAwaited = signIn.beginVerification(on: id)
        transport?.markAuthenticating(id, true)
        pending.insert(context)
        let requester = InvitationRequester.newcomer(
            queueLane: queueLane,
            address: address.text,
            isStillAwaited: isStillAwaited
        )
        service.answer(request, of: requester) {
            [thread = transport?.thread, token = context.token] outcome in
            thread?.run { hub in
                guard let request = hub.pending.remove(token) else { return }
                hub.noteUnknownInvitation(outcome, from: address, request.context)
                hub.reply(outcome.map { $0.map(ReplyPayload.invitation) ?? .done }, to: request.context)
                hub.handlePendingMessages(id)
            }
        }
    }

    /// Counts a wrong secret as a failed sign-in of the client's address.
    private func noteUnknownInvitation(
        _ outcome: Result<InvitationReply?, WireError>,
        from address: IPAddress,
        _ context: RequestContext
    ) {
        guard case .failure(let error) = outcome, error.code == .invitationInvalid,
            error.reason == InvitationFault.unknown.rawValue
        else { return }
        signIn.noteFailure(from: address, at: clock.now)
        log(.info, "unknown invitation", fields(of: context.connection))
    }

    private func answer(
        _ request: InvitationRequest,
        of session: ClientSession,
        _ service: any InvitationService,
        _ context: RequestContext
    ) {
        guard session.permissions.contains(.call), !session.isGuest else {
            let message = "this session may not invite; sign in to an account with params.permissions \"call\""
            return refuse(WireError(.notAllowed, message), to: context)
        }
        let isAdmin = session.permissions.contains(.admin)
        if case .list(all: true, _) = request, !isAdmin {
            let message = "this session may not list the invitations of others; leave params.all out"
            return refuse(WireError(.notAllowed, message), to: context)
        }
        pending.insert(context)
        let record = session.passwordVersion.flatMap { _ in
            accountData.directory.provisionedAccount(of: session.account)
        }
        let requester = InvitationRequester.user(
            account: session.account,
            handles: session.handles,
            isAdmin: isAdmin,
            ownsAdmin: isAdmin || record?.isAdmin == true,
            actor: actor(session)
        )
        service.answer(request, of: requester) { [thread = transport?.thread, token = context.token] outcome in
            thread?.run { $0.reply(outcome, about: request, to: token) }
        }
    }

    /// Answers with the requested page, if the answer is a list.
    private func reply(
        _ outcome: Result<InvitationReply?, WireError>,
        about request: InvitationRequest,
        to token: RequestToken
    ) {
        var outcome = outcome
        if case .list(_, let page) = request, case .success(.list(let all, _, let accounts)?) = outcome {
            outcome = Result { () throws(WireError) in
                let (entries, next) = try page.cut(all)
                return .list(entries, next: next, accounts: accounts)
            }
        }
        reply(outcome.map { $0.map(ReplyPayload.invitation) ?? .done }, to: token)
    }

    // MARK: Calls of guests

    /// Takes the calls that a guest's request starts of those that its invitation has left.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: The guest's session, or any other.
    /// - Returns: The number of calls that are taken, 0 for other requests and sessions.
    /// - Throws: `WireError` if fewer calls are left.
    func takeCalls(for request: Request, of session: ClientSession) throws(WireError) -> Int {
        guard let invitation = session.invitation, let service = services.invitations,
            case .transaction(let actions) = request
        else { return 0 }
        let starts = actions.indices.filter { if case .start = actions[$0].kind { true } else { false } }
        guard let first = starts.first else { return 0 }
        guard service.take(calls: starts.count, of: invitation) else {
            throw WireError(InvitationFault.used, actionIndex: first)
        }
        return starts.count
    }

    /// Settles the calls that were taken for a request that is answered now.
    func settleCalls(of context: RequestContext, _ outcome: Result<ReplyPayload, WireError>) {
        guard context.takenCalls > 0, let invitation = context.invitation else { return }
        let wereStarted = if case .success = outcome { true } else { false }
        services.invitations?.settle(calls: context.takenCalls, of: invitation, wereStarted: wereStarted)
    }
}

extension Invitation: AdminEntry {
    var listPosition: AdminListPosition {
        AdminListPosition(nanoseconds: createdAt.nanoseconds, identity: id.text)
    }

    var byteCount: Int {
        let texts = [name, account, createdBy, usedBy, handle?.value].compactMap(\.self)
        return texts.reduce(512) { $0 + $1.utf8.count }
    }
}
