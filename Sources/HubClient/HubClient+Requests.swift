public import HubAccountData
public import HubEngine
import HubWire

/// A transaction that the hub has accepted: it will be performed, and its results are received as events.
public struct AcceptedTransaction: Hashable, Sendable {
    /// The UUID of the transaction in `execute` and `perform` notifications.
    public var uuid: TransactionUUID
    /// The UUIDs of its actions, in order.
    public var actions: [ActionUUID]
}

// MARK: - CXCallController

extension HubClient {
    /// Requests a transaction of actions, all or nothing.
    ///
    /// - Parameter actions: The actions in the order in which they are to be performed.
    /// - Returns: The accepted transaction.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    @discardableResult
    public func request(_ actions: [ActionRequest]) async throws(HubClientError) -> AcceptedTransaction {
        guard case .accepted(let uuid, let actions) = try await send(.engine(.transaction(actions))) else {
            throw .malformedResponse(method: ClientMethod.transactionRequest.rawValue)
        }
        return AcceptedTransaction(uuid: uuid, actions: actions)
    }

    /// Places a call.
    ///
    /// - Parameters:
    ///   - handle: The handle of the callee.
    ///   - callUUID: The UUID of the new call; random by default.
    ///   - isVideo: True for a call with video.
    /// - Returns: The UUID of the call.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
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

