public import HubAccountData
public import HubEngine

/// Every error code of the protocol (docs/protocol.md, Errors).
public enum ErrorCode: Hashable, Sendable {
    /// -32700: the message is not JSON.
    case parseError
    /// -32600: JSON, but not a request.
    case invalidRequest
    /// -32601: there is no such method.
    case methodNotFound
    /// -32602: a parameter is missing or has the wrong JSON type.
    case invalidParams
    /// -32603: a fault in the hub itself.
    case internalError
    /// 100 + n: CXErrorDomainRequestTransaction n.
    case requestTransaction(Refusal.RequestTransactionCode)
    /// 200 + n: CXErrorDomainIncomingCall n.
    case incomingCall(Refusal.IncomingCallCode)
    /// 300 + n: CXErrorDomainCallDirectoryManager n.
    case callDirectory(AccountDataError.CallDirectoryCode)
    /// 600 + n: CXErrorDomain n.
    case general(Refusal.GeneralCode)
    /// 401: the client has not signed in yet.
    case notSignedIn
    /// 401: the hub requires a password or a token, and there was none.
    case credentialsMissing
    /// 401: there is no account of that name with that password.
    case wrongPassword
    /// 401: the hub does not accept the token.
    case wrongToken
    /// 401: the token has expired; a newer one may be accepted.
    case tokenExpired
    /// 401: the invitation cannot be used.
    case invitationInvalid
    /// 401: the hub does not accept the passkey.
    case wrongPasskey
    /// 403: the client may not do this.
    case notAllowed
    /// 404: the object of the request does not exist.
    case notFound
    /// 409: the request conflicts with the current state.
    case conflict
    /// 413: larger than the hub accepts.
    case tooLarge
    /// 429: more than the hub accepts.
    case tooMany
    /// 440: the session is gone.
    case sessionGone
    /// 503: the hub is draining, and stops soon.
    case draining
    /// 503: the hub is overloaded, and keeps the calls that it has.
    case overloaded
    /// 503: the hub cannot store data at the moment; nothing was changed.
    case storeFailed
    /// A code unknown to this version: a hub may be newer than its client.
    case other(Int, name: String?)

    /// An error domain of CallKit.
    public enum Domain: Int, Hashable, Sendable, CaseIterable {
        // The raw values are the offsets of the domains' codes.
        /// CXErrorDomainRequestTransaction.
        case requestTransaction = 100
        /// CXErrorDomainIncomingCall.
        case incomingCall = 200
        /// CXErrorDomainCallDirectoryManager.
        case callDirectory = 300
        /// CXErrorDomain.
        case general = 600

        /// Apple's name for it: `data.domain`.
        public var identifier: String {
            switch self {
            case .requestTransaction: "com.apple.CallKit.error.requesttransaction"
            case .incomingCall: "com.apple.CallKit.error.incomingcall"
            case .callDirectory: "com.apple.CallKit.error.calldirectorymanager"
            case .general: "com.apple.CallKit.error"
            }
        }
    }

    /// Every code known to this version, in the order of the table in docs/protocol.md.
    public static let known: [ErrorCode] =
        [.parseError, .invalidRequest, .methodNotFound, .invalidParams, .internalError]
        + Refusal.RequestTransactionCode.allCases.map(ErrorCode.requestTransaction)
        + Refusal.IncomingCallCode.allCases.map(ErrorCode.incomingCall)
        + AccountDataError.CallDirectoryCode.allCases.map(ErrorCode.callDirectory)
        + Refusal.GeneralCode.allCases.map(ErrorCode.general)
        + [.notSignedIn, .credentialsMissing, .wrongPassword, .wrongToken, .tokenExpired, .invitationInvalid]
        + [.wrongPasskey]
        + [.notAllowed, .notFound, .conflict, .tooLarge, .tooMany, .sessionGone, .draining, .overloaded, .storeFailed]

