import enum HubWire.Base64URL

/// A private key that signs tokens: Ed25519, or ECDSA on P-256.
public struct SigningKey: Sendable {
    /// The signature algorithm: ``SigningAlgorithm/es256`` or ``SigningAlgorithm/edDSA``.
    public let algorithm: SigningAlgorithm
    /// The key's name: its thumbprint (RFC 7638, SHA-256), so that the same key has the same name everywhere.
    public let id: String

    let pair: AsymmetricKey

    /// Generates a key.
    ///
    /// - Returns: Nil for HS256 and RS256, which no key of the hub is for, and when OpenSSL is out of memory or
    ///   randomness.
    public static func generate(_ algorithm: SigningAlgorithm) -> SigningKey? {
        AsymmetricKey(generatingFor: algorithm).flatMap(SigningKey.init(pair:))
    }

    /// Parses a key from ``stored``, or another PKCS #8 key of the two kinds; nil if the bytes contain none.
    public init?(stored bytes: [UInt8]) {
        guard let pair = AsymmetricKey(pkcs8: bytes) else { return nil }
        self.init(pair: pair)
    }

    /// Creates a P-256 key from its 32-byte private scalar, the usual form of VAPID keys; nil if it is invalid.
    public init?(p256Scalar scalar: [UInt8]) {
        guard let pair = AsymmetricKey(p256Scalar: scalar) else { return nil }
        self.init(pair: pair)
    }

    init?(pair: AsymmetricKey) {
        guard let algorithm = pair.algorithm, let members = Self.publicMembers(of: pair) else { return nil }
        self.algorithm = algorithm
        self.pair = pair
        id = Base64URL.text(of: SHA256.digest(Array("{\(members)}".utf8)))
    }

    /// The private key for a file: PKCS #8 in DER, which `openssl pkey -inform DER` reads; it is secret.
    public var stored: [UInt8] { pair.pkcs8 }

    /// The public key as a JWK (RFC 7517) with its name, algorithm and use.
    public var publicJWK: String {
        let members = Self.publicMembers(of: pair) ?? ""
        return "{\(members),\"alg\":\"\(algorithm.rawValue)\",\"kid\":\"\(id)\",\"use\":\"sig\"}"
    }

    /// Signs a message; returns 64 bytes, or none if OpenSSL is out of memory.
    package func signature(of message: [UInt8]) -> [UInt8] { pair.signature(of: message) }

    /// The public key as a JWK of the required members alone, of which ``id`` is the digest.
    package var requiredPublicJWK: String { "{\(Self.publicMembers(of: pair) ?? "")}" }

    /// Returns the required members in the order and form of RFC 7638 section 3.
    private static func publicMembers(of pair: AsymmetricKey) -> String? {
        switch pair.algorithm {
        case .es256:
            let point = pair.p256Point
            guard point.count == 65 else { return nil }
            let (x, y) = (Base64URL.text(of: point[1..<33]), Base64URL.text(of: point[33...]))
            return "\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"\(x)\",\"y\":\"\(y)\""
        case .edDSA:
            let bytes = pair.ed25519
            guard bytes.count == 32 else { return nil }
            return "\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"\(Base64URL.text(of: bytes))\""
        case .hs256, .rs256, nil:
            return nil
        }
    }
}
