/// The URL to which messages for one push subscription are sent (RFC 8030), parsed; always `https`.
public struct PushEndpoint: Hashable, Sendable {
    /// The longest address, in bytes.
    ///
    /// More: room for nothing that push services use; less: some of theirs have over 500.
    public static let maximumBytes = 2048

    /// The address as it was received.
    public let text: String
    /// The host name, in lower case.
    public let host: String
    /// The port; 443 if the address has none.
    public let port: UInt16
    /// The path and query for the request line: `/` at least.
    public let path: String

    /// Parses an address; nil if it is not a plain `https` address.
    ///
    /// Rejected are a user, a fragment, an IPv6 address, white space and characters that an address has to escape.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumBytes, text.utf8.allSatisfy(Self.isOfAddress) else { return nil }
        let scheme = "https://"
        guard text.prefix(scheme.count).lowercased() == scheme else { return nil }
        let rest = text.dropFirst(scheme.count)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let authority = rest[..<end].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = authority.first, Self.isName(name), authority.count < 2 || Self.port(authority[1]) != nil
        else {
            return nil
        }
        self.text = text
        host = name.lowercased()
        port = authority.count < 2 ? 443 : Self.port(authority[1]) ?? 443
        path = (rest[end...].hasPrefix("/") ? "" : "/") + rest[end...]
    }

    /// The scheme, host and port in the form of RFC 6454 section 6.2: `https://push.example.net`.
    public var origin: String { "https://\(host)" + (port == 443 ? "" : ":\(port)") }

    /// Indicates that a byte may be in an address.
    ///
    /// Visible ASCII except the characters that RFC 3986 does not allow, and `#`, `@` and `\`, which have made programs
    /// confuse one host with another.
    private static func isOfAddress(_ byte: UInt8) -> Bool {
        guard (0x21...0x7E).contains(byte) else { return false }
        return !"\"<>\\^`{|}#@".utf8.contains(byte)
    }

    private static func isName(_ text: Substring) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count)
                    && label.utf8.allSatisfy { byte in
                        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    }
            }
    }

    /// Parses a port from 1 to 65535.
    private static func port(_ text: Substring) -> UInt16? {
        guard let port = UInt16(text), port > 0, text.first?.isNumber == true else { return nil }
        return port
    }
}
