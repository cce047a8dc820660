/// The entries of a directory extension, for a store; they are shared, not copied.
public struct DirectoryContents: Hashable, Sendable {
    let entries: DirectoryEntries

    init(_ entries: DirectoryEntries) {
        self.entries = entries
    }

    /// Creates contents without entries.
    public init() {
        entries = DirectoryEntries()
    }

    /// The number of blocked numbers.
    public var blockingCount: Int { entries.blocking.count }

    /// The number of labels.
    public var identificationCount: Int { entries.identification.count }
}
