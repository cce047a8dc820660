public import HubAccountData
public import HubEngine
import HubWire

/// The people of the house and their presence (docs/protocol.md, People and presence).
extension HubClient {
    /// Requests a page of the people that the client may see, sorted by name.
    ///
    /// - Parameters:
    ///   - search: Words that must each be the beginning of a word of name, handle or department; nil: everybody.
    ///   - limit: The maximum number of people, 1 to 500; nil: 500.
    ///   - after: The `next` of the page before; nil: from the beginning.
    /// - Returns: The people, and the start of the next page; nil: there is none.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    public func people(
        search: String? = nil,
        limit: Int? = nil,
        after: String? = nil
    ) async throws(HubClientError) -> (people: [Person], next: String?) {
        let request = PeopleRequest.list(search: search, AdminPage(limit: limit, after: after))
        guard case .people(let people, let next) = try await send(.people(request)) else {
            throw .malformedResponse(method: ClientMethod.peopleList.rawValue)
        }
        return (people, next)
    }

    /// Subscribes to the presence of people; later changes are notified by `WireNotification.peopleChanged`.
    ///
    /// A new session begins without a subscription: after `ClientEvent.reset` it is to be made again.
    ///
    /// - Parameter handles: The handles, at most 500, in place of the former ones; none ends the subscription.
    /// - Returns: A person for each handle, in order; `unknown` for nobody, and whom the client may not see.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    @discardableResult
    public func watchPeople(_ handles: [Handle]) async throws(HubClientError) -> [Person] {
        guard case .people(let people, _) = try await send(.people(.subscribe(handles))) else {
            throw .malformedResponse(method: ClientMethod.peopleSubscribe.rawValue)
        }
        return people
    }

    /// Reports that the device's user is away, or back.
    ///
    /// - Parameter isAway: True if the user is away.
    /// - Returns: False if the hub knew it already.
    /// - Throws: `HubClientError.refused`, `malformedResponse`, `notConnected`, `connectionLost`, `noResponse`,
    ///   `closed` or `endedByHub`, as `send(_:)`.
    @discardableResult
    public func setAway(_ isAway: Bool) async throws(HubClientError) -> Bool {
        try await send(.people(.setAway(isAway))) != .ignored
    }
}
