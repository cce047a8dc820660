/// The entries of a directory extension, for a store; they are shared, not copied.
public struct DirectoryImage: Hashable, Sendable {
    let entries: DirectoryEntries

    init(_ entries: DirectoryEntries) {
        self.entries = entries
    }

    /// No entries.
    public init() {
        entries = DirectoryEntries()
    }

    /// How many numbers are blocked.
    public var blockingCount: Int { entries.blocking.count }

    /// How many numbers have names, each name counted.
    public var identificationCount: Int { entries.identification.count }
}
