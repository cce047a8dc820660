import HubCrypto
import HubEngine
import HubWire

/// The verification of credentials, and the expiry of sessions.
///
/// Owns the limits of failed sign-ins and of fresh tokens, the messages that wait for a verdict, and the time of the
/// next expiry check. It makes the decisions; the hub answers, opens sessions and ends them.
struct SignInService {
    /// The authenticator; nil: any account name is accepted.
    let authenticator: (any Authenticator)?
    /// The ID of this run of the hub: sessions of earlier runs are gone.
    private let run: String
    private var pendingSignIns = PendingSignIns()
    private var failedSignInLimits = FailedSignInLimits()
    private var passkeyChallenges = PasskeyChallenges()
    /// The origins of web pages, by their connections.
    private var origins: [ConnectionID: String] = [:]
    private var refreshes = KeyedTokenBuckets<RateLimitKey>(burst: Double(refreshBurst), perSecond: 1)
    /// The time of the next check for expired sessions; nil: no session expires.
    private(set) var nextDeadline: Instant?

    /// Makes a service for one run of the hub.
    ///
    /// - Parameters:
    ///   - authenticator: The authenticator; nil: any account name is accepted.
    ///   - run: The ID of this run of the hub.
    init(_ authenticator: (any Authenticator)?, run: String) {
        self.authenticator = authenticator
        self.run = run
    }

    // MARK: Resume tokens

    /// Returns a new resume token, which has the ID of this run.
    func makeResumeToken(using random: inout RandomSource) -> ResumeToken { ResumeToken(run: run, by: &random) }

    /// Indicates that a resume token is of another run of the hub.
    func isOfAnotherRun(_ resume: SessionOpenRequest.Resume) -> Bool {
        ResumeToken.isOfAnotherRun(resume.token, than: run)
    }

    // MARK: Verification

    /// Checks if too many sign-ins have failed before.
    ///
    /// - Parameters:
    ///   - open: The client's request.
    ///   - address: The address of the client.
    ///   - now: The time.
    /// - Returns: The error; nil: the credentials may be verified.
    func refusalOfRepeatedFailure(_ open: SessionOpenRequest, from address: IPAddress?, at now: Instant) -> WireError? {
        guard let authenticator, authenticator.authenticateAtOnce(Credentials(open)) == nil, let address,
            let wait = failedSignInLimits.wait(open.account, from: address, device: open.device.id, at: now.nanoseconds)
        else { return nil }
        return Self.refusal(until: wait)
    }

    /// Checks if too many passwords of a session's account were wrong before, at sign-ins and in its sessions.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - address: The address of its client.
    ///   - now: The time.
    /// - Returns: The error; nil: a password may be verified.
    func refusalOfRepeatedFailure(by session: ClientSession, from address: IPAddress, at now: Instant) -> WireError? {
        failedSignInLimits.wait(session.account, from: address, device: session.device.id, at: now.nanoseconds)
            .map { Self.refusal(until: $0) }
    }

    /// Notes a wrong password that a signed-in user has given.
    mutating func noteFailure(by session: ClientSession, from address: IPAddress, at now: Instant) {
        failedSignInLimits.note(session.account, from: address, device: session.device.id, at: now.nanoseconds)
    }

    /// Checks if too many sign-ins of an address have failed before, for a request that is no sign-in.
    ///
    /// - Parameters:
    ///   - address: The address of the client.
    ///   - now: The time.
    /// - Returns: The error; nil: the request may be executed.
    func refusalOfRepeatedFailure(from address: IPAddress, at now: Instant) -> WireError? {
        failedSignInLimits.wait(nil, from: address, device: nil, at: now.nanoseconds).map(Self.refusal)
    }

    /// Notes a failed attempt of an address that is no sign-in.
    mutating func noteFailure(from address: IPAddress, at now: Instant) {
        failedSignInLimits.note(nil, from: address, device: nil, at: now.nanoseconds)
    }

    private static func refusal(until wait: Int) -> WireError {
        let message = "too many failed sign-ins; wait \(wait) seconds before the next one"
        return WireError(.tooMany, message, retryAfterSeconds: wait)
    }