    /// Answers a ringing call.
    ///
    /// - Parameter call: The ringing call.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func answer(_ call: CallUUID) async throws(HubClientError) {
        try await request([ActionRequest(callUUID: call, kind: .answer)])
    }

    /// Hangs up, or declines a ringing call.
    ///
    /// - Parameters:
    ///   - call: The call to end.
    ///   - onlyHere: True if a ringing call is to go on ringing on the account's other devices.
    ///   - message: The text that the caller of a declined call is shown; nil: none.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func end(
        _ call: CallUUID,
        onlyHere: Bool = false,
        message: String? = nil
    ) async throws(HubClientError) {
        let plain = onlyHere ? ActionKind.endHere : .end
        let kind = message.map { ActionKind.decline(message: $0, onlyHere: onlyHere) } ?? plain
        try await request([ActionRequest(callUUID: call, kind: kind)])
    }

    /// Holds a call, or resumes it; the hub holds another active call first.
    ///
    /// - Parameters:
    ///   - call: The call to hold or resume.
    ///   - isOnHold: True to hold the call, false to resume it.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func setHeld(_ call: CallUUID, _ isOnHold: Bool) async throws(HubClientError) {
        try await request([ActionRequest(callUUID: call, kind: .setHeld(isOnHold))])
    }

    /// Holds the active call and resumes the held one, in one transaction.
    ///
    /// - Parameters:
    ///   - active: The call to be held.
    ///   - held: The call to be resumed.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func swap(_ active: CallUUID, with held: CallUUID) async throws(HubClientError) {
        try await request([
            ActionRequest(callUUID: active, kind: .setHeld(true)),
            ActionRequest(callUUID: held, kind: .setHeld(false)),
        ])
    }

    /// Mutes or unmutes the user's own audio on a call.
    ///
    /// - Parameters:
    ///   - call: The call to mute or unmute.
    ///   - isMuted: True to mute, false to unmute.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func setMuted(_ call: CallUUID, _ isMuted: Bool) async throws(HubClientError) {
        try await request([ActionRequest(callUUID: call, kind: .setMuted(isMuted))])
    }

    /// Groups a call with another one, or removes it from its group.
    ///
    /// - Parameters:
    ///   - call: The call to group or ungroup.
    ///   - other: A call of the group to join; nil: leaves its group.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func setGroup(_ call: CallUUID, with other: CallUUID?) async throws(HubClientError) {
        try await request([ActionRequest(callUUID: call, kind: .setGroup(with: other))])
    }

    /// Connects the other parties of two calls with one another, and leaves both calls.
    ///
    /// - Parameters:
    ///   - call: The call whose other party is transferred; held or not.
    ///   - other: The call with the party that it is transferred to.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func transfer(_ call: CallUUID, to other: CallUUID) async throws(HubClientError) {
        try await request([ActionRequest(callUUID: call, kind: .transfer(to: .call(other)))])
    }

    /// Gives a call's other party to the owner of a handle, who is called; if nobody takes it, the call comes back.
    ///
    /// - Parameters:
    ///   - call: The call whose other party is transferred.
    ///   - handle: The handle to call.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func transfer(_ call: CallUUID, to handle: Handle) async throws(HubClientError) {
        try await request([ActionRequest(callUUID: call, kind: .transfer(to: .handle(handle)))])
    }

    /// Moves a call from another device of the account to this one.
    ///
    /// - Parameter call: The UUID of the call in `callsElsewhere()`.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func pull(_ call: CallUUID) async throws(HubClientError) {
        try await request([ActionRequest(callUUID: call, kind: .pull)])
    }

    /// Plays DTMF digits on a call.
    ///
    /// - Parameters:
    ///   - digits: The digits: `0` to `9`, `*`, `#`, `A` to `D`.
    ///   - call: The call to play them on.
    ///   - type: A single tone, or digits that follow a soft or hard pause.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
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
    ///   - date: The time at which it was done; nil: now.
    ///   - engine: The program that translates the call from now on, for a `setTranslating` action; nil: not said.
    /// - Returns: False if the response was late or a duplicate, and had no effect.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    @discardableResult
    public func fulfill(
        _ action: ActionUUID,
        date: Instant? = nil,
        using engine: TranslationEngine? = nil
    ) async throws(HubClientError) -> Bool {
        try await send(.engine(.fulfill(action, date: date, using: engine))) != .ignored
    }

    /// Fails an action (manual fulfilment).
    ///
    /// - Parameter action: The action of a `perform` notification.
    /// - Returns: False if the response was late or a duplicate, and had no effect.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    @discardableResult
    public func fail(_ action: ActionUUID) async throws(HubClientError) -> Bool {
        try await send(.engine(.fail(action))) != .ignored
    }

    /// Responds to an offered transaction.
    ///
    /// - Parameters:
    ///   - transaction: The transaction of an `execute` notification.
    ///   - handled: True if the client carries out the actions itself.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func executed(_ transaction: TransactionUUID, handled: Bool) async throws(HubClientError) {
        _ = try await send(.engine(.executed(transaction, handled: handled)))
    }

    /// Replaces the whole configuration of the provider.
    ///
    /// - Parameters:
    ///   - provider: The new configuration.
    ///   - executesTransactions: True to be offered later transactions as a whole, false not to be; nil: as before.
    /// - Returns: The configuration in effect.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    @discardableResult
    public func configure(
        _ provider: ProviderConfiguration,
        executesTransactions: Bool? = nil
    ) async throws(HubClientError) -> ProviderConfiguration {
        let request = Request.configure(provider, executesTransactions: executesTransactions)
        guard case .configuration(let configuration) = try await send(.engine(request)) else {
            throw .malformedResponse(method: ClientMethod.providerConfigure.rawValue)
        }
        return configuration
    }

    /// Requests the transactions and actions that are not yet complete.
    ///
    /// - Parameters:
    ///   - type: The class to which the actions are limited; nil: all.
    ///   - call: The call to which the actions are limited; nil: all.
    /// - Returns: The pending transactions, and their actions.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func pending(
        type: ActionType? = nil,
        call: CallUUID? = nil
    ) async throws(HubClientError) -> (transactions: [PendingTransaction], actions: [Action]) {
        let reply = try await send(.engine(.pending(type: type, callUUID: call)))
        guard case .pending(let transactions, let actions) = reply else {
            throw .malformedResponse(method: ClientMethod.providerPending.rawValue)
        }
        return (transactions, actions)
    }

    /// Requests the device's calls from the hub; `currentCalls` has them without a request.
    ///
    /// - Returns: The calls of this device.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func calls() async throws(HubClientError) -> [CallSnapshot] {
        guard case .calls(let calls, _) = try await send(.engine(.calls)) else {
            throw .malformedResponse(method: ClientMethod.observerCalls.rawValue)
        }
        return calls
    }

    /// Requests the account's recent calls, the newest first.
    ///
    /// Other data of the account is available by `send(.accountData(…))`.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of entries, 1 to 1,000; nil: 100.
    ///   - before: The entry before which the list begins; nil: at the newest.
    /// - Returns: The entries; empty at the end.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func recents(limit: Int? = nil, before: RecentUUID? = nil) async throws(HubClientError) -> [RecentEntry] {
        guard case .recents(let entries) = try await send(.accountData(.listRecents(limit: limit, before: before)))
        else {
            throw .malformedResponse(method: ClientMethod.recentsList.rawValue)
        }
        return entries
    }

    /// Requests the calls on the account's other devices, each with no more than CXCall's five fields.
    ///
    /// - Returns: The calls, and their devices.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func callsElsewhere() async throws(HubClientError) -> [ObservedCall] {
        guard case .calls(_, let elsewhere) = try await send(.engine(.calls)) else {
            throw .malformedResponse(method: ClientMethod.observerCalls.rawValue)
        }
        return elsewhere
    }

    /// Extends the session with a newer token of the same account, without effect on calls.
    ///
    /// If the session cannot be resumed later, the client signs in with this token.
    ///
    /// - Parameter token: The newer token.
    /// - Returns: The new expiry of the session.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    @discardableResult
    public func refresh(token: String) async throws(HubClientError) -> Instant {
        guard case .refreshed(let expiresAt) = try await send(.refresh(token: token)) else {
            throw .malformedResponse(method: ClientMethod.sessionRefresh.rawValue)
        }
        return expiresAt
    }

    /// Measures the round-trip time to the hub.
    ///
    /// - Returns: The time from the request to the response.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func ping() async throws(HubClientError) -> Duration {
        let clock = ContinuousClock()
        let start = clock.now
        _ = try await send(.ping(nil))
        return start.duration(to: clock.now)
    }
}

extension Identifier {
    /// Generates a random UUID of version 4 (RFC 9562).
    ///
    /// - Returns: A UUID with 122 random bits.
    public static func random() -> Self {
        Self(randomBits: .random(in: .min ... .max), .random(in: .min ... .max))
    }
}
