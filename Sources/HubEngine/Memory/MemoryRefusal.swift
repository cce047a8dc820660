/// Why the memory did not do something: a code for programs and a sentence for people.
public struct MemoryRefusal: Error, Hashable, Sendable {
    /// The stable code.
    public var code: Code
    /// One English sentence: what is wrong and what would be right.
    public var message: String

    /// What may be wrong.
    public enum Code: Hashable, Sendable {
        /// CXErrorDomainCallDirectoryManager.
        case callDirectory(CallDirectoryCode)
        /// CXErrorDomain's invalidArgument.
        case invalidArgument
        /// 404: there is no such thing.
        case notFound
        /// 429: more than the hub takes.
        case tooMany
    }

    /// CXErrorCodeCallDirectoryManagerError with Apple's raw values (callkit.md 1.10).
    public enum CallDirectoryCode: Int, Hashable, Sendable, CaseIterable {
        /// Nothing known.
        case unknown = 0
        /// No extension by that name.
        case noExtensionFound = 1
        /// The loading was interrupted.
        case loadingInterrupted = 2
        /// The numbers are not ascending.
        case entriesOutOfOrder = 3
        /// An entry is there twice.
        case duplicateEntries = 4
        /// More entries than the hub takes.
        case maximumEntriesExceeded = 5
        /// The extension is switched off.
        case extensionDisabled = 6
        /// The extension is being loaded.
        case currentlyLoading = 7
        /// An incremental load, or entries removed, where there is nothing that could be built on.
        case unexpectedIncrementalRemoval = 8
    }

    private init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static func directory(_ code: CallDirectoryCode, _ message: String) -> MemoryRefusal {
        MemoryRefusal(.callDirectory(code), message)
    }

    static func invalidArgument(_ message: String) -> MemoryRefusal { MemoryRefusal(.invalidArgument, message) }

    static func notFound(_ message: String) -> MemoryRefusal { MemoryRefusal(.notFound, message) }

    static func tooMany(_ message: String) -> MemoryRefusal { MemoryRefusal(.tooMany, message) }
}
