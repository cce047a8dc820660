import Foundation
import HubConfiguration
import HubEngine
import HubServer
import HubStore
import HubWire

/// The sign-in by an OpenID provider (authorization code flow with PKCE; OpenID Connect Core 1.0, RFC 9700).
///
/// A browser asks for `start` and is sent to the provider, comes back with a code, which the hub exchanges, and is sent
/// to the phone with a code of the hub's own in the fragment. Two things tie the steps together: a cookie, that the
/// provider's answer comes by the browser that began; and a secret of the page, whose digest the sign-in began with,
/// that the hub's code is redeemed by the page that began. A WebSocket cannot rely on the cookie: the session may be
/// opened by a program, or on a connection that is not the browser's.
final class HubOpenID: OpenIDService, @unchecked Sendable {
    private let settings: OpenIDSettings
    private let provider: OpenIDProvider
    private let secret: String?
    private let leeway: Duration
    private let limit: Duration
    private let store: Store
    private let changes: AccountChangeHandler
    private let lifetime: Duration
    private var tokens: OpenIDTokens
    private let lock = NSLock()
    private var pending = OneTimeTable<PendingOpenIDSignIn>(
        lifetime: .seconds(600),
        capacity: 4_096,
        capacityOfLane: 256
    )
    private var grants = OneTimeTable<OpenIDGrant>(
        lifetime: .seconds(60),
        capacity: 4_096,
        capacityOfLane: 4_096
    )
    private let worker = LowPriorityWorker("callhub-openid", threads: 4, maximumQueuedJobs: 1_000)

    /// Creates the service and its threads.
    ///
    /// - Parameters:
    ///   - settings: The hub's settings; a provider is set.
    ///   - store: The store of accounts and identities.
    ///   - changes: The handler that applies new accounts to the running hub.
    /// - Throws: `ServeError` if the client's secret or the key for tokens cannot be read.
    init(_ settings: ServeSettings, _ store: Store, _ changes: AccountChangeHandler) throws(ServeError) {
        self.settings = settings.openID
        provider = OpenIDProvider(settings.openID)
        secret = try settings.openID.clientSecret()
        leeway = settings.tokens.leeway
        // The rest of the time for a request is left for its way.
        limit = settings.hub.transport.handshakeTimeout * 0.8
        (self.store, self.changes) = (store, changes)
        lifetime = .seconds(settings.openID.sessionHours * 3_600)
        tokens = try OpenIDTokens(store, lifetime: lifetime)
        changes.openIDKey.set { [weak self] in self?.replaceKey(by: $0) }
    }

    /// Makes and verifies tokens by another key from now on, if it is one.
    private func replaceKey(by stored: [UInt8]) {
        let isReplaced = lock.withLock {
            guard stored != tokens.stored, let fresh = OpenIDTokens(key: stored, lifetime: lifetime)
            else { return false }
            tokens = fresh
            return true
        }
        if isReplaced { changes.log(.info, "key of OpenID sign-ins replaced") }
    }

    deinit { worker.end() }

    /// Stops the threads.
    func stop() { worker.end() }

    var label: String { settings.shownLabel }

    // MARK: The browser's way to the provider

    func start(_ request: OpenIDRequest, _ then: @escaping @Sendable (OpenIDAnswer) -> Void) {
        guard let challenge = OpenIDSecret.challenge(request.query["challenge"]) else {
            return then(.invalid("The parameter challenge must be a SHA-256 in base64url, 43 characters."))
        }
        guard ["login", nil].contains(request.query["prompt"]) else {
            return then(.invalid("The parameter prompt must be login, or be left out."))
        }
        guard let page = request.pageURL else {
            return then(.invalid("This is not an address of the hub's; open the one in http.publicURL."))
        }
        if let metadata = provider.cachedMetadata { return then(begin(request, page, challenge, metadata)) }
        run(of: request.lane, then) { [self] requests throws(OpenIDFault) in
            begin(request, page, challenge, try provider.metadata(by: requests))
        }
    }

