public import HubEngine
public import HubWire

/// What a session with the permission `admin` may ask (docs/protocol.md, Administration).
extension HubClient {
    /// Lists the calls that live, the oldest first.
    ///
    /// - Returns: Each once, with both its parties.
    /// - Throws: `HubClientError`.
    public func administeredCalls() async throws(HubClientError) -> [AdminCall] {
        guard case .admin(.calls(let calls)) = try await send(.admin(.calls)) else {
            throw .malformedAnswer(method: ClientMethod.adminCalls.rawValue)
        }
        return calls
    }

    /// Lists the devices that are signed in, this one among them.
    ///
    /// - Returns: By account.
    /// - Throws: `HubClientError`.
    public func administeredDevices() async throws(HubClientError) -> [AdminDevice] {
        guard case .admin(.devices(let devices)) = try await send(.admin(.devices)) else {
            throw .malformedAnswer(method: ClientMethod.adminDevices.rawValue)
        }
        return devices
    }

    /// Lists the accounts that the hub knows.
    ///
    /// - Returns: By name.
    /// - Throws: `HubClientError`.
    public func administeredAccounts() async throws(HubClientError) -> [AdminAccount] {
        guard case .admin(.accounts(let accounts)) = try await send(.admin(.accounts)) else {
            throw .malformedAnswer(method: ClientMethod.adminAccounts.rawValue)
        }
        return accounts
    }

    /// Ends a call for both its parties.
    ///
    /// - Parameter conversation: As `administeredCalls()` names it.
    /// - Throws: `HubClientError`; `notFound` where it is over.
    public func endConversation(_ conversation: ConversationID) async throws(HubClientError) {
        _ = try await send(.admin(.endCall(conversation)))
    }

    /// Ends a session, as if its device had left.
    ///
    /// - Parameter session: As `administeredDevices()` names it.
    /// - Throws: `HubClientError`; `notFound` where there is none.
    public func signOut(session: String) async throws(HubClientError) {
        _ = try await send(.admin(.signOut(session: session)))
    }

    /// Has the hub read its certificate and its keys anew, as SIGHUP does.
    ///
    /// - Throws: `HubClientError`.
    public func reloadHub() async throws(HubClientError) {
        _ = try await send(.admin(.reload))
    }

    /// Stops the hub in good order.
    ///
    /// - Parameter grace: How long calls may go on; nil: as long as the hub is set to give them.
    /// - Throws: `HubClientError`.
    public func drainHub(grace: Duration? = nil) async throws(HubClientError) {
        _ = try await send(.admin(.drain(grace: grace)))
    }
}
