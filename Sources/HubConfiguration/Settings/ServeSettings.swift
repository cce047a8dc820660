import HubCrypto
public import HubServer

/// All settings of `callhub serve`: the hub's, and those that are used before it starts.
public struct ServeSettings: Sendable {
    /// The settings of the hub itself.
    public var hub = HubSettings()
    /// Indicates that a hub without authentication may listen on addresses that other machines can reach.
    public var allowsOpenBeyondLoopback = false
    /// The means by which clients authenticate.
    public var authMode = AuthMode.open
    /// The keys and claims by which tokens are verified.
    public var tokens = TokenSettings()
    /// The OpenID provider by which accounts sign in.
    public var openID = OpenIDSettings()
    /// The invitations, and accounts without one.
    public var invitations = InvitationSettings()
    /// The memory of a password's hash (argon2id), in megabytes.
    public var passwordMegabytes = PasswordCost.standard.megabytes
    /// The number of passes of a password's hash over its memory.
    public var passwordPasses = PasswordCost.standard.passes
    /// The certificate that the hub makes itself.
    public var tls = TLSSettings()
    /// The data directory, for that certificate; nil: the hub cannot make one.
    public var dataDirectory: String?
    /// The path of the database; nil: the data directory's.
    public var storagePath: String?
    /// The settings of the nightly backup.
    public var backup = BackupSettings()
    /// The days that calls are kept in Recents; 0: until newer calls displace them.
    public var recentsDays = 365
    /// The days that entries of the audit log are kept.
    public var auditDays = 365
    /// The settings of push notifications to devices that are offline.
    public var push = PushSettings()
    /// The name, colour and logo that users see.
    public var brand = BrandSettings()
    /// The path of the configuration file, which is read again for the brand; nil: none.
    public var configurationFile: String?
    /// The node's name; nil: the name kept in the data directory.
    public var node: String?

    /// All settings with their defaults.
    public init() {}
}

/// The errors in the settings, a line each.
public struct SettingsError: Error, Equatable {
    /// The sentences about the errors, at least one.
    public let faults: [String]
}
