/// How a token is signed: the three of RFC 7518 and RFC 8037 that are taken here.
public enum SigningAlgorithm: String, Hashable, Sendable, CaseIterable {
    /// HMAC-SHA256, with a secret that issuer and hub share.
    case hs256 = "HS256"
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// Ed25519.
    case edDSA = "EdDSA"

    /// The algorithm that a header or a key names; RFC 9864 calls EdDSA with Ed25519 by the curve's name.
    init?(name: String) {
        switch name {
        case "HS256": self = .hs256
        case "ES256": self = .es256
        case "EdDSA", "Ed25519": self = .edDSA
        default: return nil
        }
    }
}
