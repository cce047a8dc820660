public import HubEngine

/// Where a device of an account is woken up by Web Push (RFC 8030).
public struct PushSubscription: Hashable, Sendable {
    /// Whose calls wake it.
    public var account: String
    /// The device, by its own name for itself.
    public var device: String
    /// The push service's URL for this browser: it belongs to one account at a time.
    public var endpoint: String
    /// The browser's public key (RFC 8291 section 2.1).
    public var p256dh: [UInt8]
    /// The browser's authentication secret (RFC 8291 section 3.2).
    public var auth: [UInt8]
    /// When it was first subscribed.
    public var createdAt: Instant
    /// When something was last sent to it; nil: never.
    public var lastUsedAt: Instant?

    /// A subscription of its parts.
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
