import HubCrypto
import HubEngine
import HubWire

/// Requests of users about their passwords and passkeys (docs/protocol.md, account.setPassword, Passkeys).
extension Hub {
    // MARK: Before the sign-in

    /// Answers a client that has not signed in with a challenge, under the limits of sign-ins.
    func answerChallenge(_ context: RequestContext) {
        let id = context.connection
        guard sessions[id] == nil else {
            let message = "this connection has a session; passkey.challenge is for a sign-in on one that has none"
            return refuse(WireError(.conflict, message), to: context)
        }
        guard services.credentials != nil else { return refuse(Self.noPasswords, to: context) }
        guard let address = admissionControl.address(of: id) else { return }
        if let refusal = signIn.refusalOfRepeatedFailure(from: address, at: clock.now) {
            admissionControl.noteRefusedSignIn()
            return refuse(refusal, to: context)
        }
        if let refusal = admissionControl.refusalOfSignIn(on: id, transport, using: &random) {
            return refuse(refusal, to: context)
        }
        do throws(WireError) {
            let limited = transport?.isExempt(address) == false ? address : nil
            let site = try signIn.passkeySite(of: id)
            let challenge = signIn.issueChallenge(for: site, to: limited, at: clock.now, using: &random)
            reply(.passkey(.challenge(challenge)), to: context)
        } catch {
            refuse(error, to: context)
        }
    }

    // MARK: Signed in

    func answer(_ request: PasskeyRequest, of session: ClientSession, _ context: RequestContext) {
        do throws(WireError) {
            switch request {
            case .challenge: answerChallenge(context)
            case .confirm:
                try requireCredentials(of: session)
                let site = try signIn.passkeySite(of: context.connection)
                let challenge = session.makeChallenge(\.confirmationChallenge, for: site, at: clock.now)
                reply(.passkey(.challenge(challenge)), to: context)
            case .create(.password(let password)):
                _ = try signIn.passkeySite(of: context.connection)
                ask(.createPasskey(.password(password)), session, context)
            case .create(.passkey(let assertion)):
                let site = try signIn.passkeySite(of: context.connection)
                guard let challenge = session.takeChallenge(\.confirmationChallenge, at: clock.now) else {
                    let message = "the session has no challenge, or it has expired; call passkeys.confirm first"
                    throw WireError(.conflict, message)
                }
                let passkey = PasskeySignIn(assertion: assertion, challenge: challenge, site: site)
                ask(.createPasskey(.passkey(passkey)), session, context)
            case .create(.freshSignIn):
                _ = try signIn.passkeySite(of: context.connection)
                try requireCredentials(of: session)
                guard session.freshSignIn?.confirms(at: clock.now) == true else { throw Self.unconfirmed }
                ask(.createPasskey(.freshSignIn), session, context)
            case .add(let registration, let name):
                guard let challenge = session.takeChallenge(\.passkeyChallenge, at: clock.now) else {
                    let message = "there is no challenge of this session, or it has expired; call passkeys.create first"
                    throw WireError(.conflict, message)
                }
                let site = try signIn.passkeySite(of: context.connection)
                ask(.addPasskey(registration, name: name, challenge: challenge, site: site), session, context)
            case .list: ask(.listPasskeys, session, context)
            case .rename(let id, let name): ask(.renamePasskey(id: id, to: name), session, context)
            case .remove(let id): ask(.removePasskey(id: id), session, context)
            }
        } catch {
            refuse(error, to: context)
        }
    }

    /// Changes the password of a session's account; the session itself stays signed in.
    func setPassword(
        _ current: String,
        _ new: String,
        keepsDevices: Bool,
        of session: ClientSession,
        _ context: RequestContext
    ) {
        ask(.setPassword(current: current, new: new), keepsDevices: keepsDevices, session, context)
    }

    /// Checks that a session has signed in by the password or a passkey of an account.
    private func requireCredentials(of session: ClientSession) throws(WireError) {
        guard services.credentials != nil else { throw Self.noPasswords }
        guard session.passwordVersion == nil else { return }
        let message =
            session.isGuest
            ? "guests have neither password nor passkeys; sign in to an account"
            : "this session signed in by a token; its issuer manages the credentials"
        throw WireError(.notAllowed, message)
    }

    /// Has the service execute a request, one with a password or passkey under the limits of failed sign-ins.
    private func ask(
        _ request: CredentialRequest,
        keepsDevices: Bool = false,
        _ session: ClientSession,
        _ context: RequestContext
    ) {
        do throws(WireError) {
            try requireCredentials(of: session)
        } catch {
            return refuse(error, to: context)
        }
        guard let service = services.credentials, let address = admissionControl.address(of: context.connection) else {
            return
        }
        if request.hasProof, let refusal = refusalOfProof(by: session, from: address) {
            return refuse(refusal, to: context)
        }
        if request.changesSomething,
            let refusal = admissionControl.refusalOfOwnChange(by: session, at: clock.now)
        {
            return refuse(refusal, to: context)
        }
        session.isVerifyingProof = session.isVerifyingProof || request.hasProof
        pending.insert(context)
        let lane = transport?.isExempt(address) == false ? session.rateLimitKey.lane : nil
        service.answer(request, of: session.account, by: actor(session), queueLane: lane) {
            [thread = transport?.thread, id = session.id, token = context.token] outcome in
            thread?.run { hub in
                hub.take(outcome, of: request, keepsDevices: keepsDevices, id, from: address, token)
            }
        }
    }

