/// The means by which clients authenticate (`auth.mode`).
public enum AuthMode: String, Sendable, CaseIterable {
    /// No authentication: a client is the account that it names.
    case open
    /// The password of an account that `callhub account add` has created.
    case accounts
    /// A signed token.
    case token
    /// A password or a token.
    case accountsAndTokens = "accounts+token"

    /// Indicates that accounts and passwords are looked up in the database.
    public var usesAccounts: Bool { self == .accounts || self == .accountsAndTokens }

    /// Indicates that signed tokens are accepted.
    public var usesTokens: Bool { self == .token || self == .accountsAndTokens }

    /// Indicates that accounts may sign in that are not in the database.
    public var allowsUnprovisionedAccounts: Bool { self != .accounts }
}
