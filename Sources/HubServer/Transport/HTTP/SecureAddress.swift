/// The address with TLS for a request on the redirect port.
enum SecureAddress {
    /// Makes the URL of a path for the host that a client has asked for.
    ///
    /// It names only what the Host header was checked to be: a name of the hub, or an address.
    ///
    /// - Parameters:
    ///   - host: The Host header, with a port or without.
    ///   - path: The path of the request, decoded, from its `/` on.
    ///   - port: The hub's own port.
    ///   - publicURL: The URL of the hub for other machines, whose port counts for its name; nil: unknown.
    ///   - origins: The hub's names.
    /// - Returns: The URL; nil if the host is none of the hub's.
    static func url(host: String, path: String, port: Int, publicURL: String?, _ origins: OriginRule) -> String? {
        let name = OriginRule.name(host.lowercased()[...])
        guard origins.isOwn(name), let authority = authority(name) else { return nil }
        let path = path.utf8.reduce(into: "") { $0 += encoded($1) }
        if let known = publicURL?.lowercased().dropFirst("https://".count).prefix(while: { $0 != "/" }),
            OriginRule.name(known) == name
        {
            return "https://\(known)\(path)"
        }
        return "https://\(authority)\(port == 443 ? "" : ":\(port)")\(path)"
    }

    /// A name that cannot be taken for anything else within a URL; nil: it can.
    private static func authority(_ name: String) -> String? {
        if let address = IPAddress(name) { return address.isV4 ? address.text : "[\(address.text)]" }
        return name.wholeMatch(of: /[a-z0-9._\-]{1,253}/) == nil ? nil : name
    }

    /// A byte of a path (RFC 3986 section 3.3): itself if it can only be meant so, else in hexadecimal.
    private static func encoded(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            String(UnicodeScalar(byte))
        default:
            "/-._~!$'()*+,=:@".utf8.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }
}
