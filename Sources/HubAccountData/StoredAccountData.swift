/// The data that a store has of an account: the argument of `AccountDataTable.restore`.
public struct StoredAccountData: Hashable, Sendable {
    /// The account's name.
    public var name: String
    /// The settings.
    public var settings = AccountSettings()
    /// The block list, in the order in which it was made.
    public var blocked: [BlockRule] = []
    /// The contacts, in any order.
    public var contacts: [Contact] = []
    /// The photos of the contacts, by the contacts' identifiers.
    public var photos: [String: StoredPhoto] = [:]
    /// The user's own photo, whose hash is in the settings.
    public var photo: StoredPhoto?
    /// Recents, the oldest first.
    public var recents: [RecentEntry] = []
    /// The directory extensions, in the order in which they were first loaded or switched.
    public var directories: [StoredDirectory] = []

    /// Creates an account without data.
    public init(name: String) {
        self.name = name
    }
}
