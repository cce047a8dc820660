public import FoundationEssentials

/// Makes tokens that a ``TokenVerifier`` takes: for links that a guest is given, and for tests.
public struct TokenSigner: Sendable {
    /// What it signs with.
    public let key: SigningKey
    /// Who it says has issued the tokens.
    public let issuer: String
    /// Whom it says they are for.
    public let audience: String

    /// A signer for one issuer and one audience.
    public init(key: SigningKey, issuer: String, audience: String) {
        self.key = key
        self.issuer = issuer
        self.audience = audience
    }

    /// A token.
    ///
    /// - Parameters:
    ///   - claims: What it says of its bearer; its end is cut to whole seconds.
    ///   - now: The time of issue.
    /// - Returns: Nil for times that no token can say (before 1970, after 9999), and when OpenSSL has no memory left.
    public func sign(_ claims: TokenClaims, at now: Date) -> String? {
        guard let issue = Self.wholeSeconds(now), let end = Self.wholeSeconds(claims.expires) else { return nil }
        let payload = Payload(
            iss: issuer,
            aud: audience,
            iat: issue,
            exp: end,
            sub: claims.account,
            name: claims.name,
            handles: claims.handles.isEmpty ? nil : claims.handles.map(WrittenHandle.init),
            callhub: claims.permissions.map(\.rawValue).sorted(),
            callee: claims.callee.map(WrittenHandle.init),
            jti: claims.identifier
        )
        return CompactToken.written(header: Header(alg: key.algorithm, kid: key.id), payload: payload, with: key)
    }

    /// Whole seconds since 1970, as tokens say times.
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
        let handles: [WrittenHandle]?
        let callhub: [String]
        let callee: WrittenHandle?
        let jti: String?
    }

    private struct WrittenHandle: Encodable {
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
    /// Signs a header and a payload, each written as JSON.
    ///
    /// - Returns: The token; nil when OpenSSL has no memory left.
    static func written(header: some Encodable, payload: some Encodable, with key: SigningKey) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let header = try? encoder.encode(header), let payload = try? encoder.encode(payload) else { return nil }
        return signed(header: Array(header), payload: Array(payload), with: key)
    }
}
