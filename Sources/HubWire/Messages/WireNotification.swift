public import HubEngine

/// What the hub tells a client unasked.
public enum WireNotification: Hashable, Sendable {
    /// CXProviderDelegate.providerDidBegin, with the configuration in force.
    case didBegin(ProviderConfiguration)
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
    case didDeactivateAudioSession(AudioSessionUUID, calls: [CallUUID])
    /// CXCallObserverDelegate.callObserver(_:callChanged:).
    indirect case callChanged(CallSnapshot)
    /// The same, of a call on another device of the account: five fields only.
    indirect case observed(ObservedCall)
    /// What the other party keyed.
    case dtmf(CallUUID, digits: String, type: DTMFType)
    /// Whose packets this client hears now.
    case audioSources([AudioSource])
    /// What another device of the account was told, for whoever records.
    indirect case recorded(RecordedNews)
    /// What the hub remembers of the account has changed: `recents.changed` and its like.
    case changed(MemoryTopic)
    /// The last message of the connection: the hub closes it now; `url` is where to come back, nil: here.
    case closing(ClosingReason, retryAfterSeconds: Int?, url: String? = nil)
    /// A method of a newer hub.
    case unknown(method: String)

    /// The engine's notification, as it is.
    public init(_ notification: Notification) {
        self =
            switch notification {
            case .didBegin(let configuration): .didBegin(configuration)
            case .didReset: .didReset
            case .execute(let transaction, let actions): .execute(transaction, actions)
            case .perform(let transaction, let action, let deadline, let origin, let fulfilled):
                .perform(transaction, action, deadline: deadline, origin: origin, fulfilled: fulfilled)
            case .timedOutPerforming(let action): .timedOutPerforming(action)
            case .didActivateAudioSession(let session): .didActivateAudioSession(session)
            case .didDeactivateAudioSession(let session):
                .didDeactivateAudioSession(session.id, calls: session.calls)
            case .callChanged(let call): .callChanged(call)
            case .observed(let call): .observed(call)
            case .dtmf(let call, let digits, let type): .dtmf(call, digits: digits, type: type)
            case .audioSources(let sources): .audioSources(sources)
            }
    }

    /// The method that tells it.
    public var method: String {
        let known: NotificationMethod
        switch self {
        case .didBegin: known = .providerDidBegin
        case .didReset: known = .providerDidReset
        case .execute: known = .providerExecute
        case .perform: known = .providerPerform
        case .timedOutPerforming: known = .providerTimedOutPerforming
        case .didActivateAudioSession: known = .providerDidActivateAudioSession
        case .didDeactivateAudioSession: known = .providerDidDeactivateAudioSession
        case .callChanged: known = .callChanged
        case .observed: known = .observerCallChanged
        case .dtmf: known = .callDTMF
        case .audioSources: known = .audioSources
        case .recorded: known = .recordTold
        case .changed(.recents): known = .recentsChanged
        case .changed(.settings): known = .settingsChanged
        case .changed(.contacts): known = .contactsChanged
        case .changed(.block): known = .blockChanged
        case .closing: known = .sessionClosing
        case .unknown(let method): return method
        }
        return known.rawValue
    }
}

/// Why the hub closes a connection; a newer hub may know more reasons.
public struct ClosingReason: RawRepresentable, Hashable, Sendable {
    /// The wire's word for it.
    public var rawValue: String

    /// A reason by the wire's word for it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Why the engine ended a session.
    public init(_ end: SessionEnd) {
        rawValue = end.rawValue
    }

    /// The same device signed in anew, or took the session up on another connection.
    public static let replaced = ClosingReason(SessionEnd.replaced)
    /// The hub is about to stop.
    public static let draining = ClosingReason(SessionEnd.draining)
    /// The hub stops.
    public static let shutdown = ClosingReason(SessionEnd.shutdown)
    /// The client does not read what it is sent.
    public static let slowConsumer = ClosingReason(rawValue: "slowConsumer")
    /// The client keeps breaking a rule after being told.
    public static let policy = ClosingReason(rawValue: "policy")
    /// Whoever runs the hub has signed the device out.
    public static let signedOut = ClosingReason(rawValue: "signedOut")
    /// The token that the session was opened with is over, and there was no fresh one.
    public static let expired = ClosingReason(rawValue: "expired")
}