    private func refusalOfProof(by session: ClientSession, from address: IPAddress) -> WireError? {
        if session.isVerifyingProof {
            let message = "a password or passkey of this session is being verified; wait for the answer before the next"
            return WireError(.tooMany, message, retryAfterSeconds: 1)
        }
        guard let refusal = signIn.refusalOfRepeatedFailure(by: session, from: address, at: clock.now) else {
            return nil
        }
        admissionControl.noteRefusedSignIn()
        return refusal
    }

    /// Applies the outcome of a request to the session, and answers it.
    private func take(
        _ outcome: Result<CredentialReply, WireError>,
        of request: CredentialRequest,
        keepsDevices: Bool,
        _ id: SessionID,
        from address: IPAddress,
        _ token: RequestToken
    ) {
        guard let session = sessions[id] else { return reply(outcome.map { _ in .done }, to: token) }
        if request.hasProof { session.isVerifyingProof = false }
        switch outcome {
        case .failure(let error):
            if error.code == .wrongPassword || error.code == .wrongPasskey {
                signIn.noteFailure(by: session, from: address, at: clock.now)
                let what: StaticString =
                    error.code == .wrongPassword ? "wrong password in a session" : "wrong passkey in a session"
                log(.info, what, ["account": session.account, "address": address.text])
            }
            reply(.failure(error), to: token)
        case .success(let result):
            if case .removePasskey(let id) = request, session.passkey == id { session.passkey = nil }
            if case .passwordVersion(let version) = result { keep(session, keepsDevices: keepsDevices, at: version) }
            reply(.success(payload(of: result, for: session)), to: token)
        }
    }

    /// Keeps a session, or all of its account's, signed in over a change of the password.
    private func keep(_ requester: ClientSession, keepsDevices: Bool, at version: Int64) {
        for session in sessions.of(requester.account) where session.passwordVersion != nil {
            if keepsDevices || session === requester { session.passwordVersion = version }
        }
    }

    private func payload(of result: CredentialReply, for session: ClientSession) -> ReplyPayload {
        switch result {
        case .passwordVersion, .done: return .done
        case .added(let passkey): return .passkey(.added(passkey))
        case .passkeys(let passkeys): return .passkey(.list(passkeys))
        case .passkeyUser(let user, let exclude):
            guard let site = session.connection.flatMap({ try? signIn.passkeySite(of: $0) }) else { return .done }
            let challenge = session.makeChallenge(\.passkeyChallenge, for: site, at: clock.now)
            return .passkey(
                .creation(
                    PasskeyCreation(
                        challenge,
                        userID: user,
                        account: session.account,
                        displayName: accountData.displayName(of: session.account, [session]) ?? session.account,
                        algorithms: PasskeyPublicKey.Algorithm.allCases.map(\.rawValue),
                        exclude: exclude
                    )
                )
            )
        }
    }

    private static let unconfirmed = WireError(
        .invalidParams,
        "params.password is missing; only a session that began by a fresh sign-in at the provider, 10 minutes ago at most, needs neither password nor passkey"
    )

    private static let noPasswords = WireError(.notAllowed, "this hub has no accounts with passwords (auth.mode)")
}

extension ClientSession {
    /// A challenge of the session, which can be used once.
    fileprivate typealias Challenge = ReferenceWritableKeyPath<ClientSession, (bytes: [UInt8], expiresAt: Instant)?>

    /// Makes a challenge in place of an earlier one.
    fileprivate func makeChallenge(
        _ challenge: Challenge,
        for site: PasskeySite,
        at now: Instant
    ) -> PasskeyChallenge {
        let bytes = SecureRandom.bytes(32)
        self[keyPath: challenge] = (bytes, now + .seconds(PasskeyChallenges.lifetimeSeconds))
        return PasskeyChallenge(bytes, site: site.id, timeoutSeconds: PasskeyChallenges.lifetimeSeconds)
    }

    /// Takes a challenge, which cannot be used again; nil: there is none, or it has expired.
    fileprivate func takeChallenge(_ challenge: Challenge, at now: Instant) -> [UInt8]? {
        guard let (bytes, expiresAt) = self[keyPath: challenge] else { return nil }
        self[keyPath: challenge] = nil
        return expiresAt > now ? bytes : nil
    }
}
