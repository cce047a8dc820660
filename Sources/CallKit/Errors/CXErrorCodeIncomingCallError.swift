public import Foundation

/// The domain of errors of reports of incoming calls.
public let CXErrorDomainIncomingCall = "com.apple.CallKit.error.incomingcall"

/// The reason why an incoming call that was reported does not ring.
///
/// It can be caught by its type, as an `NSError`, and by a code, as in
/// `catch CXErrorCodeIncomingCallError.filteredBySensitiveParticipants`.
public struct CXErrorCodeIncomingCallError: _BridgedStoredNSError, CustomNSError, Hashable, Sendable {
    /// The codes of the error.
    public enum Code: Int, Sendable, _ErrorCodeProtocol {
        /// The error of the codes.
        public typealias _ErrorType = CXErrorCodeIncomingCallError

        /// An unknown error occurred.
        case unknown = 0
        /// The app may not take calls.
        case unentitled = 1
        /// A call with this UUID exists.
        case callUUIDAlreadyExists = 2
        /// The user does not want to be disturbed.
        case filteredByDoNotDisturb = 3
        /// The user has blocked the caller.
        case filteredByBlockList = 4
        /// The device is shared in a mode without calls.
        case filteredDuringRestrictedSharingMode = 5
        /// The call is protected.
        case callIsProtected = 6
        /// The call has participants that the device does not show.
        case filteredBySensitiveParticipants = 7
    }

    /// The error as Foundation has it.
    public let _nsError: NSError

    /// Creates the error from Foundation's, which must be of the domain.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// The domain of the error.
    public static var errorDomain: String { CXErrorDomainIncomingCall }

    /// The domain of the error, for Foundation.
    public static var _nsErrorDomain: String { CXErrorDomainIncomingCall }

    /// An unknown error occurred.
    public static var unknown: Code { .unknown }
    /// The app may not take calls.
    public static var unentitled: Code { .unentitled }
    /// A call with this UUID exists.
    public static var callUUIDAlreadyExists: Code { .callUUIDAlreadyExists }
    /// The user does not want to be disturbed.
    public static var filteredByDoNotDisturb: Code { .filteredByDoNotDisturb }
    /// The user has blocked the caller.
    public static var filteredByBlockList: Code { .filteredByBlockList }
    /// The device is shared in a mode without calls.
    public static var filteredDuringRestrictedSharingMode: Code { .filteredDuringRestrictedSharingMode }
    /// The call is protected.
    public static var callIsProtected: Code { .callIsProtected }
    /// The call has participants that the device does not show.
    public static var filteredBySensitiveParticipants: Code { .filteredBySensitiveParticipants }
}
