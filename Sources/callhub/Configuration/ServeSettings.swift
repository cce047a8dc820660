import HubCrypto
import HubServer

/// Everything that can be set about `callhub serve`: the hub's settings and what is decided before it starts.
struct ServeSettings: Sendable {
    /// The hub's own.
    var hub = HubSettings()
    /// Whether other machines may reach a hub that asks nobody for a password.
    var allowsOpenBeyondLoopback = false
    /// How clients prove who they are.
    var authMode = AuthMode.open
    /// What tokens must be.
    var tokens = TokenSettings()
    /// Megabytes that the hash of a password takes (argon2id).
    var passwordMegabytes = PasswordCost.standard.megabytes
    /// How often it goes through them.
    var passwordPasses = PasswordCost.standard.passes
    /// The database of what is remembered; nil: in the data directory.
    var storagePath: String?
    /// How many days calls stay in Recents; 0: until others take their place.
    var recentsDays = 365
    /// How devices that are away are woken.
    var push = PushSettings()
    /// The node's name; nil: the data directory's.
    var node: String?
}

/// What is wrong with the settings, one line a fault.
struct SettingsError: Error, Equatable {
    let faults: [String]
}
