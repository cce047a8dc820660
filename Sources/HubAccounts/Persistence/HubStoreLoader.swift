import Foundation
import HubConfiguration
import HubEngine
import HubServer
import HubStore

/// Opens a hub's database and loads the state that the hub starts with.
enum HubStoreLoader {
    /// Opens the database.
    ///
    /// - Parameters:
    ///   - path: The path of the file, or `:memory:`.
    ///   - settings: The hub's settings, whose limits the store applies.
    ///   - log: The log for the store's warnings.
    ///   - accountsChanged: Called when a command has changed the accounts.
    /// - Returns: The open store.
    /// - Throws: `ServeError` if the database cannot be opened.
    static func open(
        _ path: String,
        _ settings: HubSettings,
        _ log: HubLog,
        accountsChanged: @escaping @Sendable (AccountsChange) -> Void
    ) throws(ServeError) -> Store {
        var wanted = StoreSettings(path)
        wanted.limits = settings.accountData
        wanted.warn = { log(.warning, "database warning", ["what": $0, "file": path]) }
        wanted.accountsChanged = accountsChanged
        do throws(StoreError) {
            return try Store(wanted)
        } catch {
            throw ServeError("\(error.description).")
        }
    }

    /// Loads the stored state; blocks until it is read.
    ///
    /// - Parameters:
    ///   - store: A store that was just opened.
    ///   - mode: The authentication mode; an open hub ignores the accounts that an operator has created.
    ///   - log: The log for damaged records, which are left out.
    ///   - accounts: Called with all stored accounts.
    /// - Returns: The state that the hub starts with, and the invitations that were revoked individually.
    /// - Throws: `ServeError` if the database cannot be read.
    static func load(
        _ store: Store,
        _ mode: AuthMode,
        _ log: HubLog,
        accounts: ([StoredAccount]) -> Void
    ) throws(ServeError) -> (state: StoredState, revokedInvitations: Set<InvitationID>) {
        let stored: StoredHub
        do throws(StoreError) {
            stored = try store.load()
        } catch {
            throw ServeError("\(error.description).")
        }
        for notice in stored.notices { log(.warning, "account changed", ["what": notice]) }
        if !stored.notices.isEmpty {
            store.perform { file throws(StoreError) in
                try file.removeNotices()
            } then: { _ in
                // If it fails, the next hub logs them again.
            }
        }
        for warning in stored.warnings { log(.warning, "left out", ["what": warning]) }
        accounts(stored.accounts)
        var state = StoredState()
        state.storedAccounts = stored.storedData
        state.provisioned = provisioned(stored.accounts, mode)
        state.unprovisionedAccounts = stored.accounts
            .filter { mode.allowsUnprovisionedAccounts && !state.isProvisioned($0.name) }
            .sorted { $0.lastSeenAt < $1.lastSeenAt }
            .map { account in
                AccountRecord(
                    name: account.name,
                    handles: account.handles.isEmpty ? [.generic(account.name)] : account.handles,
                    profile: account.profile,
                    isListedByDefault: mode == .open
                )
            }
        return (state, stored.revokedInvitations)
    }

    /// The key that signs the hub's own invitations, generated on first use.
    ///
    /// - Parameter store: The store that keeps the key.
    /// - Returns: The key in its stored form.
    /// - Throws: `ServeError` if the key cannot be read or stored.
    static func invitationKey(_ store: Store) throws(ServeError) -> [UInt8] {
        do throws(StoreError) {
            return try store.secret(InvitationTokens.secret, orGenerate: InvitationTokens.freshKey)
        } catch {
            throw ServeError("\(error.description).")
        }
    }

    /// Indicates that the hub has no account, so that nobody can sign in; false in a mode in which others can.
    static func needsSetup(_ accounts: [StoredAccount], _ mode: AuthMode) -> Bool {
        mode == .accounts && !accounts.contains(where: \.isProvisioned)
    }

    /// Returns the accounts that an operator has created and not disabled; none in a mode without passwords.
    static func provisioned(_ accounts: [StoredAccount], _ mode: AuthMode) -> [AccountRecord] {
        guard mode.usesAccounts else { return [] }
        return accounts.filter { $0.isProvisioned && !$0.isDisabled }
            .map { account in
                AccountRecord(
                    name: account.name,
                    handles: account.handles,
                    isAdmin: account.isAdmin,
                    passwordVersion: account.passwordVersion,
                    profile: account.profile,
                    passkeys: account.passkeys
                )
            }
    }
}

extension StoredState {
    fileprivate func isProvisioned(_ name: String) -> Bool { provisioned.contains { $0.name == name } }
}
