public import HubEngine
import HubWire

/// A transaction that the hub has accepted: it will be performed, and the events say what came of it.
public struct AcceptedTransaction: Hashable, Sendable {
    /// Names it in `execute` and `perform`.
    public var uuid: TransactionUUID
    /// The names of its actions, in order.
    public var actions: [ActionUUID]
}

// MARK: - CXCallController

extension HubClient {
    /// Asks for actions, whole or nothing.
    ///
    /// - Parameter actions: In the order in which they are to be performed.
    /// - Returns: The accepted transaction.
    /// - Throws: `HubClientError`.
    @discardableResult
    public func request(_ actions: [ActionRequest]) async throws(HubClientError) -> AcceptedTransaction {
        guard case .accepted(let uuid, let actions) = try await send(.engine(.transaction(actions))) else {
            throw .malformedAnswer(method: ClientMethod.transactionRequest.rawValue)
        }
        return AcceptedTransaction(uuid: uuid, actions: actions)
    }

    /// Places a call.
    ///
    /// - Parameters:
    ///   - handle: Who is called.
    ///   - callUUID: The call's name; by chance where none is given.
    ///   - isVideo: Whether the call has video.
    /// - Returns: The call's name.
    /// - Throws: `HubClientError`.
    @discardableResult
    public func start(
        _ handle: Handle,
        callUUID: CallUUID = .random(),
        isVideo: Bool = false
    ) async throws(HubClientError) -> CallUUID {
        try await request([
            ActionRequest(
                callUUID: callUUID,
                kind: .start(handle: handle, isVideo: isVideo, contactIdentifier: nil)
            )
        ])
        return callUUID
    }

    /// Answers a call that rings.
    ///
    /// - Parameter call: The call.
    /// - Throws: `HubClientError`.
    public func answer(_ call: CallUUID) async throws(HubClientError) {
        try await request([ActionRequest(callUUID: call, kind: .answer)])
    }

    /// Hangs up, or declines a call that rings.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - onlyHere: Whether a call that rings goes on ringing on the account's other devices.
    /// - Throws: `HubClientError`.
    public func end(_ call: CallUUID, onlyHere: Bool = false) async throws(HubClientError) {
        try await request([ActionRequest(callUUID: call, kind: onlyHere ? .endHere : .end)])
    }

    /// Holds a call, or resumes it; the hub holds another active call first.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - isOnHold: Whether it is to be held.
    /// - Throws: `HubClientError`.
    public func setHeld(_ call: CallUUID, _ isOnHold: Bool) async throws(HubClientError) {
        try await request([ActionRequest(callUUID: call, kind: .setHeld(isOnHold))])
    }

    /// Holds the active call and resumes the held one, in one transaction.
    ///
    /// - Parameters:
    ///   - active: The call to be held.
    ///   - held: The call to be resumed.
    /// - Throws: `HubClientError`.
    public func swap(_ active: CallUUID, with held: CallUUID) async throws(HubClientError) {
        try await request([
            ActionRequest(callUUID: active, kind: .setHeld(true)),
            ActionRequest(callUUID: held, kind: .setHeld(false)),
        ])
    }

    /// Keeps one's own sound back, or lets it through.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - isMuted: Whether the sound is to be kept back.
    /// - Throws: `HubClientError`.
    public func setMuted(_ call: CallUUID, _ isMuted: Bool) async throws(HubClientError) {
        try await request([ActionRequest(callUUID: call, kind: .setMuted(isMuted))])
    }

    /// Merges a call with another one, or takes it out of its group.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - other: A call of the group to be joined; nil: out of its group.
    /// - Throws: `HubClientError`.
    public func setGroup(_ call: CallUUID, with other: CallUUID?) async throws(HubClientError) {
        try await request([ActionRequest(callUUID: call, kind: .setGroup(with: other))])
    }

    /// Takes over a call that lives on another device of the account.
    ///
    /// - Parameter call: The call, as `callsElsewhere()` names it.
    /// - Throws: `HubClientError`.
    public func pull(_ call: CallUUID) async throws(HubClientError) {
        try await request([ActionRequest(callUUID: call, kind: .pull)])
    }

    /// Keys digits.
    ///
    /// - Parameters:
    ///   - digits: `0` to `9`, `*`, `#`, `A` to `D`.
    ///   - call: The call.
    ///   - type: Whether they are one key or follow a pause.
    /// - Throws: `HubClientError`.
    public func playDTMF(
        _ digits: String,
        on call: CallUUID,
        type: DTMFType = .singleTone
    ) async throws(HubClientError) {
        try await request([ActionRequest(callUUID: call, kind: .playDTMF(digits: digits, type: type))])
    }
}

// MARK: - CXProvider and CXCallObserver

extension HubClient {
    /// Fulfils an action (manual fulfilment).
    ///
    /// - Parameters:
    ///   - action: The action of a `perform` notification.
    ///   - date: When it was done; nil: now.
    /// - Returns: false where the answer came late or twice, and changed nothing.
    /// - Throws: `HubClientError`.
    @discardableResult
    public func fulfill(_ action: ActionUUID, date: Instant? = nil) async throws(HubClientError) -> Bool {
        try await send(.engine(.fulfill(action, date: date))) != .ignored
    }

