import HubEngine
import HubWire

/// Changes of an account: they apply at once to sessions that signed in by its password or a passkey.
///
/// Sessions of tokens and invitations are not affected: these define permissions and expiry themselves.
extension Hub {
    /// Applies an account's entry in the hub's list to its sessions.
    func applyListing(_ account: AccountRecord) {
        var needsExpiryCheck = false
        for session in sessions.of(account.name) {
            guard let version = session.passwordVersion else { continue }
            // The old password may be in the wrong hands, so the session is ended even during a call.
            // Nor may a removed passkey's.
            guard version >= account.passwordVersion, session.passkey.map(account.passkeys.contains) ?? true else {
                signOut(session, .signedOut)
                continue
            }
            if !account.isAdmin, session.permissions.remove(.admin) != nil {
                log(.info, "administrator permission revoked", ["account": account.name, "session": session.name])
            }
            guard !session.hasOnly(account.handlesOrName) else { continue }
            session.endsAt = clock.now
            needsExpiryCheck = true
        }
        guard needsExpiryCheck else { return }
        signIn.checkExpiry(at: clock.now)
        expireSessions(at: clock.now)
        arm()
    }

    /// Restricts an admission to the list as it is now; nil: password or passkey have changed meanwhile.
    func restrictedToListing(_ identity: AuthenticatedIdentity) -> AuthenticatedIdentity? {
        guard let version = identity.passwordVersion,
            let account = accountData.directory.provisionedAccount(of: identity.account)
        else {
            return identity
        }
        guard version >= account.passwordVersion, identity.passkey.map(account.passkeys.contains) ?? true
        else { return nil }
        var identity = identity
        if !account.isAdmin { identity.permissions.remove(.admin) }
        return identity
    }
}

extension ClientSession {
    /// Indicates that each of the session's handles is one of these.
    fileprivate func hasOnly(_ handles: [Handle]) -> Bool {
        let keys = Set(handles.map(\.key))
        return self.handles.allSatisfy { keys.contains($0.key) }
    }
}
