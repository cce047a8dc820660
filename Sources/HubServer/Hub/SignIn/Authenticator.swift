public import HubCrypto
public import HubEngine
public import HubWire

/// An authenticator of sign-ins; without one, any account name is accepted (`auth.mode` open).
public protocol Authenticator: Sendable {
    /// Verifies credentials without blocking the caller: to hash a password takes a tenth of a second.
    ///
    /// - Parameters:
    ///   - credentials: The credentials of `session.open` or `session.refresh`.
    ///   - then: Called with the verdict, on any thread; may be omitted if nobody waits for it (`isStillAwaited`).
    func authenticate(
        _ credentials: Credentials,
        _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
    )

    /// Admits clients that need no verification.
    ///
    /// - Parameter credentials: The credentials of `session.open`.
    /// - Returns: The admission; nil: the credentials must be verified.
    func authenticateAtOnce(_ credentials: Credentials) -> AuthenticatedIdentity?

    /// Checks, at once, if an invitation was revoked since a guest was admitted by it.
    ///
    /// - Parameter invitation: The invitation of an admission.
    /// - Returns: True if the guest must be refused after all.
    func isRevoked(_ invitation: InvitationID) -> Bool
}

extension Authenticator {
    /// Returns nil: all credentials are verified.
    public func authenticateAtOnce(_ credentials: Credentials) -> AuthenticatedIdentity? { nil }

    /// Returns false: no invitation is revoked.
    public func isRevoked(_ invitation: InvitationID) -> Bool { false }
}

/// The credentials of a client that signs in.
public struct Credentials: Sendable {
    /// The account name; nil: the token names it.
    public var account: String?
    /// The account's password.
    public var password: String?
    /// A signed token.
    public var token: String?
    /// The secret of a guest's invitation.
    public var invitation: String?
    /// The proof of a sign-in by an OpenID provider.
    public var openID: SessionOpenRequest.OpenIDProof?
    /// The use of a passkey, and what it is verified against.
    public var passkey: PasskeySignIn?
    /// The lane of the verification queue; nil: an exempt address, all of which share one lane.
    ///
    /// The lane is the address for a sign-in, and the account for a session that shows a fresh token.
    public var queueLane: String?
    /// The address of the client, for the audit log; nil: unknown.
    public var address: String?
    /// Returns true while the client waits for the verdict; safe on any thread.
    public var isStillAwaited: @Sendable () -> Bool = { true }

    /// Makes credentials from their parts.
    public init(
        account: String? = nil,
        password: String? = nil,
        token: String? = nil,
        invitation: String? = nil,
        openID: SessionOpenRequest.OpenIDProof? = nil
    ) {
        self.invitation = invitation
        self.openID = openID
        self.account = account
        self.password = password
        self.token = token
    }
}

/// The use of a passkey with the challenge and the site of its page.
public struct PasskeySignIn: Sendable {
    /// The use of the passkey.
    public var assertion: PasskeyAssertion
    /// The challenge, which is used up.
    public var challenge: [UInt8]
    /// The site for which the challenge was issued, and under which the page is open.
    public var site: PasskeySite
}

/// An admitted client, and its permissions.
public struct AuthenticatedIdentity: Hashable, Sendable {
    /// The account.
    public var account: String
    /// The handles of the account; callees see the first one.
    ///
    /// It is not empty.
    public var handles: [Handle]
    /// The caller's name for callees, unless the account has set one.
    public var displayName: String?
    /// The department for the directory of the house, if the token names one.
    public var department: String?
    /// True if others may find the account unless its user has decided.
    public var isListedByDefault = true
    /// The permissions that the session may request.
    public var permissions: Set<Permission>
    /// The date, by the wall clock, until which the token is valid; nil: no fresh one is ever needed.
    public var expiresAt: Instant?
    /// The only handle that a guest may call; nil: no restriction.
    public var onlyCallee: Handle?
    /// The version of the account's password at the sign-in by it or by a passkey, increasing; nil: other credentials.
    public var passwordVersion: Int64?
    /// The token by which the client may sign in again, until ``expiresAt``; nil: none.
    public var openIDToken: String?
    /// True if an OpenID provider has authenticated the user for this sign-in, as it was asked to.
    public var isFresh = false
    /// The ID of the passkey, whose removal ends the session; nil: other credentials.
    public var passkey: [UInt8]?
    /// The hub's own invitation of a guest, whose session ends when it is revoked; nil: other credentials.
    public var invitation: InvitationID?
    /// True if callees are shown the name that a guest of the invitation gives.
    public var mayGiveName = false

    /// Makes an admission to everything but administration.
    public init(
        account: String,
        handles: [Handle],
        permissions: Set<Permission> = [.call, .observe, .record, .operate]
    ) {
        self.account = account
        self.handles = handles
        self.permissions = permissions
    }
}

/// The reason for which a client was not admitted.
public typealias AuthenticationRefusal = ServiceRefusal<AuthenticationFault>

/// The category of a refused admission.
public enum AuthenticationFault: Hashable, Sendable {
    /// The name or the password is wrong: repeated attempts are rate-limited.
    case wrongPassword
    /// The token is wrong: repeated attempts are rate-limited.
    case wrongToken
    /// The passkey is not accepted: repeated attempts are rate-limited.
    case wrongPasskey
    /// The token has expired.
    case tokenExpired
    /// The invitation cannot be used; one that is unknown counts as a failed attempt.
    case invitationInvalid(InvitationFault)
    /// The code or token of a sign-in by a provider is wrong, used, or too old: repeated attempts are rate-limited.
    case openIDInvalid
    /// There were no credentials, or none of the kind that this hub requires.
    case missing
    /// Too many verifications of the same address or account are queued; this one is not done.
    case tooManyAtOnce
    /// Verification is not possible at the moment.
    case unavailable
}
