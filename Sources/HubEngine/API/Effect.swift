/// What the driver must do: a flat list, in this order, each naming one receiver (house.md 3.4).
public enum Effect: Hashable, Sendable {
    /// The answer to one request.
    case reply(RequestToken, Reply)
    /// Something to tell a client.
    case notify(SessionID, Notification)
    /// A session's audio route is a new one: `Engine.audioRoute(of:)` has it. Takes effect before anything after it is told.
    case audioRouteChanged(SessionID)
    /// Who has this handle? The driver answers by `Event.lookedUp`.
    case lookUp(LookUpToken, LookUp)
    /// What does this account know of a caller from outside the hub? The driver answers by `Event.screened`.
    indirect case screen(ScreeningToken, account: String, caller: Handle)
    /// A call is over: an entry for an account's Recents.
    indirect case remember(account: String, RecentCall)
    /// Nobody can be reached and a call waits: wake whoever is away (row CK-80); once a call, where the hub waits at all.
    indirect case wake(WakeUp)
    /// The call that somebody was woken for rings no more: answered, declined, or over and missed; once for each `wake`.
    indirect case wakeOver(account: String, CallUUID, isMissed: Bool)
    /// The session is over: tell it why (nil: it left by itself), close its connection, forget it.
    case sessionEnded(SessionID, SessionEnd?)
    /// Tell the session why it will be closed; its calls go on until they end or the grace is over.
    case sessionClosing(SessionID, SessionEnd)
}

/// Why the hub ends a session: the `reason` of `session.closing`.
public enum SessionEnd: String, Hashable, Sendable, CaseIterable {
    /// The same device signed in anew.
    case replaced
    /// The hub is about to stop.
    case draining
    /// The hub stops.
    case shutdown
    /// The grace period after a lost connection is over: nobody is there to be told.
    case graceOver
}

/// The answer to one request.
public enum Reply: Hashable, Sendable {
    /// To `sessionOpened` and `sessionResumed`.
    indirect case opened(SessionID, provider: ProviderConfiguration, calls: [CallSnapshot])
    /// The transaction is accepted, not yet performed (row CK-65).
    case accepted(TransactionUUID, actions: [ActionUUID])
    /// Done.
    case done
    /// A second or late answer to an action: nothing was changed.
    case ignored
    /// The configuration now in force.
    indirect case configuration(ProviderConfiguration)
    /// What is not yet complete.
    case pending(transactions: [PendingTransaction], actions: [Action])
    /// The device's calls, and those on the account's other devices.
    case calls([CallSnapshot], elsewhere: [ObservedCall])
    /// Not done, and nothing changed.
    indirect case refused(Refusal)
}

/// A transaction that is not yet complete: CXProvider.pendingTransactions.
public struct PendingTransaction: Hashable, Sendable {
    /// Names it.
    public var uuid: TransactionUUID
    /// All its actions, in order.
    public var actions: [Action]

    package init(uuid: TransactionUUID, actions: [Action]) {
        self.uuid = uuid
        self.actions = actions
    }
}

/// What the hub tells a client unasked (protocol.md 4).
public enum Notification: Hashable, Sendable {
    /// CXProviderDelegate.providerDidBegin, with the configuration in force.
    indirect case didBegin(ProviderConfiguration)
    /// CXProviderDelegate.providerDidReset.
    case didReset
    /// CXProviderDelegate.provider(_:execute:).
    case execute(TransactionUUID, [Action])
    /// CXProviderDelegate.provider(_:perform:). `fulfilled`: the hub has fulfilled it itself.
    indirect case perform(TransactionUUID, Action, deadline: Instant, origin: ActionOrigin, fulfilled: Bool)
    /// CXProviderDelegate.provider(_:timedOutPerforming:); the action has failed already.
    case timedOutPerforming(Action)
    /// CXProviderDelegate.provider(_:didActivate:).
    case didActivateAudioSession(AudioSession)
    /// CXProviderDelegate.provider(_:didDeactivate:).
    case didDeactivateAudioSession(AudioSession)
    /// CXCallObserverDelegate.callObserver(_:callChanged:).
    indirect case callChanged(CallSnapshot)
    /// The same, of a call on another device of the account: five fields only (row CK-70).
    indirect case observed(ObservedCall)
    /// What the other party keyed.
    case dtmf(CallUUID, digits: String, type: DTMFType)
    /// Whose packets this client hears now.
    case audioSources([AudioSource])
}

/// One activation of a device's audio session (callkit.md 2.8, decision D3).
public struct AudioSession: Hashable, Sendable {
    /// Names this activation.
    public var id: AudioSessionUUID
    /// The SSRC (RFC 3550) that the device sends with while it lasts.
    public var ssrc: UInt32
    /// The calls it is for.
    public var calls: [CallUUID]
    /// The group it is for, if it is.
    public var group: GroupUUID?

    package init(id: AudioSessionUUID, ssrc: UInt32, calls: [CallUUID], group: GroupUUID?) {
        self.id = id
        self.ssrc = ssrc
        self.calls = calls
        self.group = group
    }
}

/// Somebody whose packets a client hears.
public struct AudioSource: Hashable, Sendable {
    /// The SSRC that the packets carry.
    public var ssrc: UInt32
    /// The listener's call on which they are heard.
    public var callUUID: CallUUID
    /// Who speaks.
    public var handle: Handle
    /// The name to show.
    public var name: String

    package init(ssrc: UInt32, callUUID: CallUUID, handle: Handle, name: String) {
        self.ssrc = ssrc
        self.callUUID = callUUID
        self.handle = handle
        self.name = name
    }
}
