public import HubAccountData
public import HubEngine

/// A notification of the hub to a client.
public enum WireNotification: Hashable, Sendable {
    /// CXProviderDelegate.providerDidBegin, with the configuration in force.
    case didBegin(ProviderConfiguration)
    /// CXProviderDelegate.providerDidReset.
    case didReset
    /// CXProviderDelegate.provider(_:execute:).
    case execute(TransactionUUID, [Action])
    /// CXProviderDelegate.provider(_:perform:). `fulfilled`: the hub has fulfilled the action itself.
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
    /// The other party's DTMF digits.
    case dtmf(CallUUID, digits: String, type: DTMFType)
    /// The sources whose packets the hub sends to the client.
    case audioSources([AudioSource])
    /// Audio packets that the hub has dropped; only with `reportsDroppedPackets` in `session.open`.
    indirect case packetsDropped(DroppedPackets)
    /// A notification to another device of the account, for a recorder.
    indirect case recorded(RecordedEvent)
    /// A change of the account's data: `recents.changed` and the like.
    case changed(AccountDataTopic)
    /// A client that has the data of this directory extension is asked to load it again.
    case directoryReloadRequested(identifier: String)
    /// People that the session watches have changed.
    case peopleChanged([Person])
    /// The name, icon or ringtone of a provider of the account has changed, or such a provider has come or left.
    case providersChanged
    /// The last message of the connection, which the hub closes now; `url` is where to reconnect, nil: here.
    case closing(ClosingReason, retryAfterSeconds: Int?, url: String? = nil)
    /// A method of a newer hub.
    case unknown(method: String)

    /// Converts a notification of the engine.
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
            case .callChanged(let call), .operated(let call): .callChanged(call)
            case .observed(let call): .observed(call)
            case .dtmf(let call, let digits, let type): .dtmf(call, digits: digits, type: type)
            case .audioSources(let sources): .audioSources(sources)
            }
    }

    /// The method of the notification.
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
        case .packetsDropped: known = .audioPacketsDropped
        case .recorded: known = .recordTold
        case .changed(.recents): known = .recentsChanged
        case .changed(.settings): known = .settingsChanged
        case .changed(.contacts): known = .contactsChanged
        case .changed(.block): known = .blockChanged
        case .directoryReloadRequested: known = .directoryReloadRequested
        case .peopleChanged: known = .peopleChanged
        case .providersChanged: known = .providersChanged
        case .closing: known = .sessionClosing
        case .unknown(let method): return method
        }
        return known.rawValue
    }
}

/// The reason why the hub closes a connection; a newer hub may have more.
public struct ClosingReason: RawRepresentable, Hashable, Sendable {
    /// The reason's name in the protocol.
    public var rawValue: String

    /// Creates a reason from its name in the protocol.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Converts the reason why the engine ended a session.
    public init(_ end: SessionEnd) {
        rawValue = end.rawValue
    }

    /// The same device has signed in again, or resumed the session on another connection.
    public static let replaced = ClosingReason(SessionEnd.replaced)
    /// The hub is draining, and stops soon.
    public static let draining = ClosingReason(SessionEnd.draining)
    /// The hub stops.
    public static let shutdown = ClosingReason(SessionEnd.shutdown)
    /// The client does not read its messages fast enough.
    public static let slowConsumer = ClosingReason(rawValue: "slowConsumer")
    /// The client keeps breaking a rule despite errors.
    public static let policy = ClosingReason(rawValue: "policy")
    /// An administrator has ended the device's session.
    public static let signedOut = ClosingReason(rawValue: "signedOut")
    /// The session's token has expired without a newer one.
    public static let expired = ClosingReason(rawValue: "expired")
}
