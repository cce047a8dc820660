import HubEngine
import HubWire

/// The expiry of sessions that a token has opened: without a fresh token they end, but no call is cut off.
///
/// The token's remaining life is measured by the wall clock when the token is accepted. It runs down by the hub's
/// clock, which never jumps: setting the wall clock later neither ends nor prolongs sessions.
extension Hub {
    /// Verifies a fresh token, one at a time for each session, in the lane of its account.
    func refresh(_ token: String, of session: ClientSession, _ context: RequestContext) {
        guard let authenticator = signIn.authenticator, session.endsAt != nil, session.passwordVersion == nil else {
            return refuse(WireError(.notFound, "this session does not expire; it needs no token"), to: context)
        }
        if let refusal = signIn.refusalOfRefresh(by: session, at: clock.now) {
            admissionControl.noteRefusedSignIn()
            return refuse(refusal, to: context)
        }
        let credentials = signIn.beginRefresh(by: token, of: session)
        pending.insert(context)
        authenticator.authenticate(credentials) {
            [thread = transport?.thread, id = session.id, token = context.token] verdict in
            thread?.run { hub in
                guard let session = hub.sessions[id] else { return }
                session.pendingRefresh = nil
                hub.reply(hub.refresh(session, by: verdict), to: token)
            }
        }
    }

    /// Prolongs a session by the verdict about a fresh token.
    private func refresh(
        _ session: ClientSession,
        by verdict: Result<AuthenticatedIdentity, AuthenticationRefusal>
    ) -> Result<ReplyPayload, WireError> {
        switch verdict {
        case .failure(let refusal): return .failure(WireError(refusal, using: &random))
        case .success(let identity):
            guard FoldedName(identity.account) == session.accountKey, let end = identity.expiresAt else {
                let message = "the token is for another account; session.open signs in as that one"
                return .failure(WireError(.notAllowed, message))
            }
            guard session.permissions.isSubset(of: identity.permissions) else {
                let message = "the token permits less than this session may do; sign in again with fewer permissions"
                return .failure(WireError(.notAllowed, message))
            }
            session.endsAt = clock.instant(ofDate: end)
            return .success(.refreshed(expiresAt: end))
        }
    }

    /// Ends the expired sessions that have no call.
    func expireSessions(at now: Instant) {
        let expired = signIn.expiredSessions(of: sessions, at: now) { records.ongoingCalls(of: $0) > 0 }
        for session in expired { signOut(session, .expired) }
    }

    /// Ends the sessions of guests whose invitations are revoked; those in a call end after it.
    ///
    /// - Parameter invitations: The invitations; nil: all.
    func endGuests(of invitations: Set<InvitationID>? = nil) {
        let now = clock.now
        for session in sessions.all {
            guard let invitation = session.invitation, invitations?.contains(invitation) ?? true else { continue }
            session.endsAt = now
        }
        signIn.checkExpiry(at: now)
        expireSessions(at: now)
        arm()
    }
}
