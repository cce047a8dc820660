/// An error of Web Push.
public enum PushError: Error, Hashable, Sendable, CustomStringConvertible {
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
        case .p256dh: "The key p256dh must be 65 bytes: an uncompressed point of P-256."
        case .auth: "The key auth must be 16 bytes."
        case .tooLong(let bytes):
            "The message has \(bytes) bytes with its padding; it must have \(PushMessage.maximumBytes) at most."
        case .contact: "The contact must be a mailto: or https: address."
        case .key: "The key must be one of P-256, for ES256."
        case .library: "OpenSSL has no memory or no randomness left; try again later."
        }
    }
}
