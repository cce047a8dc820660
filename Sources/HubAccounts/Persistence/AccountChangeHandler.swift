import HubConfiguration
import HubEngine
import HubServer
import HubStore
import Synchronization

/// Applies the changes that commands make to accounts and invitations while the hub runs.
final class AccountChangeHandler: Sendable {
    let accountCache = AccountCache()
    let server = Deferred<HubServer>()
    let tokens = Deferred<TokenAuthenticator>()
    /// The body to call with the first account of a hub that had none.
    let firstAccount = Deferred<@Sendable (String) -> Void>()
    /// The handler of the key of tokens for users of an OpenID provider, when it is read again.
    let openIDKey = ChangeListener<[UInt8]>()
    private let mode: AuthMode
    private let needsSetup = Mutex(false)
    let log: HubLog

    init(_ mode: AuthMode, _ log: HubLog) {
        self.mode = mode
        self.log = log
    }

    /// Takes the accounts that the hub starts with.
    ///
    /// - Parameter accounts: All accounts.
    /// - Returns: True if there is none, so that nobody can sign in.
    func load(_ accounts: [StoredAccount]) -> Bool {
        accountCache.take(accounts)
        let isMissing = HubStoreLoader.needsSetup(accounts, mode)
        needsSetup.withLock { $0 = isMissing }
        return isMissing
    }

    /// Indicates that there is no account, as far as the hub knows.
    var isSetupNeeded: Bool { needsSetup.withLock { $0 } }

    /// Notes whether the hub has an account, and announces the first one.
    private func noteSetup(_ accounts: [StoredAccount]) {
        let isMissing = HubStoreLoader.needsSetup(accounts, mode)
        server.use { $0.setNeedsSetup(isMissing) }
        let wasMissing = needsSetup.withLock { needed in
            defer { needed = isMissing }
            return needed
        }
        guard wasMissing, !isMissing, let first = accounts.first(where: \.isProvisioned) else { return }
        firstAccount.use { $0(first.name) }
    }

    /// Applies changes of accounts that the hub itself has made; called on the store's thread.
    ///
    /// - Parameters:
    ///   - accounts: All accounts.
    ///   - erased: The names of the accounts whose data is to be removed from memory.
    func apply(_ accounts: [StoredAccount], erased: [String] = []) {
        accountCache.take(accounts)
        server.use { [mode] in $0.take(HubStoreLoader.provisioned(accounts, mode), erased: erased) }
        noteSetup(accounts)
    }

    /// Applies a change that the hub has made to an account for its user; called on the store's thread.
    ///
    /// - Parameters:
    ///   - name: The name of the account.
    ///   - what: The change, for the log.
    ///   - accounts: All accounts.
    func changed(_ name: String, _ what: StaticString, _ accounts: [StoredAccount]) {
        log(.info, what, ["account": name])
        apply(accounts)
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
        }
        noteSetup(change.accounts)
        if let key = change.secrets[StoreFile.openIDKey] { openIDKey.notify(key) }
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
