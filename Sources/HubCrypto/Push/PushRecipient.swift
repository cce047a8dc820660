public import HubAccountData

/// The recipient of push messages: a push subscription whose members are valid.
public struct PushRecipient: Hashable, Sendable {
    /// The URL to which messages are sent.
    public let endpoint: PushEndpoint

    /// The browser's public key: 65 bytes, a point of P-256.
    let point: [UInt8]
    /// The authentication secret that permitted senders have: 16 bytes.
    let secret: [UInt8]

    /// Validates a subscription.
    ///
    /// - Throws: ``PushError/endpoint``, ``PushError/p256dh`` or ``PushError/auth`` for the invalid member.
    public init(_ subscription: PushSubscription) throws(PushError) {
        guard let endpoint = PushEndpoint(subscription.endpoint) else { throw .endpoint }
        guard AsymmetricKey(p256Point: subscription.key) != nil else { throw .p256dh }
        guard subscription.secret.count == 16 else { throw .auth }
        self.endpoint = endpoint
        point = subscription.key
        secret = subscription.secret
    }
}
