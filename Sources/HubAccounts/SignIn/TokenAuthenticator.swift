import Foundation
import HubConfiguration
import HubCrypto
import HubEngine
import HubServer
import HubWire

/// Verifies tokens: those of the operator's issuer, by keys from a file, and those of the hub's own invitations.
///
/// The file may change while the hub runs (`reload`).
final class TokenAuthenticator: @unchecked Sendable {
    private let lock = NSLock()
    private let keysFile: String?
    private let policy: TokenPolicy
    private var issuer: TokenVerifier?
    private var invitationVerifier: TokenVerifier?
    private var invitationKey: [UInt8]
    private var revokedInvitations: Set<InvitationID>

    /// Creates a verifier and reads the issuer's keys.
    ///
    /// - Parameters:
    ///   - settings: The file of the issuer's keys, and the claims that its tokens must have.
    ///   - invitationKey: The key that signs the hub's own invitations, as the store keeps it.
    ///   - revokedInvitations: The invitations that were revoked individually.
    /// - Throws: `ServeError` if the file cannot be read or has no valid keys.
    init(_ settings: TokenSettings, invitationKey: [UInt8], revokedInvitations: Set<InvitationID>) throws(ServeError) {
        self.revokedInvitations = revokedInvitations
        keysFile = settings.keysFile
        policy = TokenPolicy(issuer: settings.issuer ?? "", audience: settings.audience, leeway: settings.leeway)
        self.invitationKey = invitationKey
        invitationVerifier = InvitationTokens.verifier(invitationKey)
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

    /// Replaces the key of the hub's own invitations, which invalidates all invitations that the old one has signed.
    ///
    /// - Parameter key: The new key in its stored form.
    /// - Returns: False if the key is the one in use.
    func replaceInvitationKey(_ key: [UInt8]) -> Bool {
        lock.withLock {
            guard key != invitationKey else { return false }
            (invitationKey, invitationVerifier) = (key, InvitationTokens.verifier(key))
            return true
        }
    }

    /// Replaces the set of individually revoked invitations.
    ///
    /// - Parameter invitations: All revoked invitations.
    /// - Returns: The invitations that were not revoked before.
    func updateRevokedInvitations(_ invitations: Set<InvitationID>) -> Set<InvitationID> {
        lock.withLock {
            defer { revokedInvitations = invitations }
            return invitations.subtracting(revokedInvitations)
        }
    }

    /// Adds an individually revoked invitation.
    func noteRevoked(_ invitation: InvitationID) { _ = lock.withLock { revokedInvitations.insert(invitation) } }

    /// Returns true for an invitation that was revoked individually.
    func isRevoked(_ invitation: InvitationID) -> Bool { lock.withLock { revokedInvitations.contains(invitation) } }

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
    ///   - acceptsIssuerTokens: True to accept the issuer's tokens beside those of the hub's own invitations.
    ///   - now: The current time.
    /// - Returns: The identity of the token's account or guest.
    /// - Throws: `AuthenticationRefusal`: `.wrongToken`, or `.tokenExpired` for an expired token of the issuer's.
    func authenticate(_ token: String, acceptsIssuerTokens: Bool, at now: Date) throws(AuthenticationRefusal)
        -> AuthenticatedIdentity
    {
        let (invitationVerifier, issuer) = lock.withLock { (self.invitationVerifier, self.issuer) }
        if let claims = try? invitationVerifier?.verify(token, at: now),
            let invitation = InvitationTokens.id(of: token, claims),
            !isRevoked(invitation)
        {
            return AuthenticatedIdentity(guest: claims, of: invitation)
        }
        guard acceptsIssuerTokens, let issuer else {
            throw AuthenticationRefusal(.wrongToken, "the link is not this hub's, or has ended; request a new one")
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
    /// Creates the identity of the bearer of an issuer's token.
    fileprivate init(_ claims: TokenClaims) {
        let handles = claims.handles.map { Handle($0) }
        self.init(account: claims.account, handles: handles.isEmpty ? [.generic(claims.account)] : handles)
        permissions = Set(claims.permissions.compactMap { Permission(rawValue: $0.rawValue) })
        displayName = claims.name.flatMap { $0.isValidDisplayName ? $0 : nil }
        department = claims.department.flatMap { $0.isValidDisplayName ? $0 : nil }
        isListedByDefault = false
        expiresAt = Instant(nanoseconds: Int64(clamping: Int(claims.expires.timeIntervalSince1970)) &* 1_000_000_000)
        onlyCallee = claims.callee.map { Handle($0) }
    }

    /// Creates the identity of an invitation's guest, with a new account each time: guests do not share data.
    fileprivate init(guest claims: TokenClaims, of invitation: InvitationID) {
        self.init(claims)
        account = "guest-" + String(UInt64.random(in: .min ... .max), radix: 16)
        handles = [.generic(account)]
        permissions = [.call]
        self.invitation = invitation
        mayGiveName = claims.guestsGiveNames
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
