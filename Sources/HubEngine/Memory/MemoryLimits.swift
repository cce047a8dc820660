/// How much the hub remembers of an account.
public struct MemoryLimits: Hashable, Sendable {
    /// Calls in Recents; the oldest go first.
    public var maximumRecents = 1_000
    /// Entries of all call directory extensions of an account together (decision D10).
    public var maximumDirectoryEntries = 2_000_000
    /// Megabytes (2^20 bytes) of all call directory extensions of an account together, with the loads under way.
    public var maximumDirectoryMegabytes = 128
    /// Megabytes of the call directory extensions of all accounts together.
    public var maximumDirectoryMegabytesInAll = 1_024
    /// Call directory extensions of an account.
    public var maximumDirectoryExtensions = 100
    /// How long the hub waits for a load's next batch before it forgets those it has (row CK-79).
    public var directoryLoadTimeout: Duration = .seconds(60)
    /// Contacts, and handles on the block list.
    public var maximumListEntries = 2_000
    /// Bytes of the contacts, of the block list and of the text in Recents, each: a list must fit in an answer.
    public var maximumListBytes = 524_288

    /// The defaults.
    public init() {}

    /// Bytes of an account's directory extensions.
    var maximumDirectoryBytes: Int { Self.bytes(maximumDirectoryMegabytes) }

    /// Bytes of all directory extensions.
    var maximumDirectoryBytesInAll: Int { Self.bytes(maximumDirectoryMegabytesInAll) }

    private static func bytes(_ megabytes: Int) -> Int {
        let (bytes, isTooLarge) = max(megabytes, 0).multipliedReportingOverflow(by: 1 << 20)
        return isTooLarge ? .max : bytes
    }

    /// Labels that a directory extension may have for one number.
    static let maximumLabelsOfANumber = 16
}
