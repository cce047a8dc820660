public import HubEngine

/// A device's push subscription: the W3C's PushSubscription as a browser gives it.
public struct PushSubscription: Hashable, Sendable {
    /// The push service's URL for the device: `https`, at most 1,024 bytes.
    public var endpoint: String
    /// The browser's public key for the encryption, an uncompressed point of P-256: 65 bytes (RFC 8291 section 2.1).
    public var key: [UInt8]
    /// The browser's authentication secret, 16 bytes (RFC 8291 section 3.2).
    public var secret: [UInt8]
    /// The time at which the subscription expires; nil: unknown.
    public var expiresAt: Instant?

    /// Creates a subscription.
    public init(endpoint: String, key: [UInt8], secret: [UInt8], expiresAt: Instant? = nil) {
        self.endpoint = endpoint
        self.key = key
        self.secret = secret
        self.expiresAt = expiresAt
    }

    /// The maximum length of an endpoint in bytes.
    ///
    /// More: push services with longer URLs; fewer subscriptions fit.
    package static let maximumEndpointBytes = 1_024
}
