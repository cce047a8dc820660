import Foundation
import HubConfiguration
import HubCrypto
import HubEngine
import HubStore

/// The tokens by which clients of a provider's users open sessions again, as others do by a password that they keep.
///
/// They are signed by a key of the hub's own, and end with the version of the account's credentials.
package struct OpenIDTokens: Sendable {
    /// A token, and what it says.
    struct Token: Sendable {
        let text: String
        let account: String
        /// The version of the account's credentials, as `StoredAccount.passwordVersion`.
        let version: Int64
        let end: Instant
    }

    /// The key, as it is stored.
    let stored: [UInt8]
    private let signer: TokenSigner
    private let verifier: TokenVerifier
    private let lifetime: Duration

    /// Reads the key, which is generated on first use; blocks until it is read.
    ///
    /// - Parameters:
    ///   - store: The store of the key.
    ///   - lifetime: The time from a sign-in by the provider to the next one.
    /// - Throws: `ServeError` if the key cannot be read or stored.
    init(_ store: Store, lifetime: Duration) throws(ServeError) {
        let stored: [UInt8]
        do throws(StoreError) {
            stored = try store.secret(StoreFile.openIDKey, orGenerate: Self.freshKey)
        } catch {
            throw ServeError("\(error.description).")
        }
        guard let tokens = Self(key: stored, lifetime: lifetime) else {
            throw ServeError("the key for sign-ins by the OpenID provider in the database is damaged.")
        }
        self = tokens
    }

    /// Reads a key; nil: it is damaged.
    ///
    /// - Parameters:
    ///   - stored: The key, as it is stored.
    ///   - lifetime: The time from a sign-in by the provider to the next one.
    init?(key stored: [UInt8], lifetime: Duration) {
        guard let key = SigningKey(stored: stored),
            let keys = try? KeySet(Array(#"{"keys":[\#(key.publicJWK)]}"#.utf8))
        else { return nil }
        self.stored = stored
        signer = TokenSigner(key: key, issuer: Self.issuer, audience: Self.issuer)
        // The clock that issued a token is the one that verifies it.
        let policy = TokenPolicy(
            issuer: Self.issuer,
            audience: Self.issuer,
            leeway: .zero,
            maximumLifetime: .seconds(366 * 86_400)
        )
        verifier = TokenVerifier(keys: keys, policy: policy)
        self.lifetime = lifetime
    }

    /// Makes a token; nil if it cannot be signed.
    func make(for account: String, version: Int64, at now: Date) -> Token? {
        let end = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down) + lifetime / .seconds(1))
        let claims = TokenClaims(account: account, expires: end, identifier: String(version))
        return signer.sign(claims, at: now).map {
            Token(text: $0, account: account, version: version, end: end.instant)
        }
    }

    /// Verifies a token; nil if it is none, or has expired.
    func verify(_ text: String, at now: Date) -> Token? {
        guard let claims = try? verifier.verify(text, at: now), let version = claims.identifier.flatMap({ Int64($0) })
        else { return nil }
        return Token(text: text, account: claims.account, version: version, end: claims.expires.instant)
    }

    /// Generates a key; empty if none can be generated.
    package static func freshKey() -> [UInt8] { SigningKey.generate(.edDSA)?.stored ?? [] }

    private static let issuer = "callhub-openid"
}

extension Date {
    fileprivate var instant: Instant {
        Instant(nanoseconds: Int64(clamping: Int(timeIntervalSince1970)) &* 1_000_000_000)
    }
}
