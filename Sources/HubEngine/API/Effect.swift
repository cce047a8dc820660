/// An instruction to the driver, with one receiver; instructions are carried out in order.
public enum Effect: Hashable, Sendable {
    /// The answer to one request.
    case reply(RequestToken, Reply)
    /// A notification to a client.
    case notify(SessionID, Notification)
    /// A change of a session's audio route, which `Engine.audioRoute(of:)` returns.
    ///
    /// The driver must apply it before it carries out any later effect.
    case audioRouteChanged(SessionID)
    /// A query for the owner of a handle; the driver answers with `Event.lookedUp`.
    case lookUp(LookUpToken, LookUp)
    /// A query for an account's data about an external caller; the driver answers with `Event.screened`.
    indirect case screen(ScreeningToken, account: String, caller: Handle)
    /// An entry for an account's Recents, made when a call is over.
    indirect case addRecent(account: String, RecentCall)
    /// A push notification for a call whose callee has no device online (row CK-80).
    ///
    /// At most one for each call, and none if `EngineConfiguration.pushWait` is zero.
    indirect case sendPush(PushRequest)
    /// The end of ringing of a call that a push was sent for: answered, declined, or missed.
    ///
    /// Exactly one for each `sendPush`.
    indirect case cancelPush(account: String, CallUUID, isMissed: Bool)
    /// The end of a session: send its reason (nil: the client left), close the connection, release the session.
    case sessionEnded(SessionID, SessionEnd?)
    /// The coming end of a session: send its reason; its calls go on until they end or the drain's grace is over.
    case sessionClosing(SessionID, SessionEnd)
}

/// The reason for which the hub ends a session: the `reason` of `session.closing`.
public enum SessionEnd: String, Hashable, Sendable, CaseIterable {
    /// The same device has signed in again.
    case replaced
    /// The hub is about to stop.
    case draining
    /// The hub stops.
    case shutdown
    /// The grace period after a lost connection is over; there is no connection to send the reason on.
    case graceOver
}

/// The answer to one request.
public enum Reply: Hashable, Sendable {
    /// The answer to `sessionOpened` and `sessionResumed`.
    indirect case opened(SessionID, provider: ProviderConfiguration, calls: [CallSnapshot])
    /// The transaction is accepted, not yet performed (row CK-65).
    case accepted(TransactionUUID, actions: [ActionUUID])
    /// The request was carried out.
    case done
    /// A second or late answer to an action was ignored: nothing changed.
    case ignored
    /// The configuration now in force.
    indirect case configuration(ProviderConfiguration)
    /// The transactions and actions that are not yet complete.
    case pending(transactions: [PendingTransaction], actions: [Action])
    /// The device's calls, and those on the account's other devices.
    case calls([CallSnapshot], elsewhere: [ObservedCall])
    /// The request was refused, and nothing changed.
    indirect case refused(Refusal)
}

/// A transaction that is not yet complete: CXProvider.pendingTransactions.
public struct PendingTransaction: Hashable, Sendable {
    /// The transaction's identifier.
    public var uuid: TransactionUUID
    /// All its actions, in order.
    public var actions: [Action]

    package init(uuid: TransactionUUID, actions: [Action]) {
        self.uuid = uuid
        self.actions = actions
    }
}

/// A message from the hub to a client that answers no request (protocol.md, Notifications).
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
    /// A change of a call on the device that the session operates (rule CH-04).
    indirect case operated(CallSnapshot)
    /// A change of a call on another device of the account: five fields only (row CK-70).
    indirect case observed(ObservedCall)
    /// The DTMF digits that the other party has played.
    case dtmf(CallUUID, digits: String, type: DTMFType)
    /// The sources whose packets this client receives now.
    case audioSources([AudioSource])
}

/// One activation of a device's audio session (callkit-semantics.md 2.8, decision D3).
public struct AudioSession: Hashable, Sendable {
    /// The identifier of this activation.
    public var id: AudioSessionUUID
    /// The SSRC (RFC 3550) that the device sends with while the audio session is active.
    public var ssrc: UInt32
    /// The calls that the audio session covers.
    public var calls: [CallUUID]
    /// The group of these calls, if they are merged.
    public var group: GroupUUID?

    package init(id: AudioSessionUUID, ssrc: UInt32, calls: [CallUUID], group: GroupUUID?) {
        self.id = id
        self.ssrc = ssrc
        self.calls = calls
        self.group = group
    }
}

/// A source whose packets a client receives.
public struct AudioSource: Hashable, Sendable {
    /// The SSRC that the packets carry.
    public var ssrc: UInt32
    /// The listener's call in which the source takes part.
    public var callUUID: CallUUID
    /// The handle of the source.
    public var handle: Handle
    /// The name to show for the source.
    public var name: String
    /// True if it is the hub's sound for a party on hold (rule CH-09).
    public var isHoldAudio: Bool

    package init(ssrc: UInt32, callUUID: CallUUID, handle: Handle, name: String, isHoldAudio: Bool = false) {
        self.ssrc = ssrc
        self.callUUID = callUUID
        self.handle = handle
        self.name = name
        self.isHoldAudio = isHoldAudio
    }
}