    private func begin(
        _ request: OpenIDRequest,
        _ page: String,
        _ challenge: [UInt8],
        _ metadata: OpenIDMetadata
    ) -> OpenIDAnswer {
        // A browser with several tabs keeps the cookie that the others need.
        let cookie = request.cookie.flatMap { OpenIDSecret.isSecret($0) ? $0 : nil } ?? OpenIDSecret.make()
        let state = OpenIDSecret.make()
        let signIn = PendingOpenIDSignIn(
            nonce: OpenIDSecret.make(),
            verifier: OpenIDSecret.make(),
            redirectURI: page + (page.hasSuffix("/") ? "" : "/") + "v1/openid/callback",
            challenge: challenge,
            cookieHash: OpenIDSecret.hash(cookie),
            lane: request.lane,
            freshSince: request.query["prompt"] == nil ? nil : Date()
        )
        lock.withLock { pending.add(signIn, as: state, of: request.lane) }
        // By max_age the ID token says when (OpenID Connect Core 1.0 section 2), whatever becomes of prompt on the way.
        let fresh = signIn.freshSince == nil ? [] : [("prompt", "login"), ("max_age", "0")]
        let parameters = [
            ("response_type", "code"), ("client_id", settings.clientID ?? ""), ("redirect_uri", signIn.redirectURI),
            ("scope", settings.scopes.joined(separator: " ")), ("state", state), ("nonce", signIn.nonce),
            ("code_challenge", Base64URL.text(of: OpenIDSecret.hash(signIn.verifier))),
            ("code_challenge_method", "S256"),
        ]
        let query = OpenIDRequests.encoded(parameters + fresh)
        let endpoint = metadata.authorizationEndpoint
        return .provider(endpoint + (endpoint.contains("?") ? "&" : "?") + query, cookie: cookie)
    }

    // MARK: The browser's way back

    func finish(_ request: OpenIDRequest, _ then: @escaping @Sendable (OpenIDAnswer) -> Void) {
        do throws(OpenIDFault) {
            let signIn = try takePending(request)
            try checkIssuer(request)
            if let error = request.query["error"] {
                guard error != "access_denied" else { throw .denied }
                throw .refused(OpenIDExchange.errorWord(error) ?? "an error")
            }
            guard let code = request.query["code"], !code.isEmpty else { throw .badAnswer("it sends no code") }
            run(of: request.lane, then) { [self] requests throws(OpenIDFault) in
                let exchange = OpenIDExchange(provider: provider, requests: requests, secret: secret, leeway: leeway)
                let (identity, claims) = try exchange.identity(by: code, of: signIn)
                complete(identity, claims, signIn, then)
                return nil
            }
        } catch {
            then(answer(to: error))
        }
    }

    /// Takes the sign-in of a provider's answer, which is used up by that, whatever comes of it.
    private func takePending(_ request: OpenIDRequest) throws(OpenIDFault) -> PendingOpenIDSignIn {
        guard let state = request.query["state"], let signIn = lock.withLock({ pending.take(state) }) else {
            throw .expired
        }
        guard let cookie = request.cookie, OpenIDSecret.isEqual(OpenIDSecret.hash(cookie), signIn.cookieHash) else {
            throw .otherBrowser
        }
        return signIn
    }

    /// Refuses an answer of another provider (RFC 9207).
    private func checkIssuer(_ request: OpenIDRequest) throws(OpenIDFault) {
        let issuer = settings.issuer ?? ""
        guard let named = request.query["iss"] else {
            guard provider.cachedMetadata?.namesItselfInAnswers != true else {
                throw .token("the answer does not name its issuer, which the provider's answers do")
            }
            return
        }
        guard named.utf8.elementsEqual(issuer.utf8) else { throw .token("the answer is of another issuer") }
    }

