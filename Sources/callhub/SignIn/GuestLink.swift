import Foundation
import HubCrypto
import HubEngine

/// Links that let a guest ring one account until a time: signed by a key that is the hub's own.
enum GuestLink {
    /// The name of the key in the store.
    static let secret = "link-key"

    /// The beginning of the identifier of a link whose token has none.
    static let unnamedPrefix = "unnamed-"

    private static let issuer = "callhub-link"

    /// The key of a store.
    ///
    /// - Parameter bytes: What the store has; made by `freshKey` the first time.
    /// - Returns: Nil where they are no key.
    static func key(_ bytes: [UInt8]) -> SigningKey? { SigningKey(stored: bytes) }

    /// A new key.
    ///
    /// - Returns: As the store keeps it; empty where none can be made.
    static func freshKey() -> [UInt8] { SigningKey.generate(.edDSA)?.stored ?? [] }

    /// Knows the tokens of a key's links.
    ///
    /// - Parameter stored: The hub's key, as the store keeps it.
    /// - Returns: Nil where it is no use: then no link is taken.
    static func verifier(_ stored: [UInt8]) -> TokenVerifier? {
        guard let key = key(stored) else { return nil }
        guard let keys = try? KeySet(Array(#"{"keys":[\#(key.publicJWK)]}"#.utf8)) else { return nil }
        let policy = TokenPolicy(
            issuer: issuer,
            audience: issuer,
            // The clock that has made it is the one that looks at it.
            leeway: .zero,
            maximumLifetime: .seconds(366 * 86_400)
        )
        return TokenVerifier(keys: keys, policy: policy)
    }

    /// The identifier of a link.
    ///
    /// - Parameters:
    ///   - token: The link's token, which a verifier has taken.
    ///   - claims: The token's claims.
    /// - Returns: The claim `jti`; for a link that has none, the beginning of its signature, which no other link has.
    static func id(of token: String, _ claims: TokenClaims) -> CallLinkID? {
        if let id = claims.identifier.flatMap(CallLinkID.init) { return id }
        return token.split(separator: ".").last.flatMap { CallLinkID(unnamedPrefix + $0.prefix(22)) }
    }

    /// A link's token.
    ///
    /// - Parameters:
    ///   - id: The link's identifier.
    ///   - callee: Who may be rung.
    ///   - name: What the callee is shown; nil: nothing.
    ///   - end: When the link ends, at most a year from now.
    ///   - now: The time.
    ///   - key: The hub's.
    /// - Returns: In the compact form; nil where it cannot be signed.
    static func token(
        _ id: CallLinkID,
        for callee: TokenClaims.Handle,
        name: String?,
        until end: Date,
        at now: Date,
        _ key: SigningKey
    ) -> String? {
        let claims = TokenClaims(
            account: "guest",
            name: name,
            callee: callee,
            expires: end,
            identifier: id.text
        )
        return TokenSigner(key: key, issuer: issuer, audience: issuer).sign(claims, at: now)
    }
}
