public import HubEngine
public import HubWire

/// What a session with the permission `admin` may ask (docs/protocol.md, Administration).
extension HubClient {
    /// Lists the calls that live, the oldest first.
    ///
    /// - Returns: Each once, with both its parties.
    /// - Throws: `HubClientError`.
    public func administeredCalls() async throws(HubClientError) -> [AdminCall] {
        try await pages(.adminCalls, AdminRequest.calls) {
            if case .calls(let calls, let next) = $0 { (calls, next) } else { nil }
        }
    }

    /// Lists the devices that are signed in, this one among them.
    ///
    /// - Returns: By account.
    /// - Throws: `HubClientError`.
    public func administeredDevices() async throws(HubClientError) -> [AdminDevice] {
        try await pages(.adminDevices, AdminRequest.devices) {
            if case .devices(let devices, let next) = $0 { (devices, next) } else { nil }
        }
    }

    /// Lists the accounts that the hub knows.
    ///
    /// - Returns: By name.
    /// - Throws: `HubClientError`.
    public func administeredAccounts() async throws(HubClientError) -> [AdminAccount] {
        try await pages(.adminAccounts, AdminRequest.accounts) {
            if case .accounts(let accounts, let next) = $0 { (accounts, next) } else { nil }
        }
    }

    /// Asks for a list page by page, to its end.
    private func pages<Entry>(
        _ method: ClientMethod,
        _ request: (AdminPage) -> AdminRequest,
        _ read: (AdminReply) -> ([Entry], next: String?)?
    ) async throws(HubClientError) -> [Entry] {
        var all: [Entry] = []
        var page = AdminPage()
        repeat {
            guard case .admin(let reply) = try await send(.admin(request(page))), let (entries, next) = read(reply)
            else {
                throw .malformedAnswer(method: method.rawValue)
            }
            all += entries
            // A hub that is wrong must not keep us here for ever.
            guard next == nil || next != page.after else { throw .malformedAnswer(method: method.rawValue) }
            page.after = next
        } while page.after != nil
        return all
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
