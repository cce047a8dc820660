/// The services outside a hub that have threads and files of their own; each is optional.
public struct HubServices: Sendable {
    /// The authenticator of sign-ins; nil: any account name is accepted.
    public var authenticator: (any Authenticator)?
    /// The persistent account store; nil: data is lost when the hub ends.
    public var accountData: (any AccountDataStore)?
    /// The sender of push notifications to devices that are offline; nil: none are sent.
    public var push: (any PushService)?
    /// The invitations; nil: the hub has none.
    public var invitations: (any InvitationService)?
    /// The accounts and the audit log for administrators; nil: there are none.
    public var administration: (any AdministrationService)?
    /// The sign-in by an OpenID provider; nil: none.
    public var openID: (any OpenIDService)?
    /// The passwords and passkeys that users manage themselves; nil: the hub has none.
    public var credentials: (any CredentialService)?
    /// The nightly backup; nil: none.
    public var backup: (any BackupService)?
    /// The action of SIGHUP, for `admin.reload`; nil: none.
    public var reload: (@Sendable () -> Void)?

    /// The setting `auth.mode`, by which a client finds out which credentials to ask for.
    public var authMode = "open"
    /// The setting `auth.selfRegistration`: anybody may create an account.
    public var allowsSelfRegistration = false
    /// The brand that users see.
    public var brand = Brand()
    /// Indicates that accounts are needed to sign in, and that there is none.
    public var needsSetup = false

    /// Makes an empty set of services: data is lost when the hub ends, and any account name is accepted.
    public init() {}
}