    /// Fails an action (manual fulfilment).
    ///
    /// - Parameter action: The action of a `perform` notification.
    /// - Returns: false where the answer came late or twice, and changed nothing.
    /// - Throws: `HubClientError`.
    @discardableResult
    public func fail(_ action: ActionUUID) async throws(HubClientError) -> Bool {
        try await send(.engine(.fail(action))) != .ignored
    }

    /// Answers an offered transaction.
    ///
    /// - Parameters:
    ///   - transaction: The transaction of an `execute` notification.
    ///   - handled: Whether the client deals with its actions itself.
    /// - Throws: `HubClientError`.
    public func executed(_ transaction: TransactionUUID, handled: Bool) async throws(HubClientError) {
        _ = try await send(.engine(.executed(transaction, handled: handled)))
    }

    /// Replaces the provider's configuration, whole.
    ///
    /// - Parameter provider: The new one.
    /// - Returns: The one now in force.
    /// - Throws: `HubClientError`.
    @discardableResult
    public func configure(_ provider: ProviderConfiguration) async throws(HubClientError) -> ProviderConfiguration {
        guard case .configuration(let configuration) = try await send(.engine(.configure(provider))) else {
            throw .malformedAnswer(method: ClientMethod.providerConfigure.rawValue)
        }
        return configuration
    }

    /// Asks what is not yet complete.
    ///
    /// - Parameters:
    ///   - type: Only actions of this class.
    ///   - call: Only actions on this call.
    /// - Returns: The transactions, and their actions.
    /// - Throws: `HubClientError`.
    public func pending(
        type: ActionType? = nil,
        call: CallUUID? = nil
    ) async throws(HubClientError) -> (transactions: [PendingTransaction], actions: [Action]) {
        let reply = try await send(.engine(.pending(type: type, callUUID: call)))
        guard case .pending(let transactions, let actions) = reply else {
            throw .malformedAnswer(method: ClientMethod.providerPending.rawValue)
        }
        return (transactions, actions)
    }

    /// Asks the hub for the device's calls; `currentCalls` knows them without asking.
    ///
    /// - Returns: The calls.
    /// - Throws: `HubClientError`.
    public func calls() async throws(HubClientError) -> [CallSnapshot] {
        guard case .calls(let calls, _) = try await send(.engine(.calls)) else {
            throw .malformedAnswer(method: ClientMethod.observerCalls.rawValue)
        }
        return calls
    }

    /// Lists the account's last calls, the newest first.
    ///
    /// What else the hub remembers is asked for by `send(.memory(…))`.
    ///
    /// - Parameters:
    ///   - limit: How many at most, 1 to 1,000; nil: 100.
    ///   - before: The entry before which the list begins; nil: at the newest.
    /// - Returns: The entries; none at the end.
    /// - Throws: `HubClientError`.
    public func recents(limit: Int? = nil, before: RecentUUID? = nil) async throws(HubClientError) -> [RecentEntry] {
        guard case .recents(let entries) = try await send(.memory(.listRecents(limit: limit, before: before))) else {
            throw .malformedAnswer(method: ClientMethod.recentsList.rawValue)
        }
        return entries
    }

    /// Asks the hub for the calls on the account's other devices, of which no more is told than CXCall's five fields.
    ///
    /// - Returns: The calls that live, and where.
    /// - Throws: `HubClientError`.
    public func callsElsewhere() async throws(HubClientError) -> [ObservedCall] {
        guard case .calls(_, let elsewhere) = try await send(.engine(.calls)) else {
            throw .malformedAnswer(method: ClientMethod.observerCalls.rawValue)
        }
        return elsewhere
    }

    /// Lets the session live on with a newer token of the same account; no call notices.
    ///
    /// Should the session be lost for good later, the client signs in with it again.
    ///
    /// - Parameter token: The newer one.
    /// - Returns: Until when it is good.
    /// - Throws: `HubClientError`.
    @discardableResult
    public func refresh(token: String) async throws(HubClientError) -> Instant {
        guard case .refreshed(let expiresAt) = try await send(.refresh(token: token)) else {
            throw .malformedAnswer(method: ClientMethod.sessionRefresh.rawValue)
        }
        return expiresAt
    }

    /// Measures the way to the hub and back.
    ///
    /// - Returns: The time from the request to the answer.
    /// - Throws: `HubClientError`.
    public func ping() async throws(HubClientError) -> Duration {
        let clock = ContinuousClock()
        let start = clock.now
        _ = try await send(.ping(nil))
        return start.duration(to: clock.now)
    }
}

extension Identifier {
    /// A name by chance: a UUID of version 4 (RFC 9562).
    ///
    /// - Returns: 122 random bits, and the version.
    public static func random() -> Self {
        Self(randomBits: .random(in: .min ... .max), .random(in: .min ... .max))
    }
}
