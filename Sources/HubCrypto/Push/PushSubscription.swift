import enum HubWire.Base64URL

/// A browser's subscription to pushes, as its `PushSubscription.toJSON()` gives it, checked.
public struct PushSubscription: Hashable, Sendable {
    /// Where messages for it go.
    public let endpoint: PushEndpoint
    /// The browser's public key, base64url: 65 bytes, a point of P-256.
    public let p256dh: String
    /// The secret that it shares with whoever may send, base64url: 16 bytes.
    public let auth: String

    let point: [UInt8]
    let secret: [UInt8]

    /// Reads a subscription.
    ///
    /// - Throws: ``PushFault`` with the member that is wrong.
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

/// Why something about Web Push cannot be done.
public enum PushFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The endpoint is no plain `https` address.
    case endpoint
    /// The browser's key is no point of P-256.
    case p256dh
    /// The browser's secret has not 16 bytes.
    case auth
    /// The message and its padding do not fit into what push services take.
    case tooLong(bytes: Int)
    /// The contact is no `mailto:` or `https:` address.
    case contact
    /// The key is not one for ES256.
    case key
    /// OpenSSL would not: no memory or no randomness left.
    case library

    /// What is wrong and what would be right, in one sentence.
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
