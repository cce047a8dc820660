import HubConfiguration
import HubCrypto
import HubEngine
import HubServer
import HubStore
import HubWire

/// Sign-ins by passkeys, and their registrations, on the thread of signatures.
extension HubAuthenticator {
    /// Verifies the use of a passkey; every refusal is the same, whether there is such a passkey or not.
    func authenticate(
        _ passkey: PasskeySignIn,
        _ credentials: Credentials,
        _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
    ) {
        guard mode.usesAccounts else {
            let message = "this hub has no accounts with passwords (auth.mode)"
            return then(.failure(AuthenticationRefusal(.missing, message)))
        }
        store.read { file throws(StoreError) in
            try file.passkey(passkey.assertion.credential)
        } then: { [weak self] result in
            guard let self else { return }
            guard case .success(let owner) = result else { return then(.failure(.passkeysUnavailable)) }
            let decide = {
                @Sendable [weak self] (verified: Result<(PasskeyOwner, UInt32), AuthenticationRefusal>) -> Void in
                switch verified {
                case .failure(let refusal): then(.failure(refusal))
                case .success((let owner, let counter)): self?.admit(owner, counter, credentials, then)
                }
            }
            queueVerification(at: credentials, on: signatures, decide) {
                [weak self] () throws(AuthenticationRefusal) in
                try Self.counter(of: passkey, owner) { self?.noteCopy(of: $0, from: credentials.address) }
            }
        }
    }

    /// Verifies that the user of an account confirms a request by one of its passkeys.
    ///
    /// - Parameters:
    ///   - passkey: The use of the passkey.
    ///   - account: The name of the account.
    ///   - address: The address of the client.
    ///   - lane: The lane in which it waits.
    ///   - then: Called with the verdict, on any thread.
    func confirm(
        _ passkey: PasskeySignIn,
        of account: String,
        from address: String?,
        queueLane lane: String?,
        _ then: @escaping @Sendable (Result<Void, WireError>) -> Void
    ) {
        var credentials = Credentials(account: account)
        (credentials.queueLane, credentials.address) = (lane, address)
        authenticate(passkey, credentials) { verdict in
            then(
                verdict.map { _ in }.mapError { refusal in
                    switch refusal.kind {
                    case .wrongPasskey: WireError(.wrongPasskey, refusal.message)
                    default: WireError(.overloaded, refusal.message, retryAfterSeconds: 5)
                    }
                }
            )
        }
    }

    /// Puts it into the audit log that a passkey's counter has not increased: there may be a copy of its authenticator.
    private func noteCopy(of owner: PasskeyOwner, from address: String?) {
        store.perform { file throws(StoreError) in
            try file.record(
                AuditAct("passkey.use", passkey: owner.passkey.id, of: owner.account),
                by: AuditActor(.server, address: address),
                .refused,
                reason: PasskeyError.counterWentBack.description
            )
        } then: { [log] _ in
            log(
                .warning,
                "passkey refused",
                ["account": owner.account, "reason": PasskeyError.counterWentBack.description]
            )
        }
    }

    /// Verifies the registration of a passkey.
    func register(
        _ registration: PasskeyRegistration,
        _ challenge: [UInt8],
        at site: PasskeySite,
        queueLane lane: String?,
        _ then: @escaping @Sendable (Result<PasskeyRegistration.Verified, WireError>) -> Void
    ) {
        var credentials = Credentials()
        credentials.queueLane = lane
        let decide = {
            @Sendable (outcome: Result<Result<PasskeyRegistration.Verified, PasskeyError>, AuthenticationRefusal>) in
            switch outcome {
            case .success(let verified):
                then(verified.mapError { WireError(.general(.invalidArgument), $0.description) })
            case .failure(let refusal):
                then(.failure(WireError(.overloaded, refusal.message, retryAfterSeconds: 1)))
            }
        }
        queueVerification(at: credentials, on: signatures, decide) { () throws(AuthenticationRefusal) in
            Result { () throws(PasskeyError) in try registration.verified(challenge, at: site) }
        }
    }

    private static func counter(
        of passkey: PasskeySignIn,
        _ owner: PasskeyOwner?,
        noteCopy: (PasskeyOwner) -> Void
    ) throws(AuthenticationRefusal) -> (PasskeyOwner, UInt32) {
        guard let owner, owner.passkey.site == passkey.site.id,
            let key = PasskeyPublicKey(algorithm: owner.passkey.algorithm, bytes: owner.passkey.publicKey)
        else { throw .wrongPasskey }
        do throws(PasskeyError) {
            let counter = try passkey.assertion.verified(
                passkey.challenge,
                at: passkey.site,
                key,
                of: owner.user,
                after: owner.passkey.counter
            )
            return (owner, counter)
        } catch {
            if error == .counterWentBack { noteCopy(owner) }
            throw .wrongPasskey
        }
    }

    /// Stores the counter before the client is admitted, so that of two copies of an authenticator one is refused.
    private func admit(
        _ owner: PasskeyOwner,
        _ counter: UInt32,
        _ credentials: Credentials,
        _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
    ) {
        store.perform { file throws(StoreError) in
            let isNoted = try file.notePasskeyUse(owner.passkey.id, counter: counter, at: .now)
            let isThere = try file.passkey(owner.passkey.id) != nil
            return (isNoted, isCopied: isThere && !isNoted)
        } then: { [self] result in
            if case .success((_, isCopied: true)) = result { noteCopy(of: owner, from: credentials.address) }
            then(
                Result { () throws(AuthenticationRefusal) in
                    switch result {
                    case .success((true, _)): break
                    case .success((false, _)): throw .wrongPasskey
                    // Without a counter there is nothing that a full disk would let repeat.
                    case .failure: guard counter == 0 else { throw .passkeysUnavailable }
                    }
                    guard let account = accountCache[owner.account], !account.isDisabled,
                        credentials.account.map({ FoldedName($0) == FoldedName(account.name) }) ?? true
                    else { throw .wrongPasskey }
                    return AuthenticatedIdentity(account, by: owner)
                }
            )
        }
    }
}

extension AuthenticationRefusal {
    /// The same refusal for every cause, so that it does not reveal what is wrong.
    fileprivate static var wrongPasskey: AuthenticationRefusal {
        AuthenticationRefusal(.wrongPasskey, "the passkey is not accepted; use another one, or the password")
    }

    fileprivate static var passkeysUnavailable: AuthenticationRefusal {
        AuthenticationRefusal(.unavailable, "the hub cannot verify passkeys now; try again in a moment")
    }
}

extension AuthenticatedIdentity {
    /// Creates the identity of an account whose passkey was verified.
    fileprivate init(_ account: StoredAccount, by owner: PasskeyOwner) {
        self.init(account, passwordVersion: owner.passwordVersion)
        passkey = owner.passkey.id
    }
}
