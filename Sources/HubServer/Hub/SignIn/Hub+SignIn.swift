import HubEngine
import HubWire

/// The sign-in of clients: their credentials, if the hub requires any, and their permissions.
extension Hub {
    func open(_ open: SessionOpenRequest, _ context: RequestContext) {
        let id = context.connection
        guard sessions[id] == nil else {
            let message = "this connection has a session; open another connection for another one"
            return refuse(WireError(.conflict, message), to: context)
        }
        let isOfAnotherRun = open.resume.map(signIn.isOfAnotherRun) ?? false
        let isAfterReset = isOfAnotherRun && open.hasCredentials
        if let resume = open.resume, !isAfterReset { return self.resume(resume, for: open.account, context) }
        if let refusal = refusalOfRepeatedFailure(open, on: id)
            ?? admissionControl.refusalOfSignIn(on: id, transport, using: &random)
        {
            return refuse(refusal, to: context)
        }
        guard let authenticator = signIn.authenticator else {
            guard let account = open.account else {
                let message = "params.account is missing; it must be the name to sign in as"
                return refuse(WireError(.invalidParams, message), to: context)
            }
            let identity = AuthenticatedIdentity(account: account, handles: [.generic(account)])
            return openSession(identity, open, isAfterReset: isAfterReset, context)
        }
        if let identity = authenticator.authenticateAtOnce(Credentials(open)) {
            return openSession(identity, open, isAfterReset: isAfterReset, context)
        }
        var passkey: PasskeySignIn?
        if let assertion = open.passkey {
            guard let found = signIn.takeChallenge(of: assertion, on: id, at: clock.now) else {
                return refuse(Self.usedChallenge, to: context)
            }
            passkey = found
        }
        guard let address = admissionControl.address(of: id) else { return }
        let queueLane = transport?.isExempt(address) == false ? address : nil
        var credentials = signIn.beginVerification(of: open, on: id, from: queueLane, at: clock.now)
        (credentials.passkey, credentials.address) = (passkey, address.text)
        transport?.markAuthenticating(id, true)
        pending.insert(context)
        authenticator.authenticate(credentials) { [thread = transport?.thread, token = context.token] verdict in
            thread?.run { hub in
                guard let request = hub.pending.remove(token) else { return }
                hub.decide(verdict, open, isAfterReset: isAfterReset, request.context)
                hub.handlePendingMessages(id)
            }
        }
    }

    /// The error for a passkey that signs no challenge that can be used.
    private static let usedChallenge = WireError(
        .wrongPasskey,
        "the challenge has expired, was used, or is another page's; request one by passkey.challenge"
    )

    /// Returns an error if too many sign-ins have failed before; nil: the credentials may be verified.
    ///
    /// Such a sign-in does not count for its address: repeated guesses would use up the sign-ins of all others there.
    private func refusalOfRepeatedFailure(_ open: SessionOpenRequest, on id: ConnectionID) -> WireError? {
        let address = admissionControl.address(of: id)
        guard let refusal = signIn.refusalOfRepeatedFailure(open, from: address, at: clock.now) else { return nil }
        admissionControl.noteRefusedSignIn()
        return refusal
    }

    private func decide(
        _ verdict: Result<AuthenticatedIdentity, AuthenticationRefusal>,
        _ open: SessionOpenRequest,
        isAfterReset: Bool,
        _ context: RequestContext
    ) {
        let id = context.connection
        if let address = admissionControl.address(of: id) {
            signIn.note(verdict, of: open, from: address, at: clock.now)
        }
        switch verdict {
        case .success(let identity):
            openSession(identity, open, isAfterReset: isAfterReset, context)
        case .failure(let refusal):
            if refusal.kind == .tooManyAtOnce { admissionControl.noteRefusedSignIn() }
            if refusal.kind.countsAsFailedAttempt {
                log(.info, "sign-in refused", fields(of: id) + [("reason", refusal.message)])
            }
            refuse(WireError(refusal, using: &random), to: context)
        }
    }

