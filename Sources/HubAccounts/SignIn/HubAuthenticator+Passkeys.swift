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
            queueVerification(at: credentials, on: signatures, decide) { () throws(AuthenticationRefusal) in
                try Self.counter(of: passkey, owner)
            }
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
        _ owner: PasskeyOwner?
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
            try file.notePasskeyUse(owner.passkey.id, counter: counter, at: .now)
        } then: { [accountCache] result in
            then(
                Result { () throws(AuthenticationRefusal) in
                    switch result {
                    case .success(true): break
                    case .success(false): throw .wrongPasskey
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
