public import HubEngine
public import HubWire

/// The invitations of a hub, and the accounts that are created by them.
public protocol InvitationService: Sendable {
    /// Executes a request without blocking the caller.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - requester: The client.
    ///   - then: Called with the result, on any thread; nil: the request is done, and has no result.
    func answer(
        _ request: InvitationRequest,
        of requester: InvitationRequester,
        _ then: @escaping @Sendable (Result<InvitationReply?, WireError>) -> Void
    )

    /// Takes calls of those that an invitation has left, before its guest starts them; at once.
    ///
    /// - Parameters:
    ///   - count: The number of calls.
    ///   - invitation: The guest's invitation.
    /// - Returns: False: fewer are left, and none is taken.
    func take(calls count: Int, of invitation: InvitationID) -> Bool

    /// Notes what has become of the calls that were taken.
    ///
    /// - Parameters:
    ///   - count: The number of calls.
    ///   - invitation: The guest's invitation.
    ///   - wereStarted: True: they count from now on; false: they are left to be made.
    func settle(calls count: Int, of invitation: InvitationID, wereStarted: Bool)
}

/// The client of a request about invitations.
public enum InvitationRequester: Sendable {
    /// A client that has not signed in.
    ///
    /// Passwords wait in a lane of their client's address; nil: an exempt address, all of which share one lane.
    case newcomer(queueLane: String?, address: String, isStillAwaited: @Sendable () -> Bool)
    /// A signed-in client.
    ///
    /// `isAdmin`: its session has the permission `admin`; `ownsAdmin`: its account has, whatever the session may do;
    /// `actor`: the session for the audit log.
    case user(account: String, handles: [Handle], isAdmin: Bool, ownsAdmin: Bool, actor: AuditActor)
}