    /// Begins to queue the messages of a client whose request is executed before its sign-in.
    ///
    /// - Parameter id: The connection.
    /// - Returns: A closure that is true while the client waits; safe on any thread.
    mutating func beginVerification(on id: ConnectionID) -> @Sendable () -> Bool {
        let cancellationFlag = pendingSignIns.begin(id)
        return { cancellationFlag.isWaiting }
    }

    /// Begins to queue the messages of a client whose credentials are verified.
    ///
    /// - Parameters:
    ///   - open: The client's request.
    ///   - id: The connection.
    ///   - address: The address of the client; nil: it has no lane of its own in the verification queue.
    ///   - now: The time.
    /// - Returns: The credentials, with the lane and a flag that the client still waits.
    mutating func beginVerification(
        of open: SessionOpenRequest,
        on id: ConnectionID,
        from address: IPAddress?,
        at now: Instant
    ) -> Credentials {
        var credentials = Credentials(open)
        credentials.queueLane = address.map {
            failedSignInLimits.lane(of: open.account, from: $0, device: open.device.id, at: now.nanoseconds)
        }
        let cancellationFlag = pendingSignIns.begin(id)
        credentials.isStillAwaited = { cancellationFlag.isWaiting }
        return credentials
    }

    /// Indicates that the credentials of a client are being verified.
    func isVerifying(_ id: ConnectionID) -> Bool { pendingSignIns.contains(id) }

    /// Queues a message of a client whose credentials are being verified; false: the queue is full.
    mutating func enqueue(_ text: UnsafeRawBufferPointer, of id: ConnectionID) -> Bool {
        pendingSignIns.enqueue(text, of: id)
    }

    /// Ends a verification; returns the messages that the client has sent meanwhile, in order.
    mutating func endVerification(on id: ConnectionID) -> [[UInt8]] { pendingSignIns.end(id) }

    /// Notes a verdict, for the limits of failed sign-ins.
    ///
    /// - Parameters:
    ///   - verdict: The verdict.
    ///   - open: The client's request.
    ///   - address: The address of the client.
    ///   - now: The time.
    mutating func note(
        _ verdict: Result<AuthenticatedIdentity, AuthenticationRefusal>,
        of open: SessionOpenRequest,
        from address: IPAddress,
        at now: Instant
    ) {
        switch verdict {
        case .success(let identity):
            guard open.token == nil, open.invitation == nil, open.openID == nil else { return }
            failedSignInLimits.noteSuccess(identity.account, from: address, device: open.device.id, at: now.nanoseconds)
        case .failure(let refusal):
            guard refusal.kind.countsAsFailedAttempt else { return }
            failedSignInLimits.note(open.account, from: address, device: open.device.id, at: now.nanoseconds)
        }
    }
}

// MARK: Passkeys

extension SignInService {
    /// Notes the origin of a connection's page.
    mutating func noteOpened(_ id: ConnectionID, origin: String?) {
        if let origin { origins[id] = origin }
    }

    /// Forgets the origin of a connection that has ended.
    mutating func noteClosed(_ id: ConnectionID) { origins[id] = nil }

    /// Returns the site of a connection's page, for passkeys.
    ///
    /// - Parameter id: The connection.
    /// - Returns: The site.
    /// - Throws: `WireError` if the client is no page, or its page cannot have passkeys.
    func passkeySite(of id: ConnectionID) throws(WireError) -> PasskeySite {
        guard let origin = origins[id] else {
            throw WireError(.notAllowed, "passkeys are for web pages; this connection has no Origin header")
        }
        guard let site = PasskeySite(origin: origin) else {
            let message = "pages of this address cannot have passkeys; open the page by https and a host name"
            throw WireError(.notAllowed, message)
        }
        return site
    }

    /// Issues a challenge for a sign-in.
    ///
    /// - Parameters:
    ///   - site: The site of the page.
    ///   - address: The address of the client; nil: an exempt one.
    ///   - now: The time.
    ///   - random: The source of randomness.
    /// - Returns: The challenge.
    mutating func issueChallenge(
        for site: PasskeySite,
        to address: IPAddress?,
        at now: Instant,
        using random: inout RandomSource
    ) -> PasskeyChallenge {
        let challenge = passkeyChallenges.issue(for: site, to: address?.rateLimitAddress, at: now, using: &random)
        return PasskeyChallenge(challenge, site: site.id, timeoutSeconds: PasskeyChallenges.lifetimeSeconds)
    }

