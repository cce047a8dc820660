public import HubEngine

/// The Web Push subscription of a device (RFC 8030).
public struct PushSubscription: Hashable, Sendable {
    /// The name of the account whose calls are pushed.
    public var account: String
    /// The device's identifier, which it has chosen itself.
    public var device: String
    /// The push service's URL for the browser, which belongs to one account at a time.
    public var endpoint: String
    /// The browser's public key (RFC 8291 section 2.1).
    public var p256dh: [UInt8]
    /// The browser's authentication secret (RFC 8291 section 3.2).
    public var auth: [UInt8]
    /// The time of the subscription.
    public var createdAt: Instant
    /// The time of the last push message; nil: never.
    public var lastUsedAt: Instant?

    /// Creates a subscription.
    public init(
        account: String,
        device: String,
        endpoint: String,
        p256dh: [UInt8],
        auth: [UInt8],
        createdAt: Instant,
        lastUsedAt: Instant? = nil
    ) {
        self.account = account
        self.device = device
        self.endpoint = endpoint
        self.p256dh = p256dh
        self.auth = auth
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }
}
