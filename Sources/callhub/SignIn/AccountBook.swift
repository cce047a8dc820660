import Foundation
import HubEngine
import HubStore

/// The accounts that an operator has made, as they were when the store was last looked at.
final class AccountBook: @unchecked Sendable {
    private let lock = NSLock()
    private var accounts: [String: StoredAccount] = [:]
    private var costs: Set<String> = []

    /// Takes over what the store has now.
    func take(_ accounts: [StoredAccount]) {
        let registered = accounts.filter(\.isRegistered)
        let byName = Dictionary(registered.map { ($0.name, $0) }) { first, _ in first }
        lock.withLock {
            self.accounts = byName
            noteCosts()
        }
    }

    /// The costs of all passwords' hashes that are stored, each once.
    var passwordCosts: Set<String> { lock.withLock { costs } }

    /// Notes that the hash of an account's password was made anew.
    ///
    /// - Parameters:
    ///   - name: The account.
    ///   - cost: The cost of the new hash.
    func noteRehash(of name: String, at cost: String) {
        lock.withLock {
            accounts[name]?.passwordCost = cost
            noteCosts()
        }
    }

    /// With the lock held.
    private func noteCosts() { costs = Set(accounts.values.compactMap(\.passwordCost)) }

    /// An account by its name; nil: nobody has made it.
    subscript(name: String) -> StoredAccount? {
        lock.withLock { accounts[name] }
    }
}
