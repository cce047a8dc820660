public import Foundation

/// The domain of errors of call directories.
public let CXErrorDomainCallDirectoryManager = "com.apple.CallKit.error.calldirectorymanager"

/// The reason why a call directory could not be loaded.
///
/// It can be caught by its type, as an `NSError`, and by a code, as in
/// `catch CXErrorCodeCallDirectoryManagerError.unexpectedIncrementalRemoval`.
public struct CXErrorCodeCallDirectoryManagerError: _BridgedStoredNSError, CustomNSError, Hashable, Sendable {
    /// The codes of the error.
    public enum Code: Int, Sendable, _ErrorCodeProtocol {
        /// The error of the codes.
        public typealias _ErrorType = CXErrorCodeCallDirectoryManagerError

        /// An unknown error occurred.
        case unknown = 0
        /// There is no extension with the identifier.
        case noExtensionFound = 1
        /// The load was interrupted.
        case loadingInterrupted = 2
        /// The numbers of the entries are not in ascending order.
        case entriesOutOfOrder = 3
        /// Several entries have the same number.
        case duplicateEntries = 4
        /// There are more entries than the system takes.
        case maximumEntriesExceeded = 5
        /// The user has not enabled the extension.
        case extensionDisabled = 6
        /// The extension is being loaded.
        case currentlyLoading = 7
        /// An entry was removed in a load that is not incremental.
        case unexpectedIncrementalRemoval = 8
    }

    /// The error as Foundation has it.
    public let _nsError: NSError

    /// Creates the error from Foundation's, which must be of the domain.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// The domain of the error.
    public static var errorDomain: String { CXErrorDomainCallDirectoryManager }

    /// The domain of the error, for Foundation.
    public static var _nsErrorDomain: String { CXErrorDomainCallDirectoryManager }

    /// An unknown error occurred.
    public static var unknown: Code { .unknown }
    /// There is no extension with the identifier.
    public static var noExtensionFound: Code { .noExtensionFound }
    /// The load was interrupted.
    public static var loadingInterrupted: Code { .loadingInterrupted }
    /// The numbers of the entries are not in ascending order.
    public static var entriesOutOfOrder: Code { .entriesOutOfOrder }
    /// Several entries have the same number.
    public static var duplicateEntries: Code { .duplicateEntries }
    /// There are more entries than the system takes.
    public static var maximumEntriesExceeded: Code { .maximumEntriesExceeded }
    /// The user has not enabled the extension.
    public static var extensionDisabled: Code { .extensionDisabled }
    /// The extension is being loaded.
    public static var currentlyLoading: Code { .currentlyLoading }
    /// An entry was removed in a load that is not incremental.
    public static var unexpectedIncrementalRemoval: Code { .unexpectedIncrementalRemoval }
}
