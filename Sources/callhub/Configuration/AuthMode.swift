/// How clients prove who they are.
enum AuthMode: String, Sendable, CaseIterable {
    /// Not at all: an account is whoever says its name.
    case open
    /// By the password of an account that `callhub account add` has made.
    case accounts
    /// By a signed token.
    case token
    /// By either.
    case accountsAndTokens = "accounts+token"

    /// Whether there is a list of accounts.
    var usesAccounts: Bool { self == .accounts || self == .accountsAndTokens }

    /// Whether tokens are taken.
    var usesTokens: Bool { self == .token || self == .accountsAndTokens }

    /// Whether somebody may come who is on no list.
    var takesStrangers: Bool { self != .accounts }
}
