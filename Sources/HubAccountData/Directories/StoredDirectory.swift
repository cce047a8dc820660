public import HubEngine

/// The data that a store has of a directory extension.
public struct StoredDirectory: Hashable, Sendable {
    /// The extension's identifier.
    public var identifier: String
    /// True if its entries are used.
    public var isEnabled: Bool
    /// The time when a load was last stored; nil: never.
    public var loadedAt: Instant?
    /// The title that is shown in front of its labels; nil: none.
    public var title: String?
    /// Its entries.
    public var contents: DirectoryContents

    /// Creates an extension from its parts.
    public init(
        identifier: String,
        isEnabled: Bool,
        loadedAt: Instant?,
        title: String? = nil,
        contents: DirectoryContents
    ) {
        self.identifier = identifier
        self.isEnabled = isEnabled
        self.loadedAt = loadedAt
        self.title = title
        self.contents = contents
    }
}
