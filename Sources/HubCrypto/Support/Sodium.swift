import CSodium

/// The initialisation of libsodium, required before every other call of the library.
enum Sodium {
    /// Indicates that the library is ready; false only on a system without a source of randomness.
    static let isReady = hub_sodium_start() == 1
}

/// Random bytes for keys, salts and identifiers.
public enum SecureRandom {
    /// Returns random bytes from the kernel's generator; safe on any thread.
    public static func bytes(_ count: Int) -> [UInt8] {
        _ = Sodium.isReady
        return [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, filled in
            if let start = buffer.baseAddress, count > 0 { hub_sodium_random(start, count) }
            filled = max(count, 0)
        }
    }
}

/// Comparison of secrets without a timing side channel.
public enum ConstantTime {
    /// Indicates that two values are equal, in a time that depends on nothing but their length.
    public static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        guard !one.isEmpty else { return true }
        return one.withUnsafeBytes { left in
            other.withUnsafeBytes { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return false }
                return hub_sodium_equal(left, right, one.count) == 1
            }
        }
    }
}

/// The digest SHA-256 (FIPS 180-4).
public enum SHA256 {
    /// Computes the 32-byte digest of a message.
    public static func digest(_ message: [UInt8]) -> [UInt8] {
        _ = Sodium.isReady
        return [UInt8](unsafeUninitializedCapacity: Int(HUB_SODIUM_SHA256_BYTES)) { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            message.withUnsafeBufferPointer { hub_sodium_sha256(start, $0.baseAddress, $0.count) }
            filled = Int(HUB_SODIUM_SHA256_BYTES)
        }
    }
}

/// The digest SHA-512 (FIPS 180-4).
enum SHA512 {
    /// Computes the 64-byte digest of a message.
    static func digest(_ message: [UInt8]) -> [UInt8] {
        _ = Sodium.isReady
        return [UInt8](unsafeUninitializedCapacity: Int(HUB_SODIUM_SHA512_BYTES)) { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            message.withUnsafeBufferPointer { hub_sodium_sha512(start, $0.baseAddress, $0.count) }
            filled = Int(HUB_SODIUM_SHA512_BYTES)
        }
    }
}

extension [UInt8] {
    /// Overwrites a secret that is no longer needed; copies of it are not wiped.
    mutating func wipe() {
        withUnsafeMutableBytes { if let start = $0.baseAddress { hub_sodium_wipe(start, $0.count) } }
    }
}
