public import FoundationEssentials

import enum HubWire.Base64URL

/// The verification of ID tokens of an OpenID provider (OpenID Connect Core 1.0 section 3.1.3.7).
///
/// The signature has to be one of the provider's own keys: a token that is signed with the client's secret (HS256), or
/// not at all, is refused. A value, for any thread.
public struct IDTokenVerifier: Sendable {
    private let verifier: TokenVerifier

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - keys: The provider's keys.
    ///   - issuer: The provider's issuer, the required `iss`.
    ///   - clientID: The hub's client ID, the required `aud`.
    ///   - leeway: The tolerated difference of the provider's clock.
    public init(keys: KeySet, issuer: String, clientID: String, leeway: Duration) {
        verifier = TokenVerifier(
            keys: keys,
            policy: TokenPolicy(
                issuer: issuer,
                audience: clientID,
                leeway: leeway,
                maximumLifetime: .seconds(366 * 86_400),
                maximumBytes: Self.maximumBytes
            )
        )
    }

    /// Verifies an ID token.
    ///
    /// - Parameters:
    ///   - token: The token in compact form, untrusted.
    ///   - nonce: The nonce of the authorization request.
    ///   - accessToken: The access token that came with it; nil: none.
    ///   - now: The current time.
    /// - Returns: The claims.
    /// - Throws: The first ``TokenError`` that is found.
    public func verify(
        _ token: String,
        nonce: String,
        accessToken: String?,
        at now: Date
    ) throws(TokenError) -> IDTokenClaims {
        let (payload, algorithm) = try verifier.payload(of: token, types: ["jwt"])
        guard algorithm != .hs256 else { throw .symmetricAlgorithm }
        let claims = ClaimReader(payload)
        _ = try verifier.check(claims, at: now)
        guard payload["iat"] != nil else { throw .missing(claim: "iat") }
        try checkAuthorizedParty(payload, try claims.audiences())
        guard try claims.text("nonce").utf8.elementsEqual(nonce.utf8) else { throw .wrongNonce }
        if let hash = payload["at_hash"] {
            guard let accessToken, hash.string == Self.hash(of: accessToken, algorithm) else { throw .wrongAccessToken }
        }
        return IDTokenClaims(subject: try claims.text("sub"), members: payload)
    }

    /// Checks that a token for several audiences was issued to this client.
    private func checkAuthorizedParty(_ payload: JSONObject, _ audiences: [String]) throws(TokenError) {
        guard let party = payload["azp"] else {
            guard audiences.count == 1 else { throw .wrongAuthorizedParty }
            return
        }
        guard let party = party.string, party.utf8.elementsEqual(verifier.policy.audience.utf8) else {
            throw .wrongAuthorizedParty
        }
    }

    /// Computes `at_hash`: the left half of the digest that the algorithm of the ID token has.
    private static func hash(of accessToken: String, _ algorithm: SigningAlgorithm) -> String {
        let bytes = Array(accessToken.utf8)
        let digest = algorithm == .edDSA ? SHA512.digest(bytes) : SHA256.digest(bytes)
        return Base64URL.text(of: digest.prefix(digest.count / 2))
    }

    /// The longest ID token in bytes.
    ///
    /// More: users with more groups in their tokens can sign in; more work for each invalid token.
    private static let maximumBytes = 65_536
}

/// The claims of a provider about a user: those of an ID token, or of the UserInfo endpoint.
public struct IDTokenClaims: Hashable, Sendable {
    /// The provider's identifier of the user (`sub`), which never changes.
    public let subject: String
    private let members: JSONObject

    init(subject: String, members: JSONObject) { (self.subject, self.members) = (subject, members) }

    /// Parses the response of a UserInfo endpoint (OpenID Connect Core 1.0 section 5.3.2).
    ///
    /// - Parameter userInfo: The body; nil is returned unless it is a JSON object with the claim `sub`.
    public init?(userInfo: [UInt8]) {
        guard let members = (try? JSONReader.value(of: userInfo))?.object,
            let subject = try? ClaimReader(members).text("sub")
        else { return nil }
        self.init(subject: subject, members: members)
    }

    /// Returns a text claim; nil if there is none, or it is empty or no text.
    public func text(_ claim: String) -> String? {
        guard let text = value(claim)?.string, !text.isEmpty else { return nil }
        return text
    }

    /// Returns a time claim in seconds since 1970; nil if there is none, or it is none.
    public func seconds(_ claim: String) -> Double? { try? ClaimReader(members).time(claim) }

    /// Indicates that a claim is there and is neither true nor the text "true", as some providers write it.
    public func isDenied(_ claim: String) -> Bool {
        value(claim).map { $0.boolean != true && $0.string != "true" } ?? false
    }

    /// Indicates that a claim is a text, or an array that contains it; with the text "true", also the value true.
    public func contains(_ text: String, in claim: String) -> Bool {
        let isWanted = { (value: JSONValue) in
            value.string.map { $0.utf8.elementsEqual(text.utf8) } ?? (value.boolean == true && text == "true")
        }
        guard let value = value(claim) else { return false }
        return value.array?.contains(where: isWanted) ?? isWanted(value)
    }

    /// Returns a claim by its name, or by the path to a member of an object, such as `realm_access.roles`.
    private func value(_ claim: String) -> JSONValue? {
        if let value = members[claim] { return value }
        var value = JSONValue.object(members)
        for name in claim.split(separator: ".") {
            guard let next = value.object?[String(name)] else { return nil }
            value = next
        }
        return value
    }
}
