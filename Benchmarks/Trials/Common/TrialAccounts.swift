import BenchmarkSupport
import HubCrypto
import HubEngine
import HubStore

/// Accounts of a hub that asks for passwords, made in its database as `callhub account add` makes them.
enum TrialAccounts {
    /// The password of all of them.
    static let password = "correct horse battery staple"

    /// Makes accounts, each with its name as handle.
    ///
    /// All get one text for their password, since making a thousand would take minutes; looking at each costs the same.
    ///
    /// - Parameters:
    ///   - names: The accounts'.
    ///   - cost: Of a try.
    ///   - path: The database, which no hub uses yet.
    /// - Throws: Where it cannot be written.
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
