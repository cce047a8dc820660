public import FoundationEssentials

/// Why a token is not taken; the sentence is for whoever sent it.
///
/// It says what is wrong with the token and nothing of what the hub knows: no key, no issuer, no audience.
public enum TokenFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// One of the three parts that a token has.
    public enum Part: String, Hashable, Sendable {
        /// Says how the token is signed.
        case header
        /// Says who the bearer is.
        case payload
        /// Proves the other two.
        case signature
    }

    /// It has more bytes than the policy's most.
    case tooLong(bytes: Int, limit: Int)
    /// It has not three parts with dots between them.
    case notCompact
    /// A part is not base64url in its one form.
    case notBase64URL(Part)
    /// A part is no JSON object that is taken; how so, as the end of "the header …".
    case notJSON(Part, reason: String)
    /// The header's `typ` is another than JWT or at+jwt.
    case wrongType
    /// The header has `crit`: extensions that would have to be understood.
    case criticalExtensions
    /// The header's `alg` is missing, `none`, or another that is not taken here.
    case unknownAlgorithm
    /// The header's `kid` is no string, or no key has it; or without one, no key is of its algorithm.
    case unknownKey
    /// The header has no `kid`, and several keys are of its algorithm.
    case ambiguousKey
    /// The header's `alg` is not that of the key.
    case wrongAlgorithm
    /// The signature is not the key's of this token.
    case wrongSignature
    /// A claim that must be there is not.
    case missing(claim: String)
    /// A claim is not what it must be; what that is, as the end of "it must …".
    case wrong(claim: String, requirement: String)
    /// It is over.
    case expired(since: Date)
    /// It has not begun.
    case notYetValid(until: Date)
    /// It was issued in the future.
    case issuedInFuture(Date)
    /// It is for longer than the policy lets tokens live.
    case livesTooLong(limit: Duration)
    /// It is another issuer's.
    case wrongIssuer
    /// It is for another audience.
    case wrongAudience

    /// What is wrong and what would be right, in one sentence.
    public var description: String {
        switch self {
        case .tooLong(let bytes, let limit): "The token has \(bytes) bytes; it must have \(limit) at most."
        case .notCompact:
            "The token must be a JWT in compact form: header, payload and signature with dots between them."
        case .notBase64URL(let part): "The token's \(part.rawValue) must be base64url without padding or white space."
        case .notJSON(let part, let reason): "The token's \(part.rawValue) \(reason); it must be a JSON object."
        case .wrongType: "The token's typ must be JWT or at+jwt."
        case .criticalExtensions: "The token's header must have no crit: no extension is known here."
        case .unknownAlgorithm: "The token's alg must be HS256, ES256 or EdDSA."
        case .unknownKey:
            "The token is signed with a key that is not known here; its kid must name one of the issuer's."
        case .ambiguousKey: "The token's header must have the kid of its key: several keys have its alg."
        case .wrongAlgorithm: "The token's alg must be that of its key."
        case .wrongSignature: "The token's signature is wrong; it must be that of the issuer's key."
        case .missing(let claim): "The token must have the claim \(claim)."
        case .wrong(let claim, let requirement): "The token's claim \(claim) must \(requirement)."
        case .expired(let date): "The token expired at \(date.formatted(.iso8601)); sign in with a new one."
        case .notYetValid(let date): "The token is valid from \(date.formatted(.iso8601)) on and not before."
        case .issuedInFuture(let date):
            "The token was issued at \(date.formatted(.iso8601)), which is in the future; its issuer's clock must be right."
        case .livesTooLong(let limit): "The token must end \(Int64(limit.inSeconds)) s after its issue at the latest."
        case .wrongIssuer: "The token is of another issuer than this hub takes tokens of."
        case .wrongAudience: "The token is for another audience than this hub."
        }
    }
}
