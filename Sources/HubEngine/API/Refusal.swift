/// The refusal of a request: a code for programs and a sentence for people (protocol.md, Errors).
public struct Refusal: Hashable, Sendable {
    /// The stable code.
    public var code: Code
    /// One English sentence: what is wrong and what would be right.
    public var message: String
    /// The index, from 0, of the action at fault.
    public var actionIndex: Int?
    /// The device's calls, if the code is `unknownCallUUID` (pitfall P22).
    public var calls: [CallSnapshot]?

    /// Creates a refusal from its parts.
    public init(_ code: Code, _ message: String, actionIndex: Int? = nil, calls: [CallSnapshot]? = nil) {
        self.code = code
        self.message = message
        self.actionIndex = actionIndex
        self.calls = calls
    }

    /// CallKit's codes by their domain, and the hub's own.
    public enum Code: Hashable, Sendable {
        /// CXErrorDomainRequestTransaction.
        case requestTransaction(RequestTransactionCode)
        /// CXErrorDomainIncomingCall.
        case incomingCall(IncomingCallCode)
        /// CXErrorDomain.
        case general(GeneralCode)
        /// 403: the client may not do this.
        case notAllowed
        /// 404: there is no such thing.
        case notFound
        /// 429: more at once than the hub accepts.
        case tooMany
        /// 440: the session is gone.
        case sessionGone
        /// 503: the hub is about to stop.
        case draining
    }

    /// CXErrorCodeRequestTransactionError with Apple's raw values (callkit-semantics.md 1.10).
    public enum RequestTransactionCode: Int, Hashable, Sendable, CaseIterable {
        /// An error without a code of its own.
        case unknown = 0
        /// The client may not place calls.
        case unentitled = 1
        /// The client's provider was invalidated.
        case unknownCallProvider = 2
        /// The transaction has no actions.
        case emptyTransaction = 3
        /// The device has no such call.
        case unknownCallUUID = 4
        /// A live call has this UUID.
        case callUUIDAlreadyExists = 5
        /// The action is not legal for the call's state or capabilities.
        case invalidAction = 6
        /// The action would make one group of calls too many.
        case maximumCallGroupsReached = 7
        /// Reserved by Apple; never produced (decision D12).
        case callIsProtected = 8
    }

    /// CXErrorCodeIncomingCallError with Apple's raw values.
    public enum IncomingCallCode: Int, Hashable, Sendable, CaseIterable {
        /// An error without a code of its own.
        case unknown = 0
        /// The client may not report calls.
        case unentitled = 1
        /// A live call has this UUID.
        case callUUIDAlreadyExists = 2
        /// Do Not Disturb is on for the callee.
        case filteredByDoNotDisturb = 3
        /// The callee blocks the caller.
        case filteredByBlockList = 4
        /// Never produced (decision D12).
        case filteredDuringRestrictedSharingMode = 5
        /// Never produced (decision D12).
        case callIsProtected = 6
        /// Never produced (decision D12).
        case filteredBySensitiveParticipants = 7
    }

    /// CXErrorCode with Apple's raw values.
    public enum GeneralCode: Int, Hashable, Sendable, CaseIterable {
        /// An error without a code of its own.
        case unknownError = 0
        /// The client may not do this.
        case unentitled = 1
        /// An argument of the request is invalid.
        case invalidArgument = 2
        /// Apple's alone; never produced.
        case missingVoIPBackgroundMode = 3
    }
}
