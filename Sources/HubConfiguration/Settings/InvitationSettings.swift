/// The settings of invitations, and of accounts without one.
public struct InvitationSettings: Sendable {
    /// The users who may invite others to an account.
    public enum Inviters: String, Sendable, CaseIterable {
        /// Those with the right to administer the hub.
        case admins
        /// Every user with an account.
        case everyone
        /// None; invitations are made at the command line.
        case nobody
    }

    /// The users who may invite others to an account (`invitations.accounts`).
    public var accounts = Inviters.admins
    /// True if anybody may create an account (`auth.selfRegistration`).
    public var allowsSelfRegistration = false

    /// All settings with their defaults.
    public init() {}
}
