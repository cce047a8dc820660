/// The public key of a passkey: P-256 for ES256, or Ed25519 for EdDSA.
public struct PasskeyPublicKey: Sendable {
    /// The algorithms, by their numbers in COSE (RFC 9053), the preferred one first.
    ///
    /// `rawValue` is the number.
    public enum Algorithm: Int, Hashable, Sendable, CaseIterable {
        /// EdDSA with Ed25519.
        case edDSA = -8
        /// ECDSA with P-256 and SHA-256.
        case es256 = -7
    }

    /// The algorithm.
    public let algorithm: Algorithm
    /// The uncompressed point of P-256, 65 bytes, or the 32 bytes of an Ed25519 key.
    public let bytes: [UInt8]
    private let key: AsymmetricKey

    /// Makes a key from its stored form.
    ///
    /// - Returns: Nil for an algorithm that is not known, or a key that is not on its curve.
    public init?(algorithm number: Int, bytes: [UInt8]) {
        guard let algorithm = Algorithm(rawValue: number) else { return nil }
        let key =
            switch algorithm {
            case .es256: AsymmetricKey(p256Point: bytes)
            case .edDSA: AsymmetricKey(ed25519: bytes)
            }
        guard let key else { return nil }
        (self.algorithm, self.bytes, self.key) = (algorithm, bytes, key)
    }

    /// Reads a key as authenticators send it: a COSE_Key (RFC 9052 section 7) with the required members and no others.
    init(cose value: CBORValue) throws(PasskeyError) {
        guard var members = value.map else { throw .malformed("public key") }
        let kind = members.removeValue(forKey: CBORValue(1))
        let algorithm = members.removeValue(forKey: CBORValue(3))
        let curve = members.removeValue(forKey: CBORValue(-1))
        let x = members.removeValue(forKey: CBORValue(-2))?.bytes
        let number: Int
        let bytes: [UInt8]
        switch (algorithm, kind, curve) {
        case (CBORValue(Algorithm.es256.rawValue), CBORValue(2), CBORValue(1)):
            guard let x, let y = members.removeValue(forKey: CBORValue(-3))?.bytes, x.count == 32, y.count == 32
            else { throw .malformed("public key") }
            (number, bytes) = (Algorithm.es256.rawValue, [4] + x + y)
        case (CBORValue(Algorithm.edDSA.rawValue), CBORValue(1), CBORValue(6)):
            guard let x, x.count == 32 else { throw .malformed("public key") }
            (number, bytes) = (Algorithm.edDSA.rawValue, x)
        default: throw .unsupportedAlgorithm
        }
        guard members.isEmpty else { throw .malformed("public key") }
        guard let key = PasskeyPublicKey(algorithm: number, bytes: bytes) else { throw .invalidKey }
        self = key
    }

    /// Indicates that a signature in WebAuthn's form (section 6.5.5) was made with the key for a message.
    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch algorithm {
        case .es256: ECDSASignature.jose(der: signature).map { key.verifies($0, of: message) } ?? false
        case .edDSA: key.verifies(signature, of: message)
        }
    }
}

/// Signatures of ECDSA with P-256 in DER, as WebAuthn has them.
enum ECDSASignature {
    /// Converts a signature to r and s of 32 bytes each.
    ///
    /// - Parameter der: `SEQUENCE { r INTEGER, s INTEGER }`.
    /// - Returns: 64 bytes; nil if the bytes are anything else, or not in DER's only form.
    static func jose(der: [UInt8]) -> [UInt8]? {
        guard der.count >= 2, der.count <= 72, der[0] == 0x30, Int(der[1]) == der.count - 2 else { return nil }
        var rest = der[2...]
        guard let r = number(&rest), let s = number(&rest), rest.isEmpty else { return nil }
        return r + s
    }

    /// Reads a positive INTEGER of at most 32 bytes, and fills it up to 32.
    private static func number(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.popFirst() == 0x02, let length = rest.popFirst(), (1...33).contains(length), rest.count >= length
        else { return nil }
        var bytes = Array(rest.prefix(Int(length)))
        rest = rest.dropFirst(Int(length))
        guard bytes[0] < 0x80 else { return nil }
        if bytes[0] == 0, bytes.count > 1 {
            // The zero is there only to keep the number positive.
            guard bytes[1] >= 0x80 else { return nil }
            bytes.removeFirst()
        }
        guard bytes.count <= 32 else { return nil }
        return [UInt8](repeating: 0, count: 32 - bytes.count) + bytes
    }
}
