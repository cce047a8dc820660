public import HubEngine

/// What a device asks about being woken by Web Push (RFC 8030, 8291, 8292; row CK-80): the server's business, none of the engine's.
public enum PushRequest: Hashable, Sendable {
    /// `push.key`.
    case key
    /// `push.subscribe`; in place of the one of the same endpoint.
    case subscribe(PushSubscription)
    /// `push.unsubscribe`; nil: all of this device.
    case unsubscribe(endpoint: String?)
}

/// Where and how a device can be woken: the W3C's PushSubscription as a browser gives it.
public struct PushSubscription: Hashable, Sendable {
    /// Where the push service takes messages for it: an `https` URL of at most 1,024 bytes.
    public var endpoint: String
    /// The public key to encrypt for, a point of P-256, uncompressed: 65 bytes (RFC 8291).
    public var key: [UInt8]
    /// The secret of both, 16 bytes (RFC 8291).
    public var secret: [UInt8]
    /// When it is no longer of use; nil: nobody has said.
    public var expiresAt: Instant?

    /// A subscription of its parts.
    public init(endpoint: String, key: [UInt8], secret: [UInt8], expiresAt: Instant? = nil) {
        self.endpoint = endpoint
        self.key = key
        self.secret = secret
        self.expiresAt = expiresAt
    }

    /// How long an endpoint may be, in bytes.
    ///
    /// More: push services with longer addresses; fewer subscriptions fit.
    static let longestEndpoint = 1_024
}
