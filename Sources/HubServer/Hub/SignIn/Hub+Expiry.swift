import HubEngine
import HubWire

/// The expiry of sessions that a token has opened: without a fresh token they end, but no call is cut off.
///
/// The token's remaining life is measured by the wall clock when the token is accepted. It runs down by the hub's
/// clock, which never jumps: setting the wall clock later neither ends nor prolongs sessions.
extension Hub {
    /// Verifies a fresh token, one at a time for each session, in the lane of its account.
    func refresh(_ token: String, of session: ClientSession, _ context: RequestContext) {
        guard let doorkeeper = services.doorkeeper, session.endsAt != nil, session.passwordVersion == nil else {
            return refuse(WireError(.notFound, "this session needs no token; it goes on without"), to: context)
        }
        if let refusal = refusalOfRefresh(by: session) { return refuse(refusal, to: context) }
        let attendance = Attendance()
        session.refreshing = attendance
        var credentials = Credentials(token: token)
        credentials.place = session.payer.lane
        credentials.areStillShown = { attendance.goesOn }
        pending.insert(context)
        doorkeeper.admit(credentials) { [thread = ground?.thread, id = session.id, token = context.token] verdict in
            thread?.run { hub in
                guard let session = hub.sessions[id] else { return }
                session.refreshing = nil
                hub.reply(hub.refresh(session, by: verdict), to: token)
            }
        }
    }

    /// Returns the reason why no further token of a session is verified now; nil: there is none.
    private func refusalOfRefresh(by session: ClientSession) -> WireError? {
        guard session.refreshing == nil else {
            refusals.signIns += 1
            let message = "a token of this session is being verified; wait for the answer before the next one"
            return WireError(.tooMany, message, retryAfterSeconds: 1)
        }
        guard refreshes.spend(of: session.payer, at: clock.now.nanoseconds) else {
            refusals.signIns += 1
            let message = "more than \(Self.refreshesInOneGo) fresh tokens of this account in a row; show one a second"
            return WireError(.tooMany, message, retryAfterSeconds: 1)
        }
        return nil
    }

    /// The token buckets of fresh tokens, one for each payer.
    static var refreshBuckets: Budgets<Payer> { Budgets(burst: Double(refreshesInOneGo), perSecond: 1) }

    /// The maximum number of fresh tokens in a burst.
    ///
    /// More: accounts with more devices refresh them all at once; one account has more signatures verified.
    private static let refreshesInOneGo = 60

    /// Prolongs a session by the verdict about a fresh token.
    private func refresh(
        _ session: ClientSession,
        by verdict: Result<Admission, AdmissionRefusal>
    ) -> Result<ReplyPayload, WireError> {
        switch verdict {
        case .failure(let refusal): return .failure(WireError(refusal, using: &chance))
        case .success(let admission):
            guard admission.account == session.account, let end = admission.expiresAt else {
                let message = "the token is for another account; session.open signs in as that one"
                return .failure(WireError(.notAllowed, message))
            }
            guard session.permissions.isSubset(of: admission.permissions) else {
                let message = "the token permits less than this session may do; sign in anew with fewer permissions"
                return .failure(WireError(.notAllowed, message))
            }
            session.endsAt = clock.instant(ofDate: end)
            return .success(.refreshed(expiresAt: end))
        }
    }

    /// Indicates that a session has expired, or has lost a handle: it may only end its calls.
    func isOver(_ session: ClientSession) -> Bool {
        session.endsAt.map { $0 <= clock.now } ?? false
    }

    /// Ends the expired sessions that have no call.
    func expireSessions(at now: Instant) {
        guard let due = expiryDue, due <= now else { return }
        let expiring = sessions.all.filter { $0.endsAt != nil }
        let over = expiring.filter { isOver($0) && ledger.livingCalls(of: $0.id) == 0 }
        // In a fixed order, so that runs can be repeated.
        for session in over.sorted(by: { $0.id.index < $1.id.index }) { signOut(session, .expired) }
        expiryDue = over.count < expiring.count ? now + Self.betweenLooks : nil
    }

    /// Schedules the expiry check for a new session.
    func noteExpiry(of session: ClientSession) {
        if session.endsAt != nil, expiryDue == nil { expiryDue = clock.now + Self.betweenLooks }
    }

    /// Ends the sessions of guests whose links are revoked; those in a call end after it.
    ///
    /// - Parameter links: The links; nil: all.
    func endGuests(of links: Set<CallLinkID>? = nil) {
        let now = clock.now
        for session in sessions.all {
            guard let link = session.link, links?.contains(link) ?? true else { continue }
            session.endsAt = now
        }
        expiryDue = now
        expireSessions(at: now)
        arm()
    }

    /// The interval of expiry checks.
    ///
    /// Longer: sessions live on for as much longer; each check covers all of them.
    private static let betweenLooks = Duration.seconds(1)
}
