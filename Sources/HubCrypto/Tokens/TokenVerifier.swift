public import FoundationEssentials

/// The verification of tokens (JWT, RFC 7519): signature, header, issuer, audience and times.
///
/// It follows RFC 8725: the algorithm is the key's and never the header's alone, `kid` is an identifier and nothing
/// else, no key comes with the token, and the payload is not parsed before the signature is verified. A value, for any
/// thread.
public struct TokenVerifier: Sendable {
    /// The keys for the signatures.
    public var keys: KeySet
    /// The requirements besides a valid signature.
    public var policy: TokenPolicy

    /// Creates a verifier from keys and a policy.
    public init(keys: KeySet, policy: TokenPolicy) {
        self.keys = keys
        self.policy = policy
    }

    /// Verifies a token and returns its claims.
    ///
    /// - Parameters:
    ///   - token: The token in compact form, untrusted.
    ///   - now: The current time.
    /// - Returns: The claims about the bearer.
    /// - Throws: The first ``TokenError`` that is found.
    public func verify(_ token: String, at now: Date) throws(TokenError) -> TokenClaims {
        // at+jwt is RFC 9068's.
        let (payload, _) = try payload(of: token, types: ["jwt", "at+jwt"])
        let claims = ClaimReader(payload)
        let expires = try check(claims, at: now)
        return try claims.bearer(expires: expires)
    }

    /// Verifies a token's signature.
    ///
    /// - Parameters:
    ///   - token: The token in compact form, untrusted.
    ///   - types: The accepted values of `typ`.
    /// - Returns: The payload, whose claims are not checked, and the algorithm of the signature.
    /// - Throws: The first ``TokenError`` that is found.
    func payload(of token: String, types: [String]) throws(TokenError) -> (JSONObject, SigningAlgorithm) {
        let length = token.utf8.count
        guard length <= policy.maximumBytes else { throw .tooLong(bytes: length, limit: policy.maximumBytes) }
        let compact = try CompactToken(Array(token.utf8))
        let key = try keys.key(for: compact.header, types: types)
        guard key.verifies(compact.signature, of: compact.signed) else { throw .wrongSignature }
        return (try CompactToken.object(compact.payload, .payload), key.algorithm)
    }

    /// Checks issuer, audience and times, and returns the expiry.
    func check(_ claims: ClaimReader, at now: Date) throws(TokenError) -> Date {
        try checkIssuerAndAudience(claims)
        return try checkTimes(claims, at: now.timeIntervalSince1970)
    }

    // MARK: Claims

    private func checkIssuerAndAudience(_ claims: ClaimReader) throws(TokenError) {
        guard try claims.text("iss").utf8.elementsEqual(policy.issuer.utf8) else { throw .wrongIssuer }
        guard try claims.audiences().contains(where: { $0.utf8.elementsEqual(policy.audience.utf8) }) else {
            throw .wrongAudience
        }
    }

    /// Checks the claims `exp`, `nbf` and `iat`, and returns the expiry.
    private func checkTimes(_ claims: ClaimReader, at now: Double) throws(TokenError) -> Date {
        let leeway = policy.leeway.inSeconds
        guard let end = try claims.time("exp") else { throw .missing(claim: "exp") }
        guard now < end + leeway else { throw .expired(since: Date(timeIntervalSince1970: end)) }
        if let begin = try claims.time("nbf"), now < begin - leeway {
            throw .notYetValid(until: Date(timeIntervalSince1970: begin))
        }
        let issue = try claims.time("iat")
        if let issue, now < issue - leeway { throw .issuedInFuture(Date(timeIntervalSince1970: issue)) }
        // A token without `iat` was issued now at the latest.
        guard end - (issue ?? now) <= policy.maximumLifetime.inSeconds else {
            throw .lifetimeTooLong(limit: policy.maximumLifetime)
        }
        return Date(timeIntervalSince1970: end)
    }
}
