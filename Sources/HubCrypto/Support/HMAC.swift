import COpenSSL

/// The keyed digest HMAC-SHA256 (RFC 2104), and the key derivation HKDF that is built on it.
enum HMAC {
    /// Computes the 32-byte digest of a message under a key; empty if OpenSSL is out of memory.
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

    /// Derives a key of up to 32 bytes by HKDF-SHA256 (RFC 5869): one extract step, one expand step.
    ///
    /// - Parameters:
    ///   - secret: The input keying material.
    ///   - salt: A random value that both sides have.
    ///   - info: The context string that binds the key to its purpose.
    ///   - count: The length of the key in bytes, 32 at most.
    /// - Returns: The key; empty if OpenSSL is out of memory.
    static func hkdf(from secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        var extracted = salt.withUnsafeBufferPointer { sha256(secret, key: $0) }
        defer { extracted.wipe() }
        return Array(extracted.withUnsafeBufferPointer { sha256(info + [1], key: $0) }.prefix(count))
    }
}
