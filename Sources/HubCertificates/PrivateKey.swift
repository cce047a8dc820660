import COpenSSL

/// A private key on P-256.
///
/// Safe on any thread: the key is immutable, and OpenSSL locks its internal caches.
final class PrivateKey: @unchecked Sendable {
    let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit {
        hub_key_free(pointer)
    }

    /// Generates a key; nil if OpenSSL has no memory or no randomness.
    static func generate() -> PrivateKey? { hub_key_new_p256().map(PrivateKey.init(owning:)) }

    /// Reads a key; nil if the text holds none on P-256, or one with a passphrase.
    static func read(_ pem: String) -> PrivateKey? {
        guard let key = hub_key_of_pem(pem, Int32(clamping: pem.utf8.count)).map(PrivateKey.init(owning:)),
            hub_key_is_p256(key.pointer) == 1
        else { return nil }
        return key
    }

    /// The key as PKCS #8 in PEM; nil if OpenSSL has no memory.
    var pem: String? {
        guard let text = hub_key_pem(pointer) else { return nil }
        defer { hub_pem_free(text) }
        return String(cString: text)
    }

    /// The first eight hexadecimal digits of the public key's SHA-256, by which two authorities of a host differ.
    var shortFingerprint: String {
        var digest = [UInt8](repeating: 0, count: 32)
        guard hub_key_digest_public(pointer, &digest) == 1 else { return "" }
        return digest.prefix(4).map(hexadecimal).joined()
    }
}

/// Two lower-case hexadecimal digits.
func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