    /// Takes the challenge that the use of a passkey signs, so that no other one can use it.
    ///
    /// - Parameters:
    ///   - assertion: The use of the passkey.
    ///   - id: The connection.
    ///   - now: The time.
    /// - Returns: The assertion with the challenge and the site; nil: no such challenge was issued for this page.
    mutating func takeChallenge(
        of assertion: PasskeyAssertion,
        on id: ConnectionID,
        at now: Instant
    ) -> PasskeySignIn? {
        guard let challenge = assertion.claimedChallenge,
            let site = passkeyChallenges.take(challenge, at: now), site == (try? passkeySite(of: id))
        else { return nil }
        return PasskeySignIn(assertion: assertion, challenge: challenge, site: site)
    }
}

// MARK: Fresh tokens

extension SignInService {
    /// Returns an error if no further token of a session is verified now.
    mutating func refusalOfRefresh(by session: ClientSession, at now: Instant) -> WireError? {
        guard session.pendingRefresh == nil else {
            let message = "a token of this session is being verified; wait for the answer before the next one"
            return WireError(.tooMany, message, retryAfterSeconds: 1)
        }
        guard refreshes.consume(of: session.rateLimitKey, at: now.nanoseconds) else {
            let message = "more than \(Self.refreshBurst) fresh tokens of this account in a row; show one a second"
            return WireError(.tooMany, message, retryAfterSeconds: 1)
        }
        return nil
    }

    /// Begins the verification of a session's fresh token, in the lane of its account.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - session: The session.
    /// - Returns: The credentials, with the lane and a flag that the client still waits.
    func beginRefresh(by token: String, of session: ClientSession) -> Credentials {
        let cancellationFlag = CancellationFlag()
        session.pendingRefresh = cancellationFlag
        var credentials = Credentials(token: token)
        credentials.queueLane = session.rateLimitKey.lane
        credentials.isStillAwaited = { cancellationFlag.isWaiting }
        return credentials
    }

    /// The maximum number of fresh tokens in a burst.
    ///
    /// More: accounts with more devices refresh them all at once; one account has more signatures verified.
    private static let refreshBurst = 60
}

// MARK: Expiry

extension SignInService {
    /// Schedules the expiry check for a new session.
    mutating func noteExpiry(of session: ClientSession, at now: Instant) {
        if session.endsAt != nil, nextDeadline == nil { nextDeadline = now + Self.checkInterval }
    }

    /// Schedules the expiry check at once.
    mutating func checkExpiry(at now: Instant) { nextDeadline = now }

    /// Returns the expired sessions that have no call, if a check is due.
    ///
    /// - Parameters:
    ///   - sessions: All sessions.
    ///   - now: The time.
    ///   - hasCalls: Indicates that a session has calls that have not ended.
    /// - Returns: The sessions to end, in a fixed order, so that runs can be repeated.
    mutating func expiredSessions(
        of sessions: SessionTable,
        at now: Instant,
        hasCalls: (SessionID) -> Bool
    ) -> [ClientSession] {
        guard let due = nextDeadline, due <= now else { return [] }
        let expiring = sessions.all.filter { $0.endsAt != nil }
        let expired = expiring.filter { $0.hasExpired(at: now) && !hasCalls($0.id) }
        nextDeadline = expired.count < expiring.count ? now + Self.checkInterval : nil
        return expired.sorted { $0.id.index < $1.id.index }
    }

    /// The interval of expiry checks.
    ///
    /// Longer: sessions live on for as much longer; each check covers all of them.
    private static let checkInterval = Duration.seconds(1)
}

extension Credentials {
    /// Returns the credentials of a sign-in.
    init(_ open: SessionOpenRequest) {
        self.init(
            account: open.account,
            password: open.password,
            token: open.token,
            invitation: open.invitation,
            openID: open.openID
        )
    }
}

extension AuthenticationFault {
    /// True if the client may be guessing.
    var countsAsFailedAttempt: Bool {
        [.wrongPassword, .wrongToken, .openIDInvalid, .wrongPasskey, .invitationInvalid(.unknown)].contains(self)
    }
}
