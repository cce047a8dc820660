public import HubEngine
public import HubWire

/// An event of a client, in order: a notification of the hub, or a change of the connection.
public enum ClientEvent: Sendable {
    /// A notification of the hub: CallKit's delegate and observer methods.
    case notification(WireNotification)
    /// The connection was lost and the client is reconnecting; the calls continue for the hub's grace period.
    case connectionLost(reason: String)
    /// The session was resumed: nothing is lost, and the missed notifications follow.
    case resumed
    /// The session could not be resumed: this is a new one, and the calls of the old one have ended.
    case reset(calls: [CallSnapshot])
    /// The hub has accepted a newer token: the session is valid until then.
    case refreshed(expiresAt: Instant)
    /// The notifications from `expected` up to, but not including, `received` are missing: an error of the hub.
    case missedNotifications(expected: UInt64, received: UInt64)
    /// A message that is neither a response to a request nor a notification, as far as this client can parse it.
    case unexpectedMessage(String)
    /// The client has ended, by `close()` or for the reason in the error; the last event.
    case ended(HubClientError)
}
