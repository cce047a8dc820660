import HubEngine

/// The refusal of a request for stored data: a code for programs and a sentence for people.
public struct AccountDataError: Error, Hashable, Sendable {
    /// The stable code.
    public var code: Code
    /// One English sentence: what is wrong and what would be right.
    public var message: String

    /// The kinds of refusal.
    public enum Code: Hashable, Sendable {
        /// CXErrorDomainCallDirectoryManager.
        case callDirectory(CallDirectoryCode)
        /// CXErrorDomain's invalidArgument.
        case invalidArgument
        /// 404: there is no such thing.
        case notFound
        /// 429: more than the hub stores.
        case tooMany
    }

    /// CXErrorCodeCallDirectoryManagerError with Apple's raw values (callkit-semantics.md 1.10).
    public enum CallDirectoryCode: Int, Hashable, Sendable, CaseIterable {
        /// An error without a code of its own.
        case unknown = 0
        /// There is no extension with the identifier.
        case noExtensionFound = 1
        /// The loading was interrupted.
        case loadingInterrupted = 2
        /// The numbers are not ascending.
        case entriesOutOfOrder = 3
        /// An entry occurs twice.
        case duplicateEntries = 4
        /// There are more entries than the hub stores.
        case maximumEntriesExceeded = 5
        /// The extension is disabled.
        case extensionDisabled = 6
        /// A load of the extension is under way.
        case currentlyLoading = 7
        /// An incremental load or a removal, without stored entries that it could change.
        case unexpectedIncrementalRemoval = 8
    }

    private init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static func directory(_ code: CallDirectoryCode, _ message: String) -> AccountDataError {
        AccountDataError(.callDirectory(code), message)
    }

    static func invalidArgument(_ message: String) -> AccountDataError { AccountDataError(.invalidArgument, message) }

    static func notFound(_ message: String) -> AccountDataError { AccountDataError(.notFound, message) }

    static func tooMany(_ message: String) -> AccountDataError { AccountDataError(.tooMany, message) }
}
