import Foundation
import HubConfiguration
import HubCrypto
import HubEngine
import HubServer
import HubWire

/// Verifies tokens: those of the operator's issuer, by keys from a file, and those of the hub's own links.
///
/// The file may change while the hub runs (`reload`).
final class TokenAuthenticator: @unchecked Sendable {
    private let lock = NSLock()
    private let keysFile: String?
    private let policy: TokenPolicy
    private var issuer: TokenVerifier?
    private var links: TokenVerifier?
    private var linkKey: [UInt8]
    private var revokedInvitations: Set<InvitationID>

    /// Creates a verifier and reads the issuer's keys.
    ///
    /// - Parameters:
    ///   - settings: The file of the issuer's keys, and the claims that its tokens must have.
    ///   - linkKey: The key that signs the hub's own links, as the store keeps it.
    ///   - revokedInvitations: The links that were revoked individually.
    /// - Throws: `ServeError` if the file cannot be read or has no valid keys.
    init(_ settings: TokenSettings, linkKey: [UInt8], revokedInvitations: Set<InvitationID>) throws(ServeError) {
        self.revokedInvitations = revokedInvitations
        keysFile = settings.keysFile
        policy = TokenPolicy(issuer: settings.issuer ?? "", audience: settings.audience, leeway: settings.leeway)
        self.linkKey = linkKey
        links = GuestLink.verifier(linkKey)
        if let keysFile { issuer = TokenVerifier(keys: try Self.keys(in: keysFile), policy: policy) }
    }

    /// Reads the issuer's keys again; open sessions stay.
    ///
    /// - Returns: A few words for each key; nil: no file is configured.
    /// - Throws: `ServeError` if the file cannot be read or has no valid keys; then the keys from before stay in use.
    func reload() throws(ServeError) -> [String]? {
        guard let keysFile else { return nil }
        let keys = try Self.keys(in: keysFile)
        lock.withLock { issuer = TokenVerifier(keys: keys, policy: policy) }
        return keys.summary
    }

    /// Replaces the key of the hub's own links, which invalidates all links that the old one has signed.
    ///
    /// - Parameter key: The new key as the store keeps it.
    /// - Returns: False if the key is the one in use.
    func takeLinkKey(_ key: [UInt8]) -> Bool {
        lock.withLock {
            guard key != linkKey else { return false }
            (linkKey, links) = (key, GuestLink.verifier(key))
            return true
        }
    }

    /// Replaces the set of individually revoked links.
    ///
    /// - Parameter links: All revoked links.
    /// - Returns: The links that were not revoked before.
    func takeRevokedLinks(_ links: Set<InvitationID>) -> Set<InvitationID> {
        lock.withLock {
            defer { revokedInvitations = links }
            return links.subtracting(revokedInvitations)
        }
    }

    /// Returns true for a link that was revoked individually.
    func isRevoked(_ link: InvitationID) -> Bool { lock.withLock { revokedInvitations.contains(link) } }

    private static func keys(in file: String) throws(ServeError) -> KeySet {
        guard let document = FileManager.default.contents(atPath: file) else {
            throw ServeError("auth.tokenKeys: \(file) cannot be read; it must be a JSON Web Key Set (RFC 7517).")
        }
        do throws(KeySetError) {
            return try KeySet([UInt8](document))
        } catch {
            throw ServeError("auth.tokenKeys: \(file): \(error).")
        }
    }

    /// Verifies a token.
    ///
    /// - Parameters:
    ///   - token: The token in the compact form (JWT).
    ///   - takesIssuer: True to accept the issuer's tokens too, false for those of the hub's own links alone.
    ///   - now: The current time.
    /// - Returns: The admission of the token's account or guest.
    /// - Throws: `AuthenticationRefusal`: `.wrongToken`, or `.tokenExpired` for an expired token of the issuer's.
    func authenticate(_ token: String, takesIssuer: Bool, at now: Date) throws(AuthenticationRefusal)
        -> AuthenticatedIdentity
    {
        let (links, issuer) = lock.withLock { (self.links, self.issuer) }
        if let claims = try? links?.verify(token, at: now), let link = GuestLink.id(of: token, claims),
            !isRevoked(link)
        {
            return AuthenticatedIdentity(guest: claims, of: link)
        }
        guard takesIssuer, let issuer else {
            throw AuthenticationRefusal(.wrongToken, "the link is not this hub's, or it is over; ask for a new one")
        }
        do throws(TokenError) {
            return AuthenticatedIdentity(try issuer.verify(token, at: now))
        } catch {
            throw AuthenticationRefusal(error.isExpiry ? .tokenExpired : .wrongToken, "\(error)")
        }
    }
}

extension TokenError {
    /// Indicates that the token is valid but for its expiry.
    fileprivate var isExpiry: Bool {
        if case .expired = self { true } else { false }
    }
}

extension AuthenticatedIdentity {
    /// The admission of the bearer of an issuer's token.
    fileprivate init(_ claims: TokenClaims) {
        let handles = claims.handles.map { Handle($0) }
        self.init(account: claims.account, handles: handles.isEmpty ? [.generic(claims.account)] : handles)
        permissions = Set(claims.permissions.compactMap { Permission(rawValue: $0.rawValue) })
        displayName = claims.name.flatMap { $0.isShownName ? $0 : nil }
        expiresAt = Instant(nanoseconds: Int64(clamping: Int(claims.expires.timeIntervalSince1970)) &* 1_000_000_000)
        onlyCallee = claims.callee.map { Handle($0) }
    }

    /// The admission of a link's guest, with a new account each time, so that guests do not share data.
    fileprivate init(guest claims: TokenClaims, of link: InvitationID) {
        self.init(claims)
        account = "guest-" + String(UInt64.random(in: .min ... .max), radix: 16)
        handles = [.generic(account)]
        permissions = [.call]
        self.link = link
    }
}

extension Handle {
    /// Converts a handle from its form in a token.
    init(_ claim: TokenClaims.Handle) {
        let type: HandleType =
            switch claim.type {
            case .generic: .generic
            case .phoneNumber: .phoneNumber
            case .emailAddress: .emailAddress
            }
        self.init(type: type, value: claim.value)
    }
}
