public import Foundation

/// The domain of errors of notification service extensions.
public let CXErrorDomainNotificationServiceExtension = "com.apple.CallKit.error.notificationserviceextension"

/// The reason why a push payload was not taken from a notification service extension.
///
/// It can be caught by its type, as an `NSError`, and by a code, as in
/// `catch CXErrorCodeNotificationServiceExtensionError.missingNotificationFilteringEntitlement`.
public struct CXErrorCodeNotificationServiceExtensionError: _BridgedStoredNSError, CustomNSError, Hashable, Sendable {
    /// The codes of the error.
    public enum Code: Int, Sendable, _ErrorCodeProtocol {
        /// The error of the codes.
        public typealias _ErrorType = CXErrorCodeNotificationServiceExtensionError

        /// An unknown error occurred.
        case unknown = 0
        /// The process is no notification service extension.
        case invalidClientProcess = 1
        /// The extension may not filter notifications.
        case missingNotificationFilteringEntitlement = 2
    }

    /// The error as Foundation has it.
    public let _nsError: NSError

    /// Creates the error from Foundation's, which must be of the domain.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// The domain of the error.
    public static var errorDomain: String { CXErrorDomainNotificationServiceExtension }

    /// The domain of the error, for Foundation.
    public static var _nsErrorDomain: String { CXErrorDomainNotificationServiceExtension }

    /// An unknown error occurred.
    public static var unknown: Code { .unknown }
    /// The process is no notification service extension.
    public static var invalidClientProcess: Code { .invalidClientProcess }
    /// The extension may not filter notifications.
    public static var missingNotificationFilteringEntitlement: Code { .missingNotificationFilteringEntitlement }
}
