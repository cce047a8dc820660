import CSodium

/// What is kept of a password: its argon2id text, `$argon2id$v=19$m=65536,t=3,p=1$salt$hash`.
///
/// Hashing and verifying take ``PasswordCost``, a tenth of a second or more and all of its memory: on a thread of
/// their own, so many at a time as the machine has memory for, and never on a loop.
public struct PasswordHash: Hashable, Sendable {
    /// The text to be stored; it has the cost and the salt in it.
    public let text: String

    private let cost: Argon2Text

    /// The cost of one try, as the text has it: `m=65536,t=3,p=1` (KiB, passes, lanes).
    public var costText: String { cost.costText }

    /// Hashes a password with a fresh salt.
    ///
    /// - Returns: Nil when there is not as much memory as the cost asks for.
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

    /// A hash from where it was stored.
    ///
    /// - Returns: Nil for a text that is no argon2id of version 19, or one whose cost is beyond all limits: it would
    ///   take the machine's memory at the first sign-in.
    public init?(text: String) {
        guard let cost = Argon2Text(text) else { return nil }
        self.text = text
        self.cost = cost
    }

    /// A hash that no password has, to be verified where an account has no hash of that cost.
    ///
    /// So the answer takes as long as that for a wrong password, and does not tell which accounts there are.
    ///
    /// - Parameter costText: A cost as ``costText`` has it.
    /// - Returns: Nil for a cost that no stored hash could have.
    public static func decoy(costText: String) -> PasswordHash? {
        let (salt, hash) = (SecureRandom.bytes(Int(HUB_SODIUM_SALT_BYTES)), SecureRandom.bytes(32))
        return PasswordHash(text: "$argon2id$v=19$\(costText)$\(Argon2Text.base64(salt))$\(Argon2Text.base64(hash))")
    }

    /// Whether a password is the one that this was made of.
    ///
    /// Takes as long as it was made to take, whatever the password; false also when there is no memory for it.
    public func matches(_ password: Password) -> Bool {
        guard Sodium.isReady else { return false }
        return password.memory.withBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                hub_sodium_password_matches(text, $0.baseAddress, $0.count) == 1
            }
        }
    }

    /// Whether it was made at another cost, cheaper or dearer: then it is to be made anew at the next right password.
    public func needsRehash(_ cost: PasswordCost = .standard) -> Bool {
        self.cost.kibibytes != cost.megabytes << 10 || self.cost.passes != cost.passes || self.cost.lanes != 1
    }
}
