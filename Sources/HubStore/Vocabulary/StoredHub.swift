public import HubEngine

/// All that a hub has to know before it runs.
public struct StoredHub: Sendable {
    /// All accounts, in the order in which they came; those that nobody made too.
    public var accounts: [StoredAccount] = []
    /// What is remembered of each, for `HubMemory.restore`.
    public var remembered: [RememberedAccount] = []
    /// The hub's own keys, by name.
    public var secrets: [String: [UInt8]] = [:]
    /// The call links that were revoked one by one.
    public var revokedLinks: Set<CallLinkID> = []
    /// What was damaged and so left out, a sentence each.
    public var warnings: [String] = []
}
