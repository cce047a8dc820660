import HubConfiguration
import HubEngine
import HubServer
import HubStore

/// Applies the changes that commands make to accounts and invitations while the hub runs.
final class AccountChangeHandler: Sendable {
    let accountCache = AccountCache()
    let server = Deferred<HubServer>()
    let tokens = Deferred<TokenAuthenticator>()
    private let mode: AuthMode
    let log: HubLog

    init(_ mode: AuthMode, _ log: HubLog) {
        self.mode = mode
        self.log = log
    }

    /// Applies changes of accounts that the hub itself has made; called on the store's thread.
    ///
    /// - Parameters:
    ///   - accounts: All accounts.
    ///   - erased: The names of the accounts whose data is to be removed from memory.
    func apply(_ accounts: [StoredAccount], erased: [String] = []) {
        accountCache.take(accounts)
        server.use { [mode] in
            $0.take(HubStoreLoader.provisioned(accounts, mode), erased: erased)
            $0.setNeedsSetup(HubStoreLoader.needsSetup(accounts, mode))
        }
    }

    /// Applies a revocation by a user; called on the store's thread.
    func revoked(_ invitation: InvitationID) {
        log(.info, "invitation revoked", ["invitation": invitation.text])
        tokens.use { [server] tokens in
            tokens.noteRevoked(invitation)
            server.use { $0.endGuests(of: [invitation]) }
        }
    }

    /// Applies a change; called on the store's thread.
    func take(_ change: AccountsChange) {
        accountCache.take(change.accounts)
        server.use { [mode] in
            $0.take(HubStoreLoader.provisioned(change.accounts, mode), erased: change.erased)
            $0.setNeedsSetup(HubStoreLoader.needsSetup(change.accounts, mode))
        }
        tokens.use { [server, log] tokens in
            let revoked = tokens.updateRevokedInvitations(change.revokedInvitations)
            if let key = change.secrets[InvitationTokens.secret], tokens.replaceInvitationKey(key) {
                log(.info, "links revoked")
                server.use { $0.endGuests() }
            } else if !revoked.isEmpty {
                log(.info, "link revoked", ["link": revoked.map(\.text).sorted().joined(separator: ", ")])
                server.use { $0.endGuests(of: revoked) }
            }
        }
    }
}
