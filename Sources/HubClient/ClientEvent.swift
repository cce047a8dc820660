public import HubEngine
public import HubWire

/// What a client is told, in order.
public enum ClientEvent: Sendable {
    /// Something of the hub's: CallKit's delegate and observer methods.
    case notification(WireNotification)
    /// The connection was lost and is being taken up again; the calls live on for a while.
    case connectionLost(reason: String)
    /// The session was taken up again: nothing is lost, and what was missed follows.
    case resumed
    /// The session could not be taken up: this is a new one, and the calls of the old one have ended.
    case reset(calls: [CallSnapshot])
    /// The hub has taken a newer token: the session goes on until then.
    case refreshed(expiresAt: Instant)
    /// Notifications from `expected` to before `received` are missing: a fault of the hub's.
    case missedNotifications(expected: UInt64, received: UInt64)
    /// A message that is no answer to anything asked and no notification, as far as this client can read it.
    case unexpectedMessage(String)
    /// It is over: by `close()`, or for the reason in the error; the last event.
    case ended(HubClientError)
}
