public import HubAccountData
public import HubEngine

/// A user of an OpenID provider, by the two claims that never change.
public struct ExternalIdentity: Hashable, Sendable {
    /// The provider's issuer (`iss`).
    public var issuer: String
    /// The provider's identifier of the user (`sub`).
    public var subject: String

    /// Creates an identity.
    public init(issuer: String, subject: String) { (self.issuer, self.subject) = (issuer, subject) }
}

/// A link from an identity to an account.
public struct LinkedIdentity: Hashable, Sendable {
    /// The identity.
    public var identity: ExternalIdentity
    /// The name of the account.
    public var account: String
    /// The time at which it was linked.
    public var linkedAt: Instant
}

/// The claims of a provider about a user who signs in.
public struct ExternalProfile: Hashable, Sendable {
    /// The name of the account that the user gets at the first sign-in; nil: none may be created.
    public var newAccount: String?
    /// The name and department; parts that are nil stay as they are.
    public var profile = PersonProfile()
    /// True or false to grant or revoke the permission to administer; nil: it stays as it is.
    public var isAdmin: Bool?

    /// Creates claims without any content.
    public init() {}
}

/// The account of a user whom a provider has signed in.
public struct ExternalSignIn: Hashable, Sendable {
    /// The account's name.
    public var account: String
    /// True if anything of the account was changed.
    public var isChanged = false
    /// True if the provider has revoked the permission of the last administrator, who keeps it.
    public var staysLastAdministrator = false
}

/// A reason for which an identity has no account.
public enum IdentityFault: Error, Hashable, Sendable {
    /// An account or stored data has the name already, and the identity is not linked to it.
    case nameTaken
    /// The identity is linked to no account, and none may be created.
    case unknown
    /// The account is disabled, or was removed.
    case disabled
}