    /// Opens the session of an admitted client in the engine.
    private func openSession(
        _ identity: AuthenticatedIdentity,
        _ open: SessionOpenRequest,
        isAfterReset: Bool,
        _ context: RequestContext
    ) {
        guard let identity = restrictedToListing(accountData.directory.spelled(identity)) else {
            let message = "the account's password or passkeys were changed just now; sign in with the new ones"
            return refuse(WireError(open.passkey == nil ? .wrongPassword : .wrongPasskey, message), to: context)
        }
        // It may have been revoked since the token was verified, when its guests' sessions were ended.
        if let invitation = identity.invitation, signIn.authenticator?.isRevoked(invitation) == true {
            let message = "the link was revoked just now; ask for a new one"
            let error = open.invitation == nil ? WireError(.wrongToken, message) : WireError(InvitationFault.revoked)
            return refuse(error, to: context)
        }
        let fault = self.fault(ofAccount: identity.account, isByToken: open.token != nil)
        if let fault = fault ?? self.fault(of: open.permissions, identity) {
            return refuse(fault, to: context)
        }
        if let handle = accountData.directory.handleOfAnotherAccount(identity.handles, by: identity.account) {
            let message = "\(handle.value) is another account's; a handle belongs to one account"
            return refuse(WireError(.conflict, message), to: context)
        }
        var open = open
        let optional = open.optionalPermissions.filter(identity.permissions.contains)
        open.permissions = Permission.allCases.filter { open.permissions.contains($0) || optional.contains($0) }
        open.device.id = open.device.id ?? freshDeviceID()
        let opening = SessionOpening(
            account: identity.account,
            handles: identity.handles,
            deviceID: open.device.id ?? "",
            deviceName: open.device.name,
            provider: open.provider,
            fulfillment: open.fulfillment,
            executesTransactions: open.executesTransactions,
            mayCall: open.permissions.contains(.call) && !open.permissions.contains(.operate),
            observes: open.permissions.contains(.observe),
            isAfterReset: isAfterReset,
            isNamedInGroups: accountData.isNamedInGroups(identity.account),
            holdAudio: accountData.holdAudio(of: identity.account),
            machine: open.device.focus,
            operatedDevice: open.permissions.contains(.operate) ? open.operates : nil,
            isGuest: identity.invitation != nil || identity.onlyCallee != nil
        )
        apply(
            .sessionOpened(opening, token: context.token),
            for: context,
            start: .opening(SessionStart.Opening(session: opening, request: open, identity: identity)),
            causedBy: nil
        )
    }

    private func fault(ofAccount account: String, isByToken: Bool) -> WireError? {
        guard account.isAccountName else {
            let requirement =
                "must have 1 to \(maximumAccountNameBytes) bytes, no control or invisible characters, no spaces around it or two in a row"
            return isByToken
                ? WireError(.wrongToken, "the token's claim sub \(requirement)")
                : WireError(.invalidParams, "params.account \(requirement)")
        }
        guard BuiltInParty(named: account) == nil else {
            return WireError(.conflict, "\(account) is a party of the hub's own; sign in under another name")
        }
        return nil
    }

    private func fault(of wanted: [Permission], _ identity: AuthenticatedIdentity) -> WireError? {
        guard let refused = wanted.first(where: { !identity.permissions.contains($0) }) else { return nil }
        let granted = identity.permissions.map { "\"\($0.rawValue)\"" }.sorted().joined(separator: ", ")
        let message = "\(identity.account) may not \"\(refused.rawValue)\"; params.permissions may have \(granted)"
        return WireError(.notAllowed, message)
    }

    private func freshDeviceID() -> String {
        let id: Identifier<ClientSession> = random.identifier()
        return id.uuidText
    }

    // MARK: Resuming a session

    /// Resumes a lost session, or one whose former connection has not been detected as dead yet.
    private func resume(_ resume: SessionOpenRequest.Resume, for account: String?, _ context: RequestContext) {
        guard let session = sessions.named(resume.session), session.isToken(resume.token),
            session.log.canReplay(after: resume.seq)
        else {
            let message = "there is no such session to resume, or it has ended; open a new one without resume"
            return refuse(WireError(.sessionGone, message), to: context)
        }
        guard account.map({ FoldedName($0) == session.accountKey }) ?? true else {
            let message = "the session to resume is another account's; leave params.account out"
            return refuse(WireError(.notAllowed, message), to: context)
        }
        apply(
            .sessionResumed(session.id, token: context.token),
            for: context,
            start: .resumption(session, after: resume.seq),
            causedBy: nil
        )
    }

    // MARK: Waiting for the verdict

    /// Handles the messages that the client has sent while its sign-in was being verified.
    func handlePendingMessages(_ id: ConnectionID) {
        transport?.markAuthenticating(id, false)
        for text in signIn.endVerification(on: id) {
            // One of them may be another sign-in: the following ones wait for that.
            text.withUnsafeBytes { received(text: $0, from: id) }
        }
    }
}

extension SessionOpenRequest {
    /// Indicates that the request has credentials of its own, besides those of a session to resume.
    fileprivate var hasCredentials: Bool {
        account != nil || token != nil || invitation != nil || openID != nil || passkey != nil
    }
}

extension WireError {
    /// Converts the refusal of a sign-in.
    init(_ refusal: AuthenticationRefusal, using random: inout RandomSource) {
        switch refusal.kind {
        case .missing: self.init(.credentialsMissing, refusal.message)
        case .wrongPassword: self.init(.wrongPassword, refusal.message)
        case .wrongToken: self.init(.wrongToken, refusal.message)
        case .openIDInvalid: self.init(.wrongToken, refusal.message, reason: "openIDInvalid")
        case .wrongPasskey: self.init(.wrongPasskey, refusal.message)
        case .tokenExpired: self.init(.tokenExpired, refusal.message)
        case .invitationInvalid(let fault): self.init(fault)
        case .tooManyAtOnce:
            // Spread, so that clients do not all return at once.
            self.init(.tooMany, refusal.message, retryAfterSeconds: Int.random(in: 1...3, using: &random))
        case .unavailable: self.init(.overloaded, refusal.message, retryAfterSeconds: 5)
        }
    }
}
