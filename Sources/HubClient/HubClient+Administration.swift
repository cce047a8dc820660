public import HubEngine
public import HubWire

/// The requests of a session with the permission `admin` (docs/protocol.md, Administration).
extension HubClient {
    /// Requests all active calls, the oldest first.
    ///
    /// - Returns: The calls, each once with both its parties.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func allCalls() async throws(HubClientError) -> [AdminCall] {
        try await pages(.adminCalls, AdminRequest.calls) {
            if case .calls(let calls, let next) = $0 { (calls, next) } else { nil }
        }
    }

    /// Requests the devices that are signed in, including this one.
    ///
    /// - Returns: The devices, sorted by account.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func allDevices() async throws(HubClientError) -> [AdminDevice] {
        try await pages(.adminDevices, AdminRequest.devices) {
            if case .devices(let devices, let next) = $0 { (devices, next) } else { nil }
        }
    }

    /// Requests the accounts of the hub.
    ///
    /// - Returns: The accounts, sorted by name.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func allAccounts() async throws(HubClientError) -> [AdminAccount] {
        try await pages(.adminAccounts, { AdminRequest.accounts($0) }) {
            if case .accounts(let accounts, let next) = $0 { (accounts, next) } else { nil }
        }
    }

    /// Requests the newest entries of the audit log.
    ///
    /// - Parameters:
    ///   - number: The number that all have to be below; nil: no limit.
    ///   - since: The time that none is before; nil: no limit.
    ///   - limit: The maximum number of entries.
    /// - Returns: The entries, the newest first.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func auditEntries(
        before number: Int64? = nil,
        since: Instant? = nil,
        limit: Int
    ) async throws(HubClientError) -> [AuditEntry] {
        var all: [AuditEntry] = []
        var page = AdminPage()
        page.after = number.map(String.init)
        repeat {
            page.limit = min(limit - all.count, AdminPage.longest)
            guard case .admin(.audit(let entries, let next)) = try await send(.admin(.audit(page, since: since))),
                next == nil || next != page.after
            else { throw .malformedResponse(method: ClientMethod.adminAudit.rawValue) }
            all += entries
            page.after = next
        } while page.after != nil && all.count < limit
        return all
    }

    /// Has the hub verify its audit log.
    ///
    /// - Returns: The number of entries, the last one, and the first fault.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func verifyAudit() async throws(HubClientError) -> AuditVerification {
        guard case .admin(.auditVerified(let verification)) = try await send(.admin(.verifyAudit)) else {
            throw .malformedResponse(method: ClientMethod.adminVerifyAudit.rawValue)
        }
        return verification
    }

    /// Requests all pages of a list.
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
                throw .malformedResponse(method: method.rawValue)
            }
            all += entries
            // A hub that repeats a page must not cause an endless loop.
            guard next == nil || next != page.after else { throw .malformedResponse(method: method.rawValue) }
            page.after = next
        } while page.after != nil
        return all
    }

    /// Ends a call for both its parties.
    ///
    /// - Parameter conversation: The ID of the call in `allCalls()`.
    /// - Throws: `HubClientError.refused` (`notFound` if it has ended), `malformedResponse`, `notConnected`,
    ///   `connectionLost`, `noResponse`, `closed` or `endedByHub`, as `send(_:)`.
    public func endConversation(_ conversation: ConversationID) async throws(HubClientError) {
        _ = try await send(.admin(.endCall(conversation)))
    }

    /// Ends a session, as if its device had signed out.
    ///
    /// - Parameter session: The ID of the session in `allDevices()`.
    /// - Throws: `HubClientError.refused` (`notFound` if there is none), `malformedResponse`, `notConnected`,
    ///   `connectionLost`, `noResponse`, `closed` or `endedByHub`, as `send(_:)`.
    public func signOut(session: String) async throws(HubClientError) {
        _ = try await send(.admin(.signOut(session: session)))
    }

    /// Makes the hub reload its certificate and keys, as SIGHUP does.
    ///
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func reloadHub() async throws(HubClientError) {
        _ = try await send(.admin(.reload))
    }

    /// Drains and stops the hub.
    ///
    /// - Parameter grace: The time for which calls may continue; nil: the hub's setting.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func drainHub(grace: Duration? = nil) async throws(HubClientError) {
        _ = try await send(.admin(.drain(grace: grace)))
    }
}
