public import Foundation

/// The domain of errors of CallKit in general.
public let CXErrorDomain = "com.apple.CallKit.error"

/// An error of CallKit in general.
///
/// It can be caught by its type, as an `NSError`, and by a code, as in
/// `catch CXError.missingVoIPBackgroundMode`.
public struct CXError: _BridgedStoredNSError, CustomNSError, Hashable, Sendable {
    /// The codes of the error.
    public enum Code: Int, Sendable, _ErrorCodeProtocol {
        /// The error of the codes.
        public typealias _ErrorType = CXError

        /// An unknown error occurred.
        case unknownError = 0
        /// The app may not do this.
        case unentitled = 1
        /// An argument is invalid.
        case invalidArgument = 2
        /// The app has not the background mode for calls.
        case missingVoIPBackgroundMode = 3
    }

    /// The error as Foundation has it.
    public let _nsError: NSError

    /// Creates the error from Foundation's, which must be of the domain.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// The domain of the error.
    public static var errorDomain: String { CXErrorDomain }

    /// The domain of the error, for Foundation.
    public static var _nsErrorDomain: String { CXErrorDomain }

    /// An unknown error occurred.
    public static var unknownError: Code { .unknownError }
    /// The app may not do this.
    public static var unentitled: Code { .unentitled }
    /// An argument is invalid.
    public static var invalidArgument: Code { .invalidArgument }
    /// The app has not the background mode for calls.
    public static var missingVoIPBackgroundMode: Code { .missingVoIPBackgroundMode }
}
