import HubEngine
import HubWire

/// What an operator changes of an account reaches those who are signed in by its password, at once.
///
/// Tokens and links say for themselves what their bearers may do, and until when.
extension Hub {
    /// An account is as the hub's list says from now on.
    func holdToList(_ account: ListedAccount) {
        var isHeldToHandles = false
        for session in sessions.of(account.name) {
            guard let version = session.passwordVersion else { continue }
            // Somebody may have the old password who should not: he is not waited for.
            guard version >= account.passwordVersion else {
                signOut(session, .signedOut)
                continue
            }
            if !account.isAdmin, session.permissions.remove(.admin) != nil {
                log(.info, "administrator no more", ["account": account.name, "session": session.name])
            }
            guard !session.hasOnly(account.handlesOrName) else { continue }
            session.endsAt = clock.now
            isHeldToHandles = true
        }
        guard isHeldToHandles else { return }
        expiryDue = clock.now
        expireSessions(at: clock.now)
        arm()
    }

    /// What was found out of somebody, held to the list as it has become meanwhile; nil: his password is another one now.
    func heldToList(_ admission: Admission) -> Admission? {
        guard let version = admission.passwordVersion, let account = directory.listing(of: admission.account) else {
            return admission
        }
        guard version >= account.passwordVersion else { return nil }
        var admission = admission
        if !account.isAdmin { admission.permissions.remove(.admin) }
        return admission
    }
}

extension ClientSession {
    /// Whether each of its handles is one of these.
    fileprivate func hasOnly(_ handles: [Handle]) -> Bool {
        let keys = Set(handles.map(\.key))
        return self.handles.allSatisfy { keys.contains($0.key) }
    }
}
