import Foundation
import HubConfiguration
import HubCrypto
import HubEngine
import HubServer
import HubStore
import HubWire

/// Authenticates clients: by the accounts of the store, by tokens, or in `open` mode by a name alone.
final class HubAuthenticator: Authenticator {
    let mode: AuthMode
    let store: Store
    let accountCache: AccountCache
    private let tokens: TokenAuthenticator
    let cost: PasswordCost
    private let allowsAnyoneToAdminister: Bool
    private let openID: (any OpenIDAdmission)?
    let log: HubLog
    let verify: @Sendable (PasswordHash, Password) -> Bool
    let passwords: LowPriorityWorker
    /// The invitations, which admit guests.
    let invitations = Deferred<any GuestAdmission>()
    /// A separate thread for tokens: a password takes a thousand times as long, so password guessing on this thread
    /// would delay tokens.
    let signatures = LowPriorityWorker("callhub-token", maximumQueuedJobs: 1_000)

    /// Creates an authenticator and its threads.
    ///
    /// - Parameters:
    ///   - mode: The required kinds of credentials.
    ///   - store: The store of the passwords' hashes.
    ///   - accountCache: The accounts.
    ///   - tokens: The verifier of tokens.
    ///   - cost: The cost of new password hashes.
    ///   - maximumPasswordWait: The maximum wait for a password's verification; a client that would wait longer is
    ///     refused at once.
    ///   - allowsAnyoneToAdminister: True if every client may administer in `open` mode; only for a hub that listens on
    ///     loopback.
    ///   - openID: The sign-in by an OpenID provider; nil: none.
    ///   - log: The log of refused passkeys whose authenticators may have been copied.
    ///   - verify: Compares a hash with a password at the hash's cost; a test counts the calls.
    init(
        _ mode: AuthMode,
        _ store: Store,
        _ accountCache: AccountCache,
        _ tokens: TokenAuthenticator,
        cost: PasswordCost,
        maximumPasswordWait: Duration,
        allowsAnyoneToAdminister: Bool,
        openID: (any OpenIDAdmission)? = nil,
        log: HubLog = HubLog(settings: LogSettings()),
        verify: @escaping @Sendable (PasswordHash, Password) -> Bool = { $0.matches($1) }
    ) {
        self.verify = verify
        self.log = log
        self.allowsAnyoneToAdminister = allowsAnyoneToAdminister
        self.openID = openID
        self.mode = mode
        self.store = store
        self.accountCache = accountCache
        self.tokens = tokens
        self.cost = cost
        // The initial estimate is half of what a slow machine takes; the thread measures the actual time.
        let averageDuration = Duration.microseconds(600) * (cost.megabytes * cost.passes)
        passwords = LowPriorityWorker(
            "callhub-passwd",
            maximumQueuedJobs: 1_000,
            maximumWait: maximumPasswordWait,
            averageDuration: averageDuration
        )
    }

    deinit {
        passwords.end()
        signatures.end()
    }

    func authenticateAtOnce(_ credentials: Credentials) -> AuthenticatedIdentity? {
        guard mode == .open, credentials.token == nil, credentials.invitation == nil, credentials.openID == nil,
            credentials.passkey == nil,
            let account = credentials.account
        else { return nil }
        var identity = AuthenticatedIdentity(account: account, handles: [.generic(account)])
        if allowsAnyoneToAdminister { identity.permissions.insert(.admin) }
        return identity
    }

    func isRevoked(_ invitation: InvitationID) -> Bool { tokens.isRevoked(invitation) }

    func authenticate(
        _ credentials: Credentials,
        _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
    ) {
        if let secret = credentials.invitation { return invitations.use { $0.admit(secret, then) } }
        if let proof = credentials.openID {
            let openID = openID
            return queueVerification(at: credentials, on: signatures, then) { () throws(AuthenticationRefusal) in
                guard let openID else {
                    throw AuthenticationRefusal(.missing, "nobody signs in by a provider here (auth.openID)")
                }
                return try openID.admit(proof, at: Date())
            }
        }
        if let passkey = credentials.passkey { return authenticate(passkey, credentials, then) }
        if let token = credentials.token {
            let (tokens, acceptsIssuerTokens) = (tokens, mode.usesTokens)
            // A signature takes a fraction of a millisecond, which is long for the hub's loop.
            return queueVerification(at: credentials, on: signatures, then) { () throws(AuthenticationRefusal) in
                let identity = try tokens.authenticate(token, acceptsIssuerTokens: acceptsIssuerTokens, at: Date())
                guard credentials.account.map({ $0 == identity.account }) ?? true else {
                    let message = "params.account is not the account of the token; leave it out"
                    throw AuthenticationRefusal(.wrongToken, message)
                }
                return identity
            }
        }
        guard mode.usesAccounts, let account = credentials.account, let text = credentials.password else {
            return then(.failure(AuthenticationRefusal(.missing, missing(credentials))))
        }
        authenticate(account, text, credentials, then)
    }

    /// Checks and hashes the first password of an account that an administrator creates.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - then: Called with the hash, or with the error for the client, on any thread.
    func hash(_ account: NewAccountRequest, _ then: @escaping @Sendable (Result<PasswordHash, WireError>) -> Void) {
        hash(account, inLane: nil, while: { true }, then)
    }

    /// Checks and hashes the password of a new account on the thread of passwords.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - requester: The client, whose passwords take turns with those of others.
    ///   - then: Called with the hash, or with the error for the client, on any thread.
    func hash(
        _ account: NewAccountRequest,
        of requester: InvitationRequester,
        _ then: @escaping @Sendable (Result<PasswordHash, WireError>) -> Void
    ) {
        guard case .newcomer(let lane, _, let isStillAwaited) = requester else { return }
        hash(account, inLane: lane, while: isStillAwaited, then)
    }

