public import HubAccountData
public import HubEngine

/// A push subscription in the store, with the device that it belongs to.
public struct StoredPushSubscription: Hashable, Sendable {
    /// The name of the account whose calls are pushed.
    public var account: String
    /// The device's identifier, which it has chosen itself.
    public var device: String
    /// The subscription, whose endpoint belongs to one account at a time; its expiry is not stored, and nil when read.
    public var subscription: PushSubscription
    /// The time of the subscription.
    public var createdAt: Instant
    /// The time of the last push message; nil: never.
    public var lastUsedAt: Instant?

    /// Creates a stored subscription.
    public init(
        account: String,
        device: String,
        subscription: PushSubscription,
        createdAt: Instant,
        lastUsedAt: Instant? = nil
    ) {
        self.account = account
        self.device = device
        self.subscription = subscription
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }
}
