public import FoundationEssentials

/// A reason to reject a token; the sentence is for the sender of the token.
///
/// It describes the token and discloses nothing of the hub's configuration: no key, no issuer, no audience.
public enum TokenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A part of a token in compact form.
    public enum Part: String, Hashable, Sendable {
        /// The parameters of the signature.
        case header
        /// The claims about the bearer.
        case payload
        /// The signature of the other two parts.
        case signature
    }

    /// The token has more bytes than ``TokenPolicy/maximumBytes``.
    case tooLong(bytes: Int, limit: Int)
    /// The token does not have three parts separated by dots.
    case notCompact
    /// A part is not canonical base64url.
    case notBase64URL(Part)
    /// A part is not an accepted JSON object; the reason is the end of "the header …".
    case notJSON(Part, reason: String)
    /// The header's `typ` is another than JWT or at+jwt.
    case wrongType
    /// The header has `crit`: extensions that would have to be understood.
    case criticalExtensions
    /// The header's `alg` is missing, `none`, or another unsupported algorithm.
    case unknownAlgorithm
    /// The header's `kid` is not a string or names no key; or there is no `kid`, and no key has the algorithm.
    case unknownKey
    /// The header has no `kid`, and several keys have its algorithm.
    case ambiguousKey
    /// The header's `alg` is not that of the key.
    case wrongAlgorithm
    /// The signature was not made with the key for this token.
    case wrongSignature
    /// A required claim is missing.
    case missing(claim: String)
    /// A claim is invalid; the requirement is the end of "it must …".
    case wrong(claim: String, requirement: String)
    /// The token has expired.
    case expired(since: Date)
    /// The token is not yet valid.
    case notYetValid(until: Date)
    /// The token's time of issue is in the future.
    case issuedInFuture(Date)
    /// The token's lifetime exceeds ``TokenPolicy/maximumLifetime``.
    case lifetimeTooLong(limit: Duration)
    /// The token is from another issuer.
    case wrongIssuer
    /// The token is for another audience.
    case wrongAudience
    /// The ID token was issued to another client (`azp`).
    case wrongAuthorizedParty
    /// The ID token is of another sign-in (`nonce`).
    case wrongNonce
    /// The ID token is of another access token (`at_hash`).
    case wrongAccessToken
    /// The algorithm needs a secret that others may have.
    case symmetricAlgorithm

    /// The error and the requirement, in one sentence.
    public var description: String {
        switch self {
        case .tooLong(let bytes, let limit): "The token has \(bytes) bytes; it must have \(limit) at most."
        case .notCompact:
            "The token must be a JWT in compact form: header, payload and signature with dots between them."
        case .notBase64URL(let part): "The token's \(part.rawValue) must be base64url without padding or white space."
        case .notJSON(let part, let reason): "The token's \(part.rawValue) \(reason); it must be a JSON object."
        case .wrongType: "The token's typ must be JWT or at+jwt."
        case .criticalExtensions: "The token's header must have no crit: the hub supports no extensions."
        case .unknownAlgorithm: "The token's alg must be HS256, RS256, ES256 or EdDSA."
        case .unknownKey:
            "The token is signed with a key that the hub does not have; its kid must name one of the issuer's."
        case .ambiguousKey: "The token's header must have the kid of its key: several keys have its alg."
        case .wrongAlgorithm: "The token's alg must be that of its key."
        case .wrongSignature: "The token's signature is wrong; it must be that of the issuer's key."
        case .missing(let claim): "The token must have the claim \(claim)."
        case .wrong(let claim, let requirement): "The token's claim \(claim) must \(requirement)."
        case .expired(let date): "The token expired at \(date.formatted(.iso8601)); sign in with a new one."
        case .notYetValid(let date): "The token is valid from \(date.formatted(.iso8601)) on and not before."
        case .issuedInFuture(let date):
            "The token was issued at \(date.formatted(.iso8601)), which is in the future; its issuer's clock must be right."
        case .lifetimeTooLong(let limit):
            "The token must end \(Int64(limit.inSeconds)) s after its issue at the latest."
        case .wrongIssuer: "The token is from another issuer than this hub's."
        case .wrongAudience: "The token is for another audience than this hub."
        case .wrongAuthorizedParty: "The token was issued to another client than this hub."
        case .wrongNonce: "The token is of another sign-in; sign in again."
        case .wrongAccessToken: "The token's at_hash must be that of its access token."
        case .symmetricAlgorithm: "The token's alg must be RS256, ES256 or EdDSA, by a key of the provider's alone."
        }
    }
}