    /// Converts the code of an engine's refusal.
    public init(_ code: Refusal.Code) {
        self =
            switch code {
            case .requestTransaction(let code): .requestTransaction(code)
            case .incomingCall(let code): .incomingCall(code)
            case .general(let code): .general(code)
            case .notAllowed: .notAllowed
            case .notFound: .notFound
            case .tooMany: .tooMany
            case .sessionGone: .sessionGone
            case .draining: .draining
            }
    }

    /// Converts the code of a refusal of a request for the account's data.
    public init(_ code: AccountDataError.Code) {
        self =
            switch code {
            case .callDirectory(let code): .callDirectory(code)
            case .invalidArgument: .general(.invalidArgument)
            case .notFound: .notFound
            case .tooMany: .tooMany
            }
    }

    /// The code with this number and, if several have it, this name; `other` if it is unknown to this version.
    public init(number: Int, name: String? = nil) {
        let candidates = Self.known.filter { $0.number == number }
        self = candidates.first { $0.name == name } ?? candidates.first ?? .other(number, name: name)
    }

    /// The error's `code`.
    public var number: Int {
        switch self {
        case .parseError: -32700
        case .invalidRequest: -32600
        case .methodNotFound: -32601
        case .invalidParams: -32602
        case .internalError: -32603
        case .requestTransaction(let code): Domain.requestTransaction.rawValue + code.rawValue
        case .incomingCall(let code): Domain.incomingCall.rawValue + code.rawValue
        case .callDirectory(let code): Domain.callDirectory.rawValue + code.rawValue
        case .general(let code): Domain.general.rawValue + code.rawValue
        case .notSignedIn, .credentialsMissing, .wrongPassword, .wrongToken, .tokenExpired, .invitationInvalid,
            .wrongPasskey:
            401
        case .notAllowed: 403
        case .notFound: 404
        case .conflict: 409
        case .tooLarge: 413
        case .tooMany: 429
        case .sessionGone: 440
        case .draining, .overloaded, .storeFailed: 503
        case .other(let number, _): number
        }
    }

    /// The error's `data.name`; JSON-RPC's own codes have none.
    public var name: String? {
        switch self {
        case .parseError, .invalidRequest, .methodNotFound, .invalidParams, .internalError: nil
        case .requestTransaction(let code): String(describing: code)
        case .incomingCall(let code): String(describing: code)
        case .callDirectory(let code): String(describing: code)
        case .general(let code): String(describing: code)
        case .notSignedIn: "notSignedIn"
        case .credentialsMissing: "credentialsMissing"
        case .wrongPassword: "wrongPassword"
        case .wrongToken: "wrongToken"
        case .tokenExpired: "tokenExpired"
        case .invitationInvalid: "invitationInvalid"
        case .wrongPasskey: "wrongPasskey"
        case .notAllowed: "notAllowed"
        case .notFound: "notFound"
        case .conflict: "conflict"
        case .tooLarge: "tooLarge"
        case .tooMany: "tooMany"
        case .sessionGone: "sessionGone"
        case .draining: "draining"
        case .overloaded: "overloaded"
        case .storeFailed: "storeFailed"
        case .other(_, let name): name
        }
    }

    /// The CallKit domain of the code; nil: it has none.
    public var domain: Domain? {
        switch self {
        case .requestTransaction: .requestTransaction
        case .incomingCall: .incomingCall
        case .callDirectory: .callDirectory
        case .general: .general
        case .parseError, .invalidRequest, .methodNotFound, .invalidParams, .internalError, .notSignedIn,
            .credentialsMissing, .wrongPassword, .wrongToken, .tokenExpired, .invitationInvalid, .wrongPasskey,
            .notAllowed, .notFound, .conflict, .tooLarge, .tooMany, .sessionGone, .draining, .overloaded, .storeFailed,
            .other:
            nil
        }
    }

    /// The code within its domain: `data.code`.
    public var domainCode: Int? {
        domain.map { number - $0.rawValue }
    }
}
