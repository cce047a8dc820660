public import HubEngine

/// A change of an account's data, for a store to write before the change is made.
public enum AccountDataChange: Hashable, Sendable {
    /// The new settings.
    case settings(AccountSettings)
    /// The change of the user's own photo, whose hash is in the settings that were written before.
    case photo(PhotoChange, hash: String?)
    /// A new rule, at the end of the block list.
    case blocked(BlockRule)
    /// The removal of a rule, perhaps by another spelling of the same number.
    case unblocked(BlockRule)
    /// A new contact, which replaces the one with its identifier, and the change of its photo.
    case contact(Contact, photo: PhotoChange = .keep)
    /// The removal of the contact with the identifier, and of its photo.
    case contactRemoved(identifier: String)
    /// Entries of Recents that have been seen; nil: all.
    case recentsSeen([RecentUUID]?)
    /// The removal of entries of Recents; nil: all.
    case recentsRemoved([RecentUUID]?)
    /// The complete new entries of a directory extension, and its title.
    case directory(identifier: String, DirectoryContents, loadedAt: Instant, title: String?)
    /// A directory extension that was enabled (true) or disabled.
    case directoryEnabled(identifier: String, Bool)
    /// The removal of all data.
    case erased
}
