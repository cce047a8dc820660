/// The address of a hub, parsed from a URL.
///
/// `ws://` and `wss://` (also written `http://` and `https://`), with or without port and path; a bare `host` or
/// `host:port` is treated as `ws://` with CallHub's own port, 8080.
public struct HubAddress: Hashable, Sendable, CustomStringConvertible {
    /// The host name or IP address, an IPv6 address without its brackets.
    public let host: String
    /// The TCP port.
    public let port: UInt16
    /// The path and query; `/v1` if the text had no path.
    public let path: String
    /// Indicates that the connection is over TLS.
    public let isSecure: Bool

    /// Parses a URL; nil if it is not the address of a hub.
    public init?(_ text: String) {
        var rest = Substring(text)
        var defaultPort: UInt16 = 8080
        var secure = false
        if let separator = text.firstRange(of: "://") {
            switch text[..<separator.lowerBound].lowercased() {
            case "ws", "http": defaultPort = 80
            case "wss", "https": (defaultPort, secure) = (443, true)
            default: return nil
            }
            rest = text[separator.upperBound...]
        }
        rest = rest.prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let tail = rest[authority.endIndex...]
        guard let (host, port) = Self.split(authority) else { return nil }
        self.host = host
        self.port = port ?? defaultPort
        self.path = tail.isEmpty || tail == "/" ? "/v1" : tail.hasPrefix("/") ? String(tail) : "/v1" + tail
        isSecure = secure
        guard !path.contains(where: { $0.isWhitespace || $0.isNewline }) else { return nil }
    }

    /// The whole URL.
    public var description: String { "\(isSecure ? "wss" : "ws")://\(authority)\(path)" }

    /// Host and port in the form of the Host header.
    var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    private static func split(_ authority: Substring) -> (host: String, port: UInt16?)? {
        var name = authority
        var port: UInt16?
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            name = authority[authority.index(after: authority.startIndex)..<bracket]
            let after = authority[authority.index(after: bracket)...]
            if !after.isEmpty {
                guard after.hasPrefix(":"), let number = UInt16(after.dropFirst()) else { return nil }
                port = number
            }
        } else if let colon = authority.lastIndex(of: ":") {
            guard let number = UInt16(authority[authority.index(after: colon)...]) else { return nil }
            (name, port) = (authority[..<colon], number)
        }
        let isName = name.allSatisfy { $0.isLetter || $0.isNumber || "-._:%".contains($0) }
        guard !name.isEmpty, isName, port != 0 else { return nil }
        return (String(name), port)
    }
}
