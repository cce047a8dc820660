public import HubAccountData
public import HubEngine

/// The state that a hub starts with.
public struct StoredHub: Sendable {
    /// All accounts in the order of their creation, including those that no operator has created.
    public var accounts: [StoredAccount] = []
    /// The data of each account, for `AccountDataTable.restore`.
    public var storedData: [StoredAccountData] = []
    /// The hub's own keys, by name.
    public var secrets: [String: [UInt8]] = [:]
    /// The invitations that were revoked individually.
    public var revokedInvitations: Set<InvitationID> = []
    /// Sentences for the operator about changes that were made when the database was migrated.
    public var notices: [String] = []
    /// A sentence for each damaged record that was left out.
    public var warnings: [String] = []
}
