public import HubAccountData

/// A device's request about push notifications by Web Push (RFC 8030, 8291, 8292; row CK-80).
///
/// The server handles it, not the engine.
public enum PushSubscriptionRequest: Hashable, Sendable {
    /// `push.key`.
    case key
    /// `push.subscribe`; replaces the subscription with the same endpoint.
    case subscribe(PushSubscription)
    /// `push.unsubscribe`; nil: all subscriptions of the device.
    case unsubscribe(endpoint: String?)
}
