public import HubEngine

/// A change of an account's data, for a store to write before the change is made.
public enum MemoryChange: Hashable, Sendable {
    /// The new settings.
    case settings(AccountSettings)
    /// A new rule, at the end of the block list.
    case blocked(BlockRule)
    /// The removal of a rule, perhaps by another spelling of the same number.
    case unblocked(BlockRule)
    /// A new contact, which replaces the one with its identifier.
    case contact(Contact)
    /// The removal of the contact with the identifier.
    case contactRemoved(identifier: String)
    /// Entries of Recents that have been seen; nil: all.
    case recentsSeen([RecentUUID]?)
    /// The removal of entries of Recents; nil: all.
    case recentsRemoved([RecentUUID]?)
    /// The complete new entries of a directory extension.
    case directory(identifier: String, DirectoryImage, loadedAt: Instant)
    /// A directory extension that was enabled (true) or disabled.
    case directoryEnabled(identifier: String, Bool)
    /// The removal of all data.
    case erased
}

/// The data that a store has of an account: the argument of `HubMemory.restore`.
public struct RememberedAccount: Hashable, Sendable {
    /// The account's name.
    public var name: String
    /// The settings.
    public var settings = AccountSettings()
    /// The block list, in the order in which it was made.
    public var blocked: [BlockRule] = []
    /// The contacts, in any order.
    public var contacts: [Contact] = []
    /// Recents, the oldest first.
    public var recents: [RecentEntry] = []
    /// The directory extensions, in the order in which they were first loaded or switched.
    public var directories: [RememberedDirectory] = []

    /// Creates an account without data.
    public init(name: String) {
        self.name = name
    }
}

/// The data that a store has of a directory extension.
public struct RememberedDirectory: Hashable, Sendable {
    /// The extension's identifier.
    public var identifier: String
    /// True if its entries are used.
    public var isEnabled: Bool
    /// The time when a load was last stored; nil: never.
    public var loadedAt: Instant?
    /// Its entries.
    public var image: DirectoryImage

    /// Creates an extension from its parts.
    public init(identifier: String, isEnabled: Bool, loadedAt: Instant?, image: DirectoryImage) {
        self.identifier = identifier
        self.isEnabled = isEnabled
        self.loadedAt = loadedAt
        self.image = image
    }
}
