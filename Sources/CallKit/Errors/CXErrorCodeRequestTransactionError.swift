public import Foundation

/// The domain of errors of requested transactions.
public let CXErrorDomainRequestTransaction = "com.apple.CallKit.error.requesttransaction"

/// The reason why a transaction was refused.
///
/// It can be caught by its type, as an `NSError`, and by a code, as in
/// `catch CXErrorCodeRequestTransactionError.callIsProtected`.
public struct CXErrorCodeRequestTransactionError: _BridgedStoredNSError, CustomNSError, Hashable, Sendable {
    /// The codes of the error.
    public enum Code: Int, Sendable, _ErrorCodeProtocol {
        /// The error of the codes.
        public typealias _ErrorType = CXErrorCodeRequestTransactionError

        /// An unknown error occurred.
        case unknown = 0
        /// The app may not place calls.
        case unentitled = 1
        /// There is no provider of the call.
        case unknownCallProvider = 2
        /// The transaction has no actions.
        case emptyTransaction = 3
        /// The app has no call with this UUID.
        case unknownCallUUID = 4
        /// A call with this UUID exists.
        case callUUIDAlreadyExists = 5
        /// The action is not possible in the state of the call, or with its abilities.
        case invalidAction = 6
        /// The transaction would make more groups of calls than the provider has.
        case maximumCallGroupsReached = 7
        /// The call is protected.
        case callIsProtected = 8
    }

    /// The error as Foundation has it.
    public let _nsError: NSError

    /// Creates the error from Foundation's, which must be of the domain.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// The domain of the error.
    public static var errorDomain: String { CXErrorDomainRequestTransaction }

    /// The domain of the error, for Foundation.
    public static var _nsErrorDomain: String { CXErrorDomainRequestTransaction }

    /// An unknown error occurred.
    public static var unknown: Code { .unknown }
    /// The app may not place calls.
    public static var unentitled: Code { .unentitled }
    /// There is no provider of the call.
    public static var unknownCallProvider: Code { .unknownCallProvider }
    /// The transaction has no actions.
    public static var emptyTransaction: Code { .emptyTransaction }
    /// The app has no call with this UUID.
    public static var unknownCallUUID: Code { .unknownCallUUID }
    /// A call with this UUID exists.
    public static var callUUIDAlreadyExists: Code { .callUUIDAlreadyExists }
    /// The action is not possible in the state of the call, or with its abilities.
    public static var invalidAction: Code { .invalidAction }
    /// The transaction would make more groups of calls than the provider has.
    public static var maximumCallGroupsReached: Code { .maximumCallGroupsReached }
    /// The call is protected.
    public static var callIsProtected: Code { .callIsProtected }
}
