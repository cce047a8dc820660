public import FoundationEssentials

/// The issuer of tokens that a ``TokenVerifier`` accepts: for invitations of guests, and for tests.
public struct TokenSigner: Sendable {
    /// The signing key.
    public let key: SigningKey
    /// The issuer of the tokens: the claim `iss`.
    public let issuer: String
    /// The audience of the tokens: the claim `aud`.
    public let audience: String

    /// Creates a signer for one issuer and one audience.
    public init(key: SigningKey, issuer: String, audience: String) {
        self.key = key
        self.issuer = issuer
        self.audience = audience
    }

    /// Signs a token.
    ///
    /// - Parameters:
    ///   - claims: The claims about the bearer; the expiry is rounded down to whole seconds.
    ///   - now: The time of issue.
    /// - Returns: The token in compact form; nil for times before 1970 or after 9999, and if OpenSSL is out of memory.
    public func sign(_ claims: TokenClaims, at now: Date) -> String? {
        guard let issue = Self.wholeSeconds(now), let end = Self.wholeSeconds(claims.expires) else { return nil }
        let payload = Payload(
            iss: issuer,
            aud: audience,
            iat: issue,
            exp: end,
            sub: claims.account,
            name: claims.name,
            handles: claims.handles.isEmpty ? nil : claims.handles.map(EncodedHandle.init),
            callhub: claims.permissions.map(\.rawValue).sorted(),
            callee: claims.callee.map(EncodedHandle.init),
            jti: claims.identifier,
            guestNames: claims.guestsGiveNames ? true : nil
        )
        return CompactToken.signedJSON(header: Header(alg: key.algorithm, kid: key.id), payload: payload, with: key)
    }

    /// Converts a time to whole seconds since 1970; nil before 1970 and after 9999.
    static func wholeSeconds(_ date: Date) -> Int64? {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        return (0...253_402_300_799).contains(seconds) ? Int64(seconds) : nil
    }

    private struct Payload: Encodable {
        let iss: String
        let aud: String
        let iat: Int64
        let exp: Int64
        let sub: String
        let name: String?
        let handles: [EncodedHandle]?
        let callhub: [String]
        let callee: EncodedHandle?
        let jti: String?
        let guestNames: Bool?
    }

    private struct EncodedHandle: Encodable {
        let type: String
        let value: String

        init(_ handle: TokenClaims.Handle) {
            type = handle.type.rawValue
            value = handle.value
        }
    }

    private struct Header: Encodable {
        let alg: String
        let kid: String
        let typ = "JWT"

        init(alg: SigningAlgorithm, kid: String) {
            self.alg = alg.rawValue
            self.kid = kid
        }
    }
}

extension CompactToken {
    /// Signs a header and a payload, each encoded as JSON.
    ///
    /// - Returns: The token; nil if OpenSSL is out of memory.
    static func signedJSON(header: some Encodable, payload: some Encodable, with key: SigningKey) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let header = try? encoder.encode(header), let payload = try? encoder.encode(payload) else { return nil }
        return signed(header: Array(header), payload: Array(payload), with: key)
    }
}