    /// Finds or creates the account, and sends the browser to the phone with a code for it.
    private func complete(
        _ identity: ExternalIdentity,
        _ claims: ExternalProfile,
        _ signIn: PendingOpenIDSignIn,
        _ then: @escaping @Sendable (OpenIDAnswer) -> Void
    ) {
        store.perform { [cache = changes.accountCache] file throws(StoreError) in
            let found = try file.signIn(by: identity, claims)
            var accounts: [StoredAccount]?
            if case .success(let account) = found {
                // The hub notices an operator's command a moment later.
                let isKnown = !account.isChanged && cache[account.account]?.isDisabled == false
                if !isKnown { accounts = try file.accounts() }
            }
            return (found, accounts)
        } then: { [self] result in
            guard case .success(let (found, accounts)) = result else { return then(answer(to: .store)) }
            if let accounts { changes.apply(accounts) }
            switch found {
            case .failure(let fault): then(answer(to: .identity(fault)))
            case .success(let found):
                changes.log(.info, "signed in by the provider", ["account": found.account])
                if found.staysLastAdministrator {
                    let sentence: StaticString = "the last administrator stays one, whatever the provider says"
                    changes.log(.warning, sentence, ["account": found.account])
                }
                let code = OpenIDSecret.make()
                let grant = OpenIDGrant(
                    account: found.account,
                    challenge: signIn.challenge,
                    isFresh: signIn.freshSince != nil
                )
                lock.withLock { grants.add(grant, as: code) }
                then(.phone(fragment: "openid=\(code)"))
            }
        }
    }

    private func answer(to fault: OpenIDFault) -> OpenIDAnswer {
        changes.log(.warning, "sign-in by the provider failed", ["reason": fault.reason])
        return .phone(fragment: "openid-error=\(fault.word)")
    }

    /// Runs requests to the provider on a thread of the service.
    ///
    /// - Parameters:
    ///   - lane: The address of the client; those of several take turns.
    ///   - then: Called with the answer, or that to a fault.
    ///   - body: The requests; they return nil if they have called `then`, or will.
    private func run(
        of lane: String?,
        _ then: @escaping @Sendable (OpenIDAnswer) -> Void,
        _ body: @escaping @Sendable (OpenIDRequests) throws(OpenIDFault) -> OpenIDAnswer?
    ) {
        let end = ContinuousClock.now + limit
        let refuse = { @Sendable [self] in then(answer(to: .busy)) }
        let added = worker.add(of: lane ?? "", atMost: lane.map { _ in 64 }, orDrop: refuse) { [self] in
            do throws(OpenIDFault) {
                let requests = try OpenIDRequests(settings, within: end - .now) { true }
                if let answer = try body(requests) { then(answer) }
            } catch {
                then(answer(to: error))
            }
        }
        if added != .queued { refuse() }
    }
}

// MARK: The session

extension HubOpenID: OpenIDAdmission {
    /// Admits the page or program that began a sign-in, once; or one that has a token of an earlier session.
    func admit(
        _ proof: SessionOpenRequest.OpenIDProof,
        at now: Date
    ) throws(AuthenticationRefusal) -> AuthenticatedIdentity {
        let name: String
        var token: OpenIDTokens.Token?
        var isFresh = false
        switch proof {
        case .code(let code, let verifier):
            guard let grant = lock.withLock({ grants.take(code) }),
                OpenIDSecret.isEqual(OpenIDSecret.hash(verifier), grant.challenge)
            else { throw .openIDInvalid("the code is used, older than a minute, or of another page; sign in again") }
            (name, isFresh) = (grant.account, grant.isFresh)
        case .token(let text):
            guard let known = lock.withLock({ tokens }).verify(text, at: now) else {
                throw .openIDInvalid("the token has expired, or is not this hub's; sign in again")
            }
            (name, token) = (known.account, known)
        }
        guard let account = changes.accountCache[name], !account.isDisabled,
            token.map({ $0.version == account.passwordVersion }) ?? true
        else { throw .openIDInvalid("the account may not sign in any more; ask the server's administrator") }
        let fresh = token ?? lock.withLock { tokens }.make(for: account.name, version: account.passwordVersion, at: now)
        var identity = AuthenticatedIdentity(account, by: fresh)
        identity.isFresh = isFresh
        return identity
    }
}

extension AuthenticationRefusal {
    fileprivate static func openIDInvalid(_ message: String) -> AuthenticationRefusal {
        AuthenticationRefusal(.openIDInvalid, message)
    }
}

extension AuthenticatedIdentity {
    /// Creates the identity of an account whose user the provider has signed in.
    fileprivate init(_ account: StoredAccount, by token: OpenIDTokens.Token?) {
        let handles = account.handles.isEmpty ? [.generic(account.name)] : account.handles
        self.init(account: account.name, handles: handles)
        if account.isAdmin { permissions.insert(.admin) }
        passwordVersion = account.passwordVersion
        openIDToken = token?.text
        expiresAt = token?.end
    }
}
