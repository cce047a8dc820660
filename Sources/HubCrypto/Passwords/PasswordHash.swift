import CSodium

/// The stored form of a password: its argon2id text, `$argon2id$v=19$m=65536,t=3,p=1$salt$hash`.
///
/// Hashing and verifying take ``PasswordCost``, a tenth of a second or more and all of its memory: run them on
/// threads of their own, as many at a time as the machine has memory for, and never on an event loop.
public struct PasswordHash: Hashable, Sendable {
    /// The text to be stored; it includes the cost and the salt.
    public let text: String

    private let cost: Argon2PHCString

    /// The cost in the encoding of the text: `m=65536,t=3,p=1` (KiB, passes, lanes).
    public var costText: String { cost.costText }

    /// Hashes a password with a fresh salt.
    ///
    /// - Returns: Nil if the memory that the cost requires is not available.
    public init?(_ password: Password, cost: PasswordCost = .standard) {
        guard Sodium.isReady else { return nil }
        var buffer = [CChar](repeating: 0, count: Int(HUB_SODIUM_TEXT_BYTES))
        let done = password.memory.withBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                hub_sodium_password_text(&buffer, $0.baseAddress, $0.count, UInt64(cost.passes), cost.bytes)
            }
        }
        let end = buffer.firstIndex(of: 0) ?? buffer.endIndex
        guard done == 1 else { return nil }
        self.init(text: String(decoding: buffer[..<end].map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// Parses a stored hash.
    ///
    /// - Returns: Nil for a text that is not argon2id of version 19, or whose cost is beyond the limits: it would
    ///   exhaust the machine's memory at the first sign-in.
    public init?(text: String) {
        guard let cost = Argon2PHCString(text) else { return nil }
        self.text = text
        self.cost = cost
    }

    /// Creates a hash that matches no password, to be verified where an account has no hash of that cost.
    ///
    /// So the response takes as long as that for a wrong password and does not disclose which accounts exist.
    ///
    /// - Parameter costText: A cost in the form of ``costText``.
    /// - Returns: Nil for a cost beyond the limits of stored hashes.
    public static func decoy(costText: String) -> PasswordHash? {
        let (salt, hash) = (SecureRandom.bytes(Int(HUB_SODIUM_SALT_BYTES)), SecureRandom.bytes(32))
        return PasswordHash(
            text: "$argon2id$v=19$\(costText)$\(Argon2PHCString.base64(salt))$\(Argon2PHCString.base64(hash))"
        )
    }

    /// Indicates that a password matches the hash.
    ///
    /// Takes the time of the hash's cost, whatever the password; false also if there is not enough memory.
    public func matches(_ password: Password) -> Bool {
        guard Sodium.isReady else { return false }
        return password.memory.withBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                hub_sodium_password_matches(text, $0.baseAddress, $0.count) == 1
            }
        }
    }

    /// Indicates that the hash has another cost and must be computed again at the next successful sign-in.
    public func needsRehash(_ cost: PasswordCost = .standard) -> Bool {
        self.cost.kibibytes != cost.megabytes << 10 || self.cost.passes != cost.passes || self.cost.lanes != 1
    }
}
