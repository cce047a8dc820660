public import HubEngine

/// An account, as a store has it, without what is remembered of it.
public struct StoredAccount: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// The handles it is called by, in its own order; each is one account's alone.
    public var handles: [Handle]
    /// The cost of its password's hash, such as `m=65536,t=3,p=1`; nil: it has no password.
    public var passwordCost: String?
    /// Whether it may do what only an operator may.
    public var isAdmin: Bool
    /// Whether it may not sign in.
    public var isDisabled: Bool
    /// When an operator made it; nil: nobody did, it was only here (`open` mode) or has been removed.
    public var createdAt: Instant?
    /// When something was first kept of it.
    public var firstSeenAt: Instant
    /// When it was last here, as far as the store was told.
    public var lastSeenAt: Instant
    /// Which of its passwords it has: another number with each.
    public var passwordVersion: Int64

    /// Whether it has a password.
    public var hasPassword: Bool { passwordCost != nil }

    /// Whether an operator made it.
    public var isRegistered: Bool { createdAt != nil }

    /// Whether it was ever here: until then both times are that of its making.
    public var wasSeen: Bool { lastSeenAt > firstSeenAt }
}

/// How an account's password is known again.
public struct StoredPassword: Hashable, Sendable {
    /// Its hash.
    public var hash: String
    /// Which of the account's passwords it is: another number with each, the later ones the greater.
    public var version: Int64
}

/// What an operator says of a new account.
public struct NewAccount: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// How its password is known again; nil: it has none, and signs in by a token.
    public var passwordHash: String?
    /// The handles it is called by.
    public var handles: [Handle]
    /// Whether it may do what only an operator may.
    public var isAdmin: Bool

    /// An account of its parts.
    public init(_ name: String, passwordHash: String? = nil, handles: [Handle] = [], isAdmin: Bool = false) {
        self.name = name
        self.passwordHash = passwordHash
        self.handles = handles
        self.isAdmin = isAdmin
    }
}

/// What another process has changed of the accounts or the hub's own keys, most likely a command of the operator's.
public struct AccountsChange: Hashable, Sendable {
    /// All accounts, as they are now.
    public var accounts: [StoredAccount]
    /// The names of those of which all was erased: what is remembered of them must be forgotten.
    public var erased: [String]
    /// The hub's own keys as they are now, by what they are for.
    public var secrets: [String: [UInt8]]
    /// The call links that were revoked one by one.
    public var revokedLinks: Set<CallLinkID>
}
