import COpenSSL
import CSodium

/// A public key or key pair of OpenSSL: P-256 or Ed25519; or a public key of RSA.
///
/// Safe on any thread: the key is immutable, and OpenSSL locks its internal caches.
final class AsymmetricKey: @unchecked Sendable {
    private let key: OpaquePointer

    private init?(owning key: OpaquePointer?) {
        guard let key else { return nil }
        self.key = key
    }

    deinit {
        hub_key_free(key)
    }

    // MARK: Creation

    /// Creates a public key from an uncompressed point of P-256; nil if the bytes are not such a point.
    convenience init?(p256Point point: [UInt8]) {
        guard point.count == Int(HUB_KEY_POINT_BYTES) else { return nil }
        self.init(owning: point.withUnsafeBufferPointer { $0.baseAddress.flatMap { hub_key_of_point($0) } })
    }

    /// Creates a key pair from its 32-byte private scalar; nil unless it is from 1 to below the group's order.
    convenience init?(p256Scalar scalar: [UInt8]) {
        guard scalar.count == Int(HUB_KEY_SCALAR_BYTES) else { return nil }
        self.init(owning: scalar.withUnsafeBufferPointer { $0.baseAddress.flatMap { hub_key_of_scalar($0) } })
    }

    /// Creates an Ed25519 public key; nil for points under which a signature may fit more than one message.
    convenience init?(ed25519 bytes: [UInt8]) {
        guard bytes.count == Int(HUB_KEY_ED25519_BYTES), Sodium.isReady else { return nil }
        self.init(
            owning: bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
                guard let start = bytes.baseAddress, hub_sodium_ed25519_point_is_sound(start) == 1 else { return nil }
                return hub_key_of_ed25519(start)
            }
        )
    }

    /// Creates an RSA public key; nil unless the modulus has 2048 to 8192 bits and the exponent is odd and usual.
    convenience init?(rsaModulus modulus: [UInt8], exponent: [UInt8]) {
        guard let modulusCount = Int32(exactly: modulus.count), let exponentCount = Int32(exactly: exponent.count)
        else {
            return nil
        }
        self.init(
            owning: modulus.withUnsafeBufferPointer { modulus in
                exponent.withUnsafeBufferPointer { exponent in
                    guard let first = modulus.baseAddress, let second = exponent.baseAddress else { return nil }
                    return hub_key_of_rsa(first, modulusCount, second, exponentCount)
                }
            }
        )
    }

    /// Generates a key pair; nil for an algorithm without one, or if OpenSSL is out of memory or randomness.
    convenience init?(generatingFor algorithm: SigningAlgorithm) {
        switch algorithm {
        case .es256: self.init(owning: hub_key_new_p256())
        case .edDSA: self.init(owning: hub_key_new_ed25519())
        case .hs256, .rs256: return nil
        }
    }

    /// Parses a key pair in the form of ``pkcs8``; nil for anything else.
    convenience init?(pkcs8 bytes: [UInt8]) {
        guard let count = Int(exactly: bytes.count), count > 0 else { return nil }
        self.init(owning: bytes.withUnsafeBufferPointer { $0.baseAddress.flatMap { hub_key_import($0, count) } })
        guard algorithm != nil else { return nil }
    }

    // MARK: Properties

    /// The signature algorithm of the key; nil for an unsupported kind of key.
    var algorithm: SigningAlgorithm? {
        if hub_key_is_p256(key) == 1 { return .es256 }
        if hub_key_is_rsa(key) == 1 { return .rs256 }
        return hub_key_is_ed25519(key) == 1 ? .edDSA : nil
    }

    /// The uncompressed point of a P-256 key, 65 bytes; empty for another.
    var p256Point: [UInt8] { outputBytes(Int(HUB_KEY_POINT_BYTES)) { hub_key_point(key, $0) == 1 } }

    /// The public half of an Ed25519 key, 32 bytes; empty for another.
    var ed25519: [UInt8] {
        guard algorithm == .edDSA else { return [] }
        return outputBytes(Int(HUB_KEY_ED25519_BYTES)) { hub_key_ed25519(key, $0) == 1 }
    }

    /// The key pair in the standard form (PKCS #8 in DER, RFC 5958); empty for a public key.
    var pkcs8: [UInt8] {
        let count = Int(hub_key_export(key, nil))
        return outputBytes(count) { Int(hub_key_export(key, $0)) == count }
    }

    // MARK: Operations

    /// Indicates that a JOSE signature was made with this key for a message: 64 bytes, with RSA those of the modulus.
    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        let isRSA = algorithm == .rs256
        guard isRSA || signature.count == Int(HUB_KEY_SIGNATURE_BYTES) else { return false }
        return signature.withUnsafeBufferPointer { signature in
            message.withUnsafeBufferPointer { message in
                guard let start = signature.baseAddress else { return false }
                guard !isRSA else {
                    return hub_key_verify_rsa(key, message.baseAddress, message.count, start, signature.count) == 1
                }
                return hub_key_verify(key, message.baseAddress, message.count, start) == 1
            }
        }
    }

    /// Signs a message in the format of JOSE, 64 bytes; empty if this is a public key.
    func signature(of message: [UInt8]) -> [UInt8] {
        message.withUnsafeBufferPointer { message in
            outputBytes(Int(HUB_KEY_SIGNATURE_BYTES)) { hub_key_sign(key, message.baseAddress, message.count, $0) == 1 }
        }
    }

    /// Computes the shared secret of this P-256 key pair and another key, 32 bytes; empty if the keys do not fit.
    func agreement(with other: AsymmetricKey) -> [UInt8] {
        outputBytes(32) { hub_key_agree(key, other.key, $0) == 1 }
    }

    private func outputBytes(_ count: Int, by write: (UnsafeMutablePointer<UInt8>) -> Bool) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            guard count > 0, let start = buffer.baseAddress else { return }
            buffer.initialize(repeating: 0)
            filled = write(start) ? count : 0
        }
    }
}
