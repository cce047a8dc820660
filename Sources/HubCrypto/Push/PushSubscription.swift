import enum HubWire.Base64URL

/// A validated push subscription of a browser, from its `PushSubscription.toJSON()`.
public struct PushSubscription: Hashable, Sendable {
    /// The URL to which messages are sent.
    public let endpoint: PushEndpoint
    /// The browser's public key in base64url: 65 bytes, a point of P-256.
    public let p256dh: String
    /// The authentication secret shared with permitted senders, in base64url: 16 bytes.
    public let auth: String

    let point: [UInt8]
    let secret: [UInt8]

    /// Parses a subscription.
    ///
    /// - Throws: ``PushFault/endpoint``, ``PushFault/p256dh`` or ``PushFault/auth`` for the invalid member.
    public init(endpoint: String, p256dh: String, auth: String) throws(PushFault) {
        guard let address = PushEndpoint(endpoint) else { throw .endpoint }
        guard let point = Base64URL.bytes(of: p256dh), AsymmetricKey(p256Point: point) != nil else { throw .p256dh }
        guard let secret = Base64URL.bytes(of: auth), secret.count == 16 else { throw .auth }
        self.endpoint = address
        self.p256dh = p256dh
        self.auth = auth
        self.point = point
        self.secret = secret
    }
}

/// An error of Web Push.
public enum PushFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The endpoint is not a plain `https` address.
    case endpoint
    /// The browser's key is not a point of P-256.
    case p256dh
    /// The browser's secret does not have 16 bytes.
    case auth
    /// The message and its padding exceed the size that push services accept.
    case tooLong(bytes: Int)
    /// The contact is not a `mailto:` or `https:` address.
    case contact
    /// The key is not for ES256.
    case key
    /// OpenSSL is out of memory or randomness.
    case library

    /// The error and the requirement, in one sentence.
    public var description: String {
        switch self {
        case .endpoint:
            "The endpoint must be an https address of \(PushEndpoint.maximumBytes) bytes at most, without user and fragment."
        case .p256dh: "The key p256dh must be 65 bytes in base64url without padding: an uncompressed point of P-256."
        case .auth: "The key auth must be 16 bytes in base64url without padding."
        case .tooLong(let bytes):
            "The message has \(bytes) bytes with its padding; it must have \(PushMessage.maximumBytes) at most."
        case .contact: "The contact must be a mailto: or https: address."
        case .key: "The key must be one of P-256, for ES256."
        case .library: "OpenSSL has no memory or no randomness left; try again later."
        }
    }
}
