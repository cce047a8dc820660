import COpenSSL

/// Authenticated encryption: AES-128 in Galois/Counter Mode (NIST SP 800-38D).
enum AES128GCM {
    /// Encrypts and authenticates a plaintext.
    ///
    /// - Parameters:
    ///   - text: The plaintext, of any length.
    ///   - key: The key, 16 bytes.
    ///   - nonce: The nonce, 12 bytes, never the same twice under one key.
    /// - Returns: The ciphertext with its tag of 16 bytes; nil if a length is wrong or OpenSSL is out of memory.
    static func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8]? {
        guard key.count == 16, nonce.count == 12, let count = Int32(exactly: text.count) else { return nil }
        let sealed = [UInt8](unsafeUninitializedCapacity: text.count + 16) { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            let done = text.withUnsafeBufferPointer { text in
                hub_aes128_gcm_seal(key, nonce, text.baseAddress, count, start)
            }
            filled = done == 1 ? text.count + 16 : 0
        }
        return sealed.isEmpty ? nil : sealed
    }
}
