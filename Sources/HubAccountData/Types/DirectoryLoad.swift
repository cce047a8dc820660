public import HubEngine

/// The contents of one `directory.load`: a whole load, or one batch of it (callkit-semantics.md 1.11).
public struct DirectoryLoad: Hashable, Sendable {
    /// The extension's identifier.
    public var identifier: String
    /// True if the load is a difference to the stored entries and does not replace all.
    public var isIncremental: Bool
    /// Numbers to block, ascending.
    public var blocking: [Int64] = []
    /// Numbers with the labels to show for them, ascending.
    public var identification: [DirectoryEntry] = []
    /// Numbers to unblock; incremental only, and applied before additions.
    public var removeBlocking: [Int64] = []
    /// Numbers of which all labels are removed; incremental only, and applied before additions.
    public var removeIdentification: [Int64] = []
    /// CXCallDirectoryExtensionContext.removeAllBlockingEntries; incremental only, and applied before additions.
    public var removesAllBlocking = false
    /// CXCallDirectoryExtensionContext.removeAllIdentificationEntries; incremental only, and applied before additions.
    public var removesAllIdentification = false
    /// The title that is shown in front of the extension's labels; empty: none, nil: unchanged.
    ///
    /// Stored with the load; in several batches the last title counts.
    public var title: String?
    /// The number of the batch within the load, from 1.
    public var batch = 1
    /// True if this is the last batch: only then the load is stored.
    public var isFinal = true

    /// Creates a load without entries.
    public init(_ identifier: String, isIncremental: Bool = false) {
        self.identifier = identifier
        self.isIncremental = isIncremental
    }
}

/// A number and the name to be shown for it.
public struct DirectoryEntry: Hashable, Sendable {
    /// The telephone number: country code and digits.
    public var number: Int64
    /// The label to show.
    public var label: String

    /// Creates an entry from its parts.
    public init(_ number: Int64, _ label: String) {
        self.number = number
        self.label = label
    }
}

/// The sizes of an extension's lists after a load, or a batch of it.
public struct DirectoryLoadResult: Hashable, Sendable {
    /// The number of blocked numbers.
    public var blocking: Int
    /// The number of labels.
    public var identification: Int
    /// True if the load has timed out, and nothing of it is stored (row CK-79).
    public var isExpired: Bool

    package init(blocking: Int, identification: Int, isExpired: Bool = false) {
        self.blocking = blocking
        self.identification = identification
        self.isExpired = isExpired
    }
}

/// The reason why the last load of a directory extension was not stored.
public struct DirectoryLoadFault: Hashable, Sendable {
    /// The code of the refusal, or `CallDirectoryCode.unknown` if the client itself could not load.
    public var code: AccountDataError.Code
    /// One sentence: the hub's, or the client's.
    public var message: String
    /// The time when the load failed.
    public var at: Instant

    /// Creates a fault from its parts.
    public init(code: AccountDataError.Code, message: String, at: Instant) {
        self.code = code
        self.message = message
        self.at = at
    }
}

/// The status of a directory extension (row CK-78).
public struct DirectoryStatus: Hashable, Sendable {
    /// The extension's identifier.
    public var identifier: String
    /// True if its entries are used.
    public var isEnabled: Bool
    /// The number of blocked numbers.
    public var blocking: Int
    /// The number of labels.
    public var identification: Int
    /// The time when a load was last stored; nil: never.
    public var loadedAt: Instant?
    /// True if the next load may be incremental (row CK-77).
    public var isIncremental: Bool
    /// The title that is shown in front of its labels; nil: none.
    public var title: String?
    /// The fault of the last load; nil: that was stored, or the hub has started since.
    public var lastFault: DirectoryLoadFault?

    package init(
        identifier: String,
        isEnabled: Bool,
        blocking: Int,
        identification: Int,
        loadedAt: Instant?,
        isIncremental: Bool,
        title: String? = nil,
        lastFault: DirectoryLoadFault? = nil
    ) {
        self.identifier = identifier
        self.isEnabled = isEnabled
        self.blocking = blocking
        self.identification = identification
        self.loadedAt = loadedAt
        self.isIncremental = isIncremental
        self.title = title
        self.lastFault = lastFault
    }
}
