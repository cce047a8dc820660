import Foundation
import HubEngine
import HubServer
import HubStore

/// The database of a hub: where it is, and what it has when the hub starts.
enum HubStoreFile {
    /// The file's name in the data directory.
    static let name = "callhub.db"

    /// Opens it.
    ///
    /// - Parameters:
    ///   - path: The file, or `:memory:`.
    ///   - settings: The hub's.
    ///   - log: For what an operator must know.
    ///   - accountsChanged: Told when a command has changed the accounts.
    /// - Returns: The store.
    /// - Throws: `ServeError` where it cannot be had.
    static func open(
        _ path: String,
        _ settings: HubSettings,
        _ log: HubLog,
        accountsChanged: @escaping @Sendable (AccountsChange) -> Void
    ) throws(ServeError) -> Store {
        var wanted = StoreSettings(path)
        wanted.limits = settings.memory
        wanted.warn = { log(.warning, "the store says", ["what": $0, "file": path]) }
        wanted.accountsChanged = accountsChanged
        do throws(StoreFailure) {
            return try Store(wanted)
        } catch {
            throw ServeError("\(error.description).")
        }
    }

    /// Reads what is kept, waiting for it.
    ///
    /// - Parameters:
    ///   - store: Just opened.
    ///   - mode: Who may sign in: accounts that an operator has made mean nothing to an open hub.
    ///   - log: For what was damaged and left out.
    ///   - accounts: Gets all accounts.
    /// - Returns: What the hub begins with, and the links that were revoked one by one.
    /// - Throws: `ServeError` where it cannot be read.
    static func load(
        _ store: Store,
        _ mode: AuthMode,
        _ log: HubLog,
        accounts: ([StoredAccount]) -> Void
    ) throws(ServeError) -> (state: StoredState, revokedLinks: Set<CallLinkID>) {
        let stored: StoredHub
        do throws(StoreFailure) {
            stored = try store.load()
        } catch {
            throw ServeError("\(error.description).")
        }
        for warning in stored.warnings { log(.warning, "left out", ["what": warning]) }
        accounts(stored.accounts)
        var state = StoredState()
        state.memories = stored.remembered
        state.listed = listed(stored.accounts, mode)
        state.visitors = stored.accounts
            .filter { mode.takesStrangers && !state.isListed($0.name) }
            .sorted { $0.lastSeenAt < $1.lastSeenAt }
            .map { ListedAccount(name: $0.name, handles: $0.handles.isEmpty ? [.generic($0.name)] : $0.handles) }
        return (state, stored.revokedLinks)
    }

    /// The key of the hub's own links, made the first time.
    ///
    /// - Parameter store: Where it is kept.
    /// - Returns: As it is kept.
    /// - Throws: `ServeError` where it cannot be kept.
    static func linkKey(_ store: Store) throws(ServeError) -> [UInt8] {
        do throws(StoreFailure) {
            return try store.secret(GuestLink.secret, orMake: GuestLink.freshKey)
        } catch {
            throw ServeError("\(error.description).")
        }
    }

    /// The accounts that an operator has made and lets sign in.
    static func listed(_ accounts: [StoredAccount], _ mode: AuthMode) -> [ListedAccount] {
        guard mode.usesAccounts else { return [] }
        return accounts.filter { $0.isRegistered && !$0.isDisabled }
            .map { account in
                ListedAccount(
                    name: account.name,
                    handles: account.handles,
                    isAdmin: account.isAdmin,
                    passwordVersion: account.passwordVersion
                )
            }
    }
}

extension StoredState {
    fileprivate func isListed(_ name: String) -> Bool { listed.contains { $0.name == name } }
}
