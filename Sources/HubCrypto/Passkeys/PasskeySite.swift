import HubWire

/// The site that a passkey is for, by the origin of its page: WebAuthn's relying party.
public struct PasskeySite: Hashable, Sendable {
    /// The origin of the page, `https://host[:port]`, in lower case.
    public let origin: String
    /// The host name, which is the relying party's ID.
    public let id: String

    /// Makes the site of a page; nil if a page of the origin cannot have passkeys: it has an address in place of a
    /// name, or is neither of `https` nor on `localhost`.
    ///
    /// - Parameter origin: The Origin header of the page's connection.
    public init?(origin: String) {
        let text = origin.lowercased()
        guard text.utf8.count <= Self.maximumBytes, let separator = text.firstRange(of: "://") else { return nil }
        let (scheme, authority) = (text[..<separator.lowerBound], text[separator.upperBound...])
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, parts.count <= 2, Self.isName(host) else { return nil }
        if parts.count == 2 { guard let port = UInt16(parts[1]), port > 0 else { return nil } }
        let isLocal = host == "localhost" || host.hasSuffix(".localhost")
        guard scheme == "https" || (scheme == "http" && isLocal) else { return nil }
        (self.origin, id) = (text, String(host))
    }

    /// The SHA-256 of the ID, with which authenticator data begins.
    var idHash: [UInt8] { SHA256.digest(Array(id.utf8)) }

    /// Indicates that a host is a name and no address, as the URL standard decides it: by its last label.
    private static func isName(_ host: Substring) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = labels.last, let first = last.utf8.first, !labels.contains("") else { return false }
        let isNumber = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        return !isNumber && host.utf8.allSatisfy(Self.isOfName)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The longest origin: a name of 253 bytes with its scheme and port.
    private static let maximumBytes = 8 + 253 + 6
}
