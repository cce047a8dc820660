/// What changes of an account's memory: what a store has to write, before the change is made.
public enum MemoryChange: Hashable, Sendable {
    /// The settings, as they are to be.
    case settings(AccountSettings)
    /// An entry more of the block list, behind the others.
    case blocked(BlockRule)
    /// An entry less; another spelling of the same number may be meant.
    case unblocked(BlockRule)
    /// A contact, in place of the one of its identifier.
    case contact(Contact)
    /// The contact of that identifier is to go.
    case contactRemoved(identifier: String)
    /// Entries of Recents have been seen; nil: all.
    case recentsSeen([RecentUUID]?)
    /// Entries of Recents are to go; nil: all.
    case recentsRemoved([RecentUUID]?)
    /// All that a directory extension has, from now on.
    case directory(identifier: String, DirectoryImage, loadedAt: Instant)
    /// Whether a directory extension's entries are used.
    case directoryEnabled(identifier: String, Bool)
    /// Everything is to go.
    case erased
}

/// All that a store has of an account: what `HubMemory.restore` takes when the hub starts.
public struct RememberedAccount: Hashable, Sendable {
    /// Its name.
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

    /// Nothing of an account yet.
    public init(name: String) {
        self.name = name
    }
}

/// All that a store has of a directory extension.
public struct RememberedDirectory: Hashable, Sendable {
    /// The extension's own name.
    public var identifier: String
    /// Whether its entries are used.
    public var isEnabled: Bool
    /// When it was loaded last; nil: never.
    public var loadedAt: Instant?
    /// Its entries.
    public var image: DirectoryImage

    /// An extension of its parts.
    public init(identifier: String, isEnabled: Bool, loadedAt: Instant?, image: DirectoryImage) {
        self.identifier = identifier
        self.isEnabled = isEnabled
        self.loadedAt = loadedAt
        self.image = image
    }
}
