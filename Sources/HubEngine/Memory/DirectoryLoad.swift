/// What one `directory.load` brings: a whole load, or one batch of it (callkit.md 1.11).
public struct DirectoryLoad: Hashable, Sendable {
    /// The extension's own name.
    public var identifier: String
    /// Whether it is the difference to what is loaded, and not everything.
    public var isIncremental: Bool
    /// Numbers to be blocked, ascending.
    public var blocking: [Int64] = []
    /// Numbers with the names to be shown for them, ascending.
    public var identification: [DirectoryEntry] = []
    /// Numbers to be blocked no longer; incremental only, and taken out before any are added.
    public var removeBlocking: [Int64] = []
    /// Numbers of which all names are to go; likewise.
    public var removeIdentification: [Int64] = []
    /// CXCallDirectoryExtensionContext.removeAllBlockingEntries; likewise.
    public var removesAllBlocking = false
    /// CXCallDirectoryExtensionContext.removeAllIdentificationEntries; likewise.
    public var removesAllIdentification = false
    /// Which batch of the load it is, from 1.
    public var batch = 1
    /// Whether the load is complete with it: only then anything is stored.
    public var isFinal = true

    /// A load of nothing.
    public init(_ identifier: String, isIncremental: Bool = false) {
        self.identifier = identifier
        self.isIncremental = isIncremental
    }
}

/// A number and the name to be shown for it.
public struct DirectoryEntry: Hashable, Sendable {
    /// Country code and digits.
    public var number: Int64
    /// The name.
    public var label: String

    /// An entry of its parts.
    public init(_ number: Int64, _ label: String) {
        self.number = number
        self.label = label
    }
}

/// What an extension has after a load, or a batch of it.
public struct DirectoryLoadResult: Hashable, Sendable {
    /// Numbers that are blocked.
    public var blocking: Int
    /// Names for numbers.
    public var identification: Int
    /// Whether the load took too long, and nothing of it is stored (row CK-79).
    public var isExpired: Bool

    package init(blocking: Int, identification: Int, isExpired: Bool = false) {
        self.blocking = blocking
        self.identification = identification
        self.isExpired = isExpired
    }
}

/// How a directory extension is (row CK-78).
public struct DirectoryStatus: Hashable, Sendable {
    /// The extension's own name.
    public var identifier: String
    /// Whether its entries are used.
    public var isEnabled: Bool
    /// Numbers that are blocked.
    public var blocking: Int
    /// Names for numbers.
    public var identification: Int
    /// When a load was last stored; nil: never.
    public var loadedAt: Instant?
    /// Whether the next load may be incremental (row CK-77).
    public var isIncremental: Bool

    package init(
        identifier: String,
        isEnabled: Bool,
        blocking: Int,
        identification: Int,
        loadedAt: Instant?,
        isIncremental: Bool
    ) {
        self.identifier = identifier
        self.isEnabled = isEnabled
        self.blocking = blocking
        self.identification = identification
        self.loadedAt = loadedAt
        self.isIncremental = isIncremental
    }
}
