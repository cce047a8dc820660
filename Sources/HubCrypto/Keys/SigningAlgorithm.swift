/// A supported signature algorithm of tokens (RFC 7518 and RFC 8037).
public enum SigningAlgorithm: String, Hashable, Sendable, CaseIterable {
    /// HMAC-SHA256, with a secret that issuer and hub share.
    case hs256 = "HS256"
    /// RSASSA-PKCS1-v1_5 with SHA-256: verified only; the hub has no RSA key of its own.
    case rs256 = "RS256"
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// Ed25519.
    case edDSA = "EdDSA"

    /// Parses the `alg` of a header or key; RFC 9864 gives EdDSA with Ed25519 the curve's name.
    init?(name: String) {
        switch name {
        case "HS256": self = .hs256
        case "RS256": self = .rs256
        case "ES256": self = .es256
        case "EdDSA", "Ed25519": self = .edDSA
        default: return nil
        }
    }
}