    private func hash(
        _ account: NewAccountRequest,
        inLane lane: String?,
        while isStillAwaited: @escaping @Sendable () -> Bool,
        _ then: @escaping @Sendable (Result<PasswordHash, WireError>) -> Void
    ) {
        let refuse = { @Sendable in
            then(.failure(WireError(.overloaded, "too many sign-ins are pending; try again", retryAfterSeconds: 5)))
        }
        let answer = passwords.add(
            of: lane ?? "",
            atMost: lane.map { _ in Self.maximumPerLane },
            while: isStillAwaited,
            orDrop: refuse
        ) { [cost] in
            then(
                Result { () throws(WireError) in
                    do throws(NewPasswordError) {
                        let new = try NewPassword(account.password, for: account.account)
                        guard let hash = PasswordHash(new.password, cost: cost) else { throw .unusable(.noMemory) }
                        return hash
                    } catch {
                        throw WireError(.general(.invalidArgument), error.description, reason: error.reason)
                    }
                }
            )
        }
        if case .queued = answer { return }
        refuse()
    }

    private func missing(_ credentials: Credentials) -> String {
        switch mode {
        case .open: "params.account is missing; it must be the name to sign in as"
        case .accounts: "this hub requires params.account and params.password, those of `callhub account add`"
        case .token: "this hub requires params.token, a signed token (JWT)"
        case .accountsAndTokens: "this hub requires params.account with params.password, or params.token"
        }
    }

    /// Verifies an account's password.
    ///
    /// A refusal costs one hash of each cost that any account has, and one of the configured cost, whatever the name.
    /// Hashes keep the cost that they were created at: with one alone, the time would distinguish accounts of different
    /// costs, and unknown ones.
    private func authenticate(
        _ name: String,
        _ text: String,
        _ credentials: Credentials,
        _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
    ) {
        let (accountCache, cost, store, verify) = (accountCache, cost, store, verify)
        store.read { file throws(StoreError) in
            try file.password(of: name)
        } then: { [weak self] result in
            guard case .success(let stored) = result else {
                let message = "the hub cannot verify passwords now; try again in a moment"
                return then(.failure(AuthenticationRefusal(.unavailable, message)))
            }
            guard let self else { return }
            queueVerification(at: credentials, on: passwords, then) { () throws(AuthenticationRefusal) in
                let hash = stored.flatMap { PasswordHash(text: $0.hash) }
                guard let password = try? Password(text) else { throw .wrongPassword }
                let matches = hash.map { verify($0, password) } ?? false
                guard matches, let stored, let hash, let account = accountCache[name], !account.isDisabled else {
                    for other in accountCache.passwordCosts.union([cost.text]) where other != hash?.costText {
                        _ = PasswordHash.decoy(costText: other).map { verify($0, password) }
                    }
                    throw .wrongPassword
                }
                if hash.needsRehash(cost), let fresh = PasswordHash(password, cost: cost) {
                    store.perform { file throws(StoreError) in
                        try file.replacePasswordHash(stored.hash, by: fresh.text, of: name)
                    } then: { result in
                        // If it failed, the next sign-in tries again.
                        if case .success = result { accountCache.noteRehash(of: name, at: fresh.costText) }
                    }
                }
                return AuthenticatedIdentity(account, passwordVersion: stored.version)
            }
        }
    }

    /// Queues a verification in the lane of its client.
    ///
    /// - Parameters:
    ///   - credentials: The credentials, with the lane.
    ///   - thread: The thread.
    ///   - then: Called with the result, or with the refusal of a full queue, on any thread.
    ///   - body: The verification, run on the thread.
    func queueVerification<Value: Sendable>(
        at credentials: Credentials,
        on thread: LowPriorityWorker,
        _ then: @escaping @Sendable (Result<Value, AuthenticationRefusal>) -> Void,
        _ body: @escaping @Sendable () throws(AuthenticationRefusal) -> Value
    ) {
        let refuse = { @Sendable in
            let message = "too many sign-ins are pending; try again in a few seconds"
            then(.failure(AuthenticationRefusal(.unavailable, message)))
        }
        let answer = thread.add(
            of: credentials.queueLane ?? "",
            atMost: credentials.queueLane.map { _ in Self.maximumPerLane },
            while: credentials.isStillAwaited,
            orDrop: refuse
        ) {
            then(Result { () throws(AuthenticationRefusal) in try body() })
        }
        switch answer {
        case .queued: break
        case .clientQueueFull:
            let message =
                "\(Self.maximumPerLane) sign-ins of this address, or tokens of this account, are pending; "
                + "try again when they are complete"
            then(.failure(AuthenticationRefusal(.tooManyAtOnce, message)))
        case .queueFull: refuse()
        }
    }

    /// The maximum number of pending sign-ins of one address, or of pending fresh tokens of one account.
    ///
    /// More: more phones of one office sign in without a retry; a client that guesses has more attempts verified
    /// before it must wait.
    static let maximumPerLane = 8
}

extension AuthenticationRefusal {
    /// The same refusal for every cause, so that it does not reveal whether the account exists.
    fileprivate static var wrongPassword: AuthenticationRefusal {
        AuthenticationRefusal(.wrongPassword, "the name or the password is wrong")
    }
}

extension AuthenticatedIdentity {
    /// Creates the identity of an account whose password or passkey was verified.
    init(_ account: StoredAccount, passwordVersion version: Int64) {
        let handles = account.handles.isEmpty ? [.generic(account.name)] : account.handles
        self.init(account: account.name, handles: handles)
        if account.isAdmin { permissions.insert(.admin) }
        passwordVersion = version
    }
}
