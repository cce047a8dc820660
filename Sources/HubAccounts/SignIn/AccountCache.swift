import Foundation
import HubEngine
import HubStore

/// A cache of the accounts that an operator has created, as of the last poll of the store.
final class AccountCache: @unchecked Sendable {
    private let lock = NSLock()
    private var accounts: [FoldedName: StoredAccount] = [:]
    private var costs: Set<String> = []

    init() {}

    /// Replaces the cached accounts.
    func take(_ accounts: [StoredAccount]) {
        let provisioned = accounts.filter(\.isProvisioned)
        let byName = Dictionary(provisioned.map { (FoldedName($0.name), $0) }) { first, _ in first }
        lock.withLock {
            self.accounts = byName
            noteCosts()
        }
    }

    /// The costs of all stored password hashes, without duplicates.
    var passwordCosts: Set<String> { lock.withLock { costs } }

    /// Records that the hash of an account's password was replaced.
    ///
    /// - Parameters:
    ///   - name: The name of the account.
    ///   - cost: The cost of the new hash.
    func noteRehash(of name: String, at cost: String) {
        lock.withLock {
            accounts[FoldedName(name)]?.passwordCost = cost
            noteCosts()
        }
    }

    /// Updates the set of costs; called with the lock held.
    private func noteCosts() { costs = Set(accounts.values.compactMap(\.passwordCost)) }

    /// All accounts that an operator has created.
    var all: [StoredAccount] { lock.withLock { Array(accounts.values) } }

    /// The account of a name; nil: no operator has created one.
    subscript(name: String) -> StoredAccount? {
        lock.withLock { accounts[FoldedName(name)] }
    }
}
