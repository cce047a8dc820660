import COpenSSL

/// The keyed digest HMAC-SHA256 (RFC 2104), and the key derivation that is made of it.
enum HMAC {
    /// The 32 bytes of a message's digest under a key; empty if OpenSSL has no memory left.
    static func sha256(_ message: [UInt8], key: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        guard let keyLength = Int32(exactly: key.count) else { return [] }
        return [UInt8](unsafeUninitializedCapacity: 32) { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            let done = message.withUnsafeBufferPointer {
                hub_hmac_sha256(key.baseAddress, keyLength, $0.baseAddress, $0.count, start)
            }
            filled = done == 1 ? 32 : 0
        }
    }

    /// HKDF-SHA256 (RFC 5869) for up to 32 bytes: one step to extract, one to expand.
    ///
    /// - Parameters:
    ///   - secret: What the key is made of.
    ///   - salt: Random, and known to both sides.
    ///   - info: What the key is for.
    ///   - count: Its length, 32 at most.
    /// - Returns: The key; empty if OpenSSL has no memory left.
    static func derived(from secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        var extracted = salt.withUnsafeBufferPointer { sha256(secret, key: $0) }
        defer { extracted.wipe() }
        return Array(extracted.withUnsafeBufferPointer { sha256(info + [1], key: $0) }.prefix(count))
    }
}
