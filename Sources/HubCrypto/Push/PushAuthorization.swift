public import FoundationEssentials

import enum HubWire.Base64URL

/// The identification of the hub to push services (VAPID, RFC 8292): a token for each service, signed with its key.
///
/// Browsers bind their subscriptions to the key: with another key, new subscriptions are required.
public struct PushAuthorization: Sendable {
    /// The signing key; its ``SigningKey/stored`` form has to be persisted.
    public let key: SigningKey
    /// The operator's contact for push services: a `mailto:` or `https:` address.
    public let contact: String

    /// The lifetime of a token, in seconds.
    ///
    /// More: fewer signatures, 24 h being the maximum of RFC 8292 section 2; less: services whose clocks are wrong
    /// reject it.
    static let lifetime: TimeInterval = 12 * 3600

    /// Creates an authorization with a key that was generated or stored before.
    ///
    /// - Throws: ``PushError/key`` if the key is not for ES256, ``PushError/contact`` if the contact is invalid.
    public init(key: SigningKey, contact: String) throws(PushError) {
        guard key.algorithm == .es256 else { throw .key }
        guard Self.isContact(contact) else { throw .contact }
        self.key = key
        self.contact = contact
    }

    /// The `applicationServerKey` of browser subscriptions: the public key, 65 bytes in base64url.
    public var publicKey: String { Base64URL.text(of: key.pair.p256Point) }

    /// Returns the value of the header `Authorization` for requests to an endpoint's service.
    ///
    /// It is valid for all endpoints of the same ``PushEndpoint/origin``, for 12 hours.
    ///
    /// - Throws: ``PushError/library`` if OpenSSL is out of memory, or the time cannot be expressed in a token.
    public func header(for endpoint: PushEndpoint, at now: Date) throws(PushError) -> String {
        guard let end = TokenSigner.wholeSeconds(now.addingTimeInterval(Self.lifetime)),
            let token = CompactToken.signedJSON(
                header: ["alg": "ES256", "typ": "JWT"],
                payload: Claims(aud: endpoint.origin, exp: end, sub: contact),
                with: key
            )
        else { throw .library }
        return "vapid t=\(token), k=\(publicKey)"
    }

    /// Indicates that a text is a valid contact: a `mailto:` or `https:` address of 256 bytes at most.
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
