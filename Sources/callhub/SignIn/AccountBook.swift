import Foundation
import HubEngine
import HubStore

/// The accounts that an operator has made, as they were when the store was last looked at.
final class AccountBook: @unchecked Sendable {
    private let lock = NSLock()
    private var accounts: [String: StoredAccount] = [:]

    /// Takes over what the store has now.
    func take(_ accounts: [StoredAccount]) {
        let registered = accounts.filter(\.isRegistered)
        let byName = Dictionary(registered.map { ($0.name, $0) }) { first, _ in first }
        lock.withLock { self.accounts = byName }
    }

    /// An account by its name; nil: nobody has made it.
    subscript(name: String) -> StoredAccount? {
        lock.withLock { accounts[name] }
    }
}
