/// The limits of the data that the hub stores.
public struct AccountDataLimits: Hashable, Sendable {
    /// The maximum number of calls in Recents of an account; the oldest are removed first.
    public var maximumRecents = 1_000
    /// The maximum number of entries of all call directory extensions of an account together (decision D10).
    public var maximumDirectoryEntries = 2_000_000
    /// The maximum size of an account's call directory extensions together, in megabytes (2^20 bytes).
    ///
    /// The loads under way are limited to as much again.
    public var maximumDirectoryMegabytes = 128
    /// The maximum size of all accounts' call directory extensions together, in megabytes.
    public var maximumDirectoryMegabytesInAll = 1_024
    /// The maximum number of call directory extensions of an account.
    public var maximumDirectoryExtensions = 100
    /// The time that the hub waits for a load's next batch before it discards the load (row CK-79).
    public var directoryLoadTimeout: Duration = .seconds(60)
    /// The maximum number of contacts, of rules on the block list, and of quiet devices, each.
    public var maximumListEntries = 2_000
    /// The maximum size of the contacts, of the block list and of the text in Recents, each, in bytes.
    ///
    /// A list must fit in an answer.
    public var maximumListBytes = 524_288
    /// The maximum size of all photos of an account's contacts together, in bytes.
    ///
    /// More: more contacts with a photo; a larger database.
    public var maximumPhotoBytes = 8 << 20

    /// Creates the default limits.
    public init() {}

    /// The maximum size of an account's directory extensions, in bytes.
    var maximumDirectoryBytes: Int { Self.bytes(maximumDirectoryMegabytes) }

    /// The maximum size of all directory extensions, in bytes.
    var maximumDirectoryBytesInAll: Int { Self.bytes(maximumDirectoryMegabytesInAll) }

    private static func bytes(_ megabytes: Int) -> Int {
        let (bytes, isTooLarge) = max(megabytes, 0).multipliedReportingOverflow(by: 1 << 20)
        return isTooLarge ? .max : bytes
    }

    /// The maximum number of labels that a directory extension may have for one number.
    static let maximumLabelsPerNumber = 16
}
