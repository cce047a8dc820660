import BenchmarkSupport
import HubCrypto
import HubEngine
import HubStore

/// Accounts of a hub that requires passwords, added to its database as `callhub account add` adds them.
enum TrialAccounts {
    /// The password of all of them.
    static let password = "correct horse battery staple"

    /// Adds accounts, each with its name as handle.
    ///
    /// All have the same password hash, since hashing a thousand times would take minutes; verifying each costs the
    /// same.
    ///
    /// - Parameters:
    ///   - names: The names of the accounts.
    ///   - cost: The memory and passes of one password hash.
    ///   - path: The path of the database, which no hub has open yet.
    /// - Throws: `BenchmarkError` if the password cannot be hashed or the database cannot be written.
    static func make(_ names: [String], cost: PasswordCost = .standard, at path: String) throws(BenchmarkError) {
        do {
            let file = try StoreFile(path)
            guard let hash = PasswordHash(try Password(password), cost: cost) else {
                throw BenchmarkError("there is no memory for a password's hash")
            }
            for name in names {
                try file.addAccount(NewAccount(name, passwordHash: hash.text, handles: [.generic(name)]))
            }
        } catch {
            throw BenchmarkError("accounts cannot be made in \(path): \(error)")
        }
    }
}
