public import HubAccountData
public import HubEngine

/// An account in the store, without its data such as settings and contacts.
public struct StoredAccount: Hashable, Sendable {
    /// The account's name.
    public var name: String
    /// The account's handles in their order; each belongs to one account only.
    public var handles: [Handle]
    /// The cost of the password's hash, such as `m=65536,t=3,p=1`; nil: there is no password.
    public var passwordCost: String?
    /// Indicates that the account may administer the hub.
    public var isAdmin: Bool
    /// Indicates that the account may not sign in.
    public var isDisabled: Bool
    /// The time at which an operator created it; nil: it has only signed in (`open` mode), or was removed.
    public var createdAt: Instant?
    /// The time at which data of the account was first stored.
    public var firstSeenAt: Instant
    /// The time of the last sign-in that was recorded.
    public var lastSeenAt: Instant
    /// The version of the password, a higher number with each change.
    public var passwordVersion: Int64
    /// The name and department that the operator has given, or the last token of an account that no operator created.
    public var profile = PersonProfile()
    /// The IDs of the account's passkeys.
    public var passkeys: Set<[UInt8]> = []

    /// Indicates that the account has a password.
    public var hasPassword: Bool { passwordCost != nil }

    /// Indicates that an operator has created the account.
    public var isProvisioned: Bool { createdAt != nil }

    /// Indicates that the account has ever signed in; until then both times are that of its creation.
    public var hasSignedIn: Bool { lastSeenAt > firstSeenAt }
}

/// The hash and version of an account's password.
public struct StoredPassword: Hashable, Sendable {
    /// The password's hash.
    public var hash: String
    /// The version of the password, a higher number with each change.
    public var version: Int64
}

/// The properties of an account to be created.
public struct NewAccount: Hashable, Sendable {
    /// The account's name.
    public var name: String
    /// The password's hash; nil: the account signs in by a token.
    public var passwordHash: String?
    /// The account's handles.
    public var handles: [Handle]
    /// Indicates that the account may administer the hub.
    public var isAdmin: Bool
    /// The name and department for the directory of the house.
    public var profile: PersonProfile

    /// Creates the properties of a new account.
    public init(
        _ name: String,
        passwordHash: String? = nil,
        handles: [Handle] = [],
        isAdmin: Bool = false,
        profile: PersonProfile = PersonProfile()
    ) {
        self.name = name
        self.passwordHash = passwordHash
        self.handles = handles
        self.isAdmin = isAdmin
        self.profile = profile
    }
}

/// The accounts and keys after a change by another process, most likely a command of the operator's.
public struct AccountsChange: Hashable, Sendable {
    /// All accounts in their current state.
    public var accounts: [StoredAccount]
    /// The names of the accounts that were erased, whose data must be removed from memory.
    public var erased: [String]
    /// The hub's own keys by name.
    public var secrets: [String: [UInt8]]
    /// The invitations that were revoked individually.
    public var revokedInvitations: Set<InvitationID>
}
