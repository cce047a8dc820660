/// An event from outside: the engine's only input.
///
/// Carries domain values only, never bytes or text of the wire.
public enum Event: Hashable, Sendable {
    /// A client signed in; answered by `Reply.opened`.
    case sessionOpened(SessionOpening, token: RequestToken)
    /// A lost client has reconnected; answered by `Reply.opened`.
    case sessionResumed(SessionID, token: RequestToken)
    /// The connection ended without `session.close` (protocol.md, Session): its calls are kept for the grace period.
    case sessionLost(SessionID)
    /// The client left; its calls end.
    case sessionClosed(SessionID)
    /// A client's request; answered by exactly one reply, before any other effect of it (row CK-65).
    case request(SessionID, Request, token: RequestToken)
    /// The answer to `Effect.lookUp`.
    case lookedUp(LookUpToken, LookUpResult)
    /// The answer to `Effect.screen`.
    case screened(ScreeningToken, CallerScreeningData)
    /// An account's user wants, or no longer wants, to be named to other members of groups (row CH-01).
    case groupNaming(account: String, isNamed: Bool)
    /// An account's held parties receive another sound, or none, from now on (rule CH-09).
    case holdAudio(account: String, HoldAudio)
    /// An administrator ends a call for all its parties; answered by `Reply.done`, or refused if it is over.
    case endConversation(ConversationID, token: RequestToken)
    /// The hub is about to stop: no new calls, and live ones end by `until` at the latest.
    case drain(until: Instant)
}

/// A sign-in: the account, the device, and the client's options (protocol.md, Session).
public struct SessionOpening: Hashable, Sendable {
    /// The account's name.
    public var account: String
    /// The account's handles; callees are shown the first one.
    public var handles: [Handle]
    /// The identifier that the client has chosen for the device; the same one again replaces the older session.
    public var deviceID: String
    /// The device's name for people.
    public var deviceName: String?
    /// The machine that the device's program runs on; nil: not said.
    ///
    /// The account's sessions of one machine share the user's attention: at most one of their calls is active.
    public var machine: String?
    /// The identifier of the device whose calls the client operates; nil: the client operates its own.
    public var operatedDevice: String?
    /// The device's provider.
    public var provider: ProviderConfiguration
    /// The side, hub or client, that fulfils the actions.
    public var fulfillment: Fulfillment
    /// True if the client is offered whole transactions first (`provider.execute`), until it configures that anew.
    public var executesTransactions: Bool
    /// True if the device may place and take calls; if not, it does not ring either (row CK-61).
    public var mayCall: Bool
    /// True if the client is notified of the calls on the account's other devices (row CK-69).
    public var observes: Bool
    /// True if the client's last session was in an earlier run of the hub: it is sent `didReset` (row CK-83).
    public var isAfterReset: Bool
    /// True if the account's user is named to the other members of groups (row CH-01).
    public var isNamedInGroups: Bool
    /// The sound that the account's held parties receive (rule CH-09).
    public var holdAudio: HoldAudio
    /// True if the account is a guest's: its calls may be transferred to the house's accounts alone (rule CH-07).
    public var isGuest: Bool

    /// Creates the sign-in of a device with CallKit's defaults.
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
        isAfterReset: Bool = false,
        isNamedInGroups: Bool = true,
        holdAudio: HoldAudio = .silence,
        machine: String? = nil,
        operatedDevice: String? = nil,
        isGuest: Bool = false
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
        self.isNamedInGroups = isNamedInGroups
        self.holdAudio = holdAudio
        self.machine = machine
        self.operatedDevice = operatedDevice
        self.isGuest = isGuest
    }
}

/// The side that fulfils a device's actions.
public enum Fulfillment: String, Hashable, Sendable, CaseIterable {
    /// The hub, as soon as they are performed.
    case automatic
    /// The client, as a CXProviderDelegate would.
    case manual
}

/// A request of a signed-in client to the engine (protocol.md, Requests).
public enum Request: Hashable, Sendable {
    /// `transaction.request`: whole or nothing.
    case transaction([ActionRequest])
    /// `action.fulfill`; `date` says when it was done, nil: now. `using`: the engine of a translation, nil: not said.
    case fulfill(ActionUUID, date: Instant?, using: TranslationEngine? = nil)
    /// `action.fail`.
    case fail(ActionUUID)
    /// `provider.executed`: the answer to an offered transaction.
    case executed(TransactionUUID, handled: Bool)
    /// `provider.configure`: the configuration is replaced whole.
    ///
    /// `executesTransactions` says whether later transactions are offered as a whole first; nil: as before.
    case configure(ProviderConfiguration, executesTransactions: Bool? = nil)
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

/// The progress of an outgoing external call, as its client reports it.
public enum OutgoingCallEvent: String, Hashable, Sendable, CaseIterable {
    /// The other side is being reached.
    case startedConnecting
    /// The call is connected.
    case connected
}
