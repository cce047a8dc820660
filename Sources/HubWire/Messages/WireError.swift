public import HubAccountData
public import HubEngine

/// An error of the protocol: a code for programs, a sentence for people (docs/protocol.md, Errors).
public struct WireError: Error, Hashable, Sendable {
    /// The stable code.
    public var code: ErrorCode
    /// One English sentence with the error and what would be right.
    public var message: String
    /// The index, from 0, of the action with the error.
    public var actionIndex: Int?
    /// The device's calls, if the code is 104.
    public var calls: [CallSnapshot]?
    /// The seconds after which to try again; nil: unknown.
    public var retryAfterSeconds: Int?

    /// The reason for programs: of an invitation that cannot be used, or of a password that is not accepted.
    public var reason: String?

    /// Creates an error.
    public init(
        _ code: ErrorCode,
        _ message: String,
        actionIndex: Int? = nil,
        calls: [CallSnapshot]? = nil,
        retryAfterSeconds: Int? = nil,
        reason: String? = nil
    ) {
        self.reason = reason
        self.retryAfterSeconds = retryAfterSeconds
        self.code = code
        self.message = message
        self.actionIndex = actionIndex
        self.calls = calls
    }

    /// Converts the reason for which an invitation cannot be used.
    public init(_ fault: InvitationFault, actionIndex: Int? = nil) {
        self.init(.invitationInvalid, fault.sentence, actionIndex: actionIndex, reason: fault.rawValue)
    }

    /// Converts the engine's refusal of a request.
    public init(_ refusal: Refusal) {
        self.init(
            ErrorCode(refusal.code),
            refusal.message,
            actionIndex: refusal.actionIndex,
            calls: refusal.calls
        )
    }

    /// Converts the refusal of a request for the account's data.
    public init(_ refusal: AccountDataError) {
        self.init(ErrorCode(refusal.code), refusal.message)
    }

    /// Indicates that the message itself broke a rule of JSON-RPC or of the protocol, whatever the state of the calls.
    ///
    /// A hub counts these to detect a client that keeps breaking a rule.
    public var isProtocolViolation: Bool {
        switch code {
        case .parseError, .invalidRequest, .methodNotFound, .invalidParams: true
        case .internalError, .requestTransaction, .incomingCall, .callDirectory, .general, .notSignedIn,
            .credentialsMissing, .wrongPassword, .wrongToken, .tokenExpired, .invitationInvalid, .wrongPasskey,
            .notAllowed, .notFound, .conflict, .tooLarge, .tooMany, .sessionGone, .draining, .overloaded, .storeFailed,
            .other:
            false
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.object { error in
            error.member("code", code.number)
            error.member("message", message)
            let isPlain = code.name == nil && reason == nil && actionIndex == nil && calls == nil
            guard !isPlain || retryAfterSeconds != nil else { return }
            error.object("data") { data in
                data.optional("domain", code.domain) { $0.value($1.identifier) }
                data.optional("code", code.domainCode) { $0.value($1) }
                data.optional("name", code.name) { $0.value($1) }
                data.optional("reason", reason) { $0.value($1) }
                data.optional("actionIndex", actionIndex) { $0.value($1) }
                data.optional("retryAfterSeconds", retryAfterSeconds) { $0.value($1) }
                if let calls { data.array("calls", calls) { $1.write(to: &$0) } }
            }
        }
    }
}
