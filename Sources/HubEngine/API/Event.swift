/// What happened outside: the only way into the engine (house.md 3.4).
///
/// Domain values only, never bytes or text of the wire.
public enum Event: Hashable, Sendable {
    /// A client signed in; answered by `Reply.opened`.
    case sessionOpened(SessionOpening, token: RequestToken)
    /// A lost client is back on a new connection; answered by `Reply.opened`.
    case sessionResumed(SessionID, token: RequestToken)
    /// The connection ended in any way but the client's leave (protocol.md 2): its calls are kept for the grace period.
    case sessionLost(SessionID)
    /// The client left; its calls end.
    case sessionClosed(SessionID)
    /// A client asks for something; answered by exactly one reply, before any other effect of it (row CK-65).
    case request(SessionID, Request, token: RequestToken)
    /// The answer to `Effect.lookUp`.
    case lookedUp(LookUpToken, LookUpResult)
    /// The answer to `Effect.screen`.
    case screened(ScreeningToken, CallerKnowledge)
    /// Whoever runs the hub ends a call, for everybody who is in it; answered by `Reply.done`, or refused where it is over.
    case endConversation(ConversationID, token: RequestToken)
    /// The hub is to stop: no new calls, and those that live end by `until` at the latest.
    case drain(until: Instant)
}

/// Who signs in, from where, and how the client wants to be treated (protocol.md 2).
public struct SessionOpening: Hashable, Sendable {
    /// The account's name.
    public var account: String
    /// The account's handles; the first one is what a callee is shown.
    public var handles: [Handle]
    /// The device's own name for itself; the same one again replaces the older session.
    public var deviceID: String
    /// A name for people.
    public var deviceName: String?
    /// The device's provider.
    public var provider: ProviderConfiguration
    /// Who fulfils the actions.
    public var fulfillment: Fulfillment
    /// Whether the client is offered whole transactions first.
    public var executesTransactions: Bool
    /// Whether the device may place and take calls; without it, it does not ring either (row CK-61).
    public var mayCall: Bool
    /// Whether it is told of the calls on the account's other devices (row CK-69).
    public var observes: Bool
    /// Whether the client comes from a session that an earlier run of the hub had: it is told to drop everything (row CK-83).
    public var isAfterReset: Bool

    /// A device that signs in with CallKit's defaults.
    public init(
        account: String,
        handles: [Handle],
        deviceID: String,
        deviceName: String? = nil,
        provider: ProviderConfiguration = ProviderConfiguration(),
        fulfillment: Fulfillment = .automatic,
        executesTransactions: Bool = false,
        mayCall: Bool = true,
        observes: Bool = false,
        isAfterReset: Bool = false
    ) {
        self.account = account
        self.handles = handles
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.provider = provider
        self.fulfillment = fulfillment
        self.executesTransactions = executesTransactions
        self.mayCall = mayCall
        self.observes = observes
        self.isAfterReset = isAfterReset
    }
}

/// Who fulfils a device's actions.
public enum Fulfillment: String, Hashable, Sendable, CaseIterable {
    /// The hub, as soon as they are performed.
    case automatic
    /// The client, as a CXProviderDelegate would.
    case manual
}

/// What a signed-in client may ask of the engine (protocol.md 3).
public enum Request: Hashable, Sendable {
    /// `transaction.request`: whole or nothing.
    case transaction([ActionRequest])
    /// `action.fulfill`; `date` says when it was done, nil: now.
    case fulfill(ActionUUID, date: Instant?)
    /// `action.fail`.
    case fail(ActionUUID)
    /// `provider.executed`: the answer to an offered transaction.
    case executed(TransactionUUID, handled: Bool)
    /// `provider.configure`: the configuration is replaced whole.
    case configure(ProviderConfiguration)
    /// `provider.invalidate`.
    case invalidate
    /// `provider.reportNewIncomingCall`: a call from outside the hub.
    case reportNewIncomingCall(CallUUID, CallUpdate)
    /// `provider.reportCall`.
    case reportCall(CallUUID, CallUpdate)
    /// `provider.reportCallEnded`; `date` nil: now.
    case reportCallEnded(CallUUID, EndReason, date: Instant?)
    /// `provider.reportOutgoingCall`; `date` nil: now.
    case reportOutgoingCall(CallUUID, OutgoingCallEvent, date: Instant?)
    /// `provider.pending`, narrowed to a type or a call.
    case pending(type: ActionType?, callUUID: CallUUID?)
    /// `observer.calls`.
    case calls
}

/// What a client reports of a call that leaves the hub through it.
public enum OutgoingCallEvent: String, Hashable, Sendable, CaseIterable {
    /// The other side is being reached.
    case startedConnecting
    /// Both can speak.
    case connected
}
