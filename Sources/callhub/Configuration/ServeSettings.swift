import HubCrypto
import HubServer

/// All settings of `callhub serve`: the hub's, and those that are used before it starts.
struct ServeSettings: Sendable {
    /// The settings of the hub itself.
    var hub = HubSettings()
    /// Indicates that a hub without authentication may listen on addresses that other machines can reach.
    var allowsOpenBeyondLoopback = false
    /// The means by which clients authenticate.
    var authMode = AuthMode.open
    /// The keys and claims by which tokens are verified.
    var tokens = TokenSettings()
    /// The memory of a password's hash (argon2id), in megabytes.
    var passwordMegabytes = PasswordCost.standard.megabytes
    /// The number of passes of a password's hash over its memory.
    var passwordPasses = PasswordCost.standard.passes
    /// The path of the database; nil: the data directory's.
    var storagePath: String?
    /// The days that calls are kept in Recents; 0: until newer calls displace them.
    var recentsDays = 365
    /// The settings of push notifications to devices that are offline.
    var push = PushSettings()
    /// The node's name; nil: the name kept in the data directory.
    var node: String?
}

/// The errors in the settings, a line each.
struct SettingsError: Error, Equatable {
    let faults: [String]
}
