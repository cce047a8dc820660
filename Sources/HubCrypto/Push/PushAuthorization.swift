public import FoundationEssentials

import enum HubWire.Base64URL

/// Says to push services who sends (VAPID, RFC 8292): a token for each service, signed with the hub's own key.
///
/// Browsers tie their subscriptions to the key: with another one they have to be made anew.
public struct PushAuthorization: Sendable {
    /// The key; to be kept, by its ``SigningKey/stored``.
    public let key: SigningKey
    /// Whom a push service may write to if the hub is a nuisance: a `mailto:` or `https:` address.
    public let contact: String

    /// How long a token is good for, in seconds.
    ///
    /// More: fewer signatures, 24 h being the most that RFC 8292 section 2 lets it be; less: services whose clocks are
    /// wrong refuse.
    static let lifetime: TimeInterval = 12 * 3600

    /// An authorization with a key that was generated or stored before.
    ///
    /// - Throws: ``PushFault/key`` for a key that is not ES256's, ``PushFault/contact`` for an address that is none.
    public init(key: SigningKey, contact: String) throws(PushFault) {
        guard key.algorithm == .es256 else { throw .key }
        guard Self.isContact(contact) else { throw .contact }
        self.key = key
        self.contact = contact
    }

    /// What browsers subscribe with (`applicationServerKey`): the key's public half, 65 bytes in base64url.
    public var publicKey: String { Base64URL.text(of: key.pair.p256Point) }

    /// The value of the header `Authorization` for requests to an endpoint's service.
    ///
    /// It is good for all endpoints of the same ``PushEndpoint/origin``, for half a day.
    ///
    /// - Throws: ``PushFault/library`` when OpenSSL has no memory left, or the time is one that no token can say.
    public func header(for endpoint: PushEndpoint, at now: Date) throws(PushFault) -> String {
        guard let end = TokenSigner.wholeSeconds(now.addingTimeInterval(Self.lifetime)),
            let token = CompactToken.written(
                header: ["alg": "ES256", "typ": "JWT"],
                payload: Claims(aud: endpoint.origin, exp: end, sub: contact),
                with: key
            )
        else { throw .library }
        return "vapid t=\(token), k=\(publicKey)"
    }

    /// Whether a text is an address that a push service may write to.
    public static func isContact(_ text: String) -> Bool {
        guard text.utf8.count <= 256, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
        if text.hasPrefix("mailto:") {
            let parts = text.dropFirst("mailto:".count).split(separator: "@", omittingEmptySubsequences: false)
            return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
        }
        return PushEndpoint(text) != nil
    }

    private struct Claims: Encodable {
        let aud: String
        let exp: Int64
        let sub: String
    }
}
