import Foundation

/// A listening address as people write it: `127.0.0.1:8080`, `localhost:8080`, `[::1]:8080`, `*:8080`.
public struct ListenAddress: Equatable {
    /// The host name or IP address, without brackets; `*` for all addresses.
    public var host: String
    /// The TCP port, 0 to 65,535; 0: the system chooses.
    public var port: Int

    /// Creates the address of a host and a port.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Parses `HOST:PORT`; nil if the text has another form.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Self.port(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            // In an IPv6 address without brackets it is ambiguous which colon precedes the port.
            return nil
        }
        guard Self.isHost(host) else { return nil }
        self.init(host: String(host), port: port)
    }

    private static func port(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text).flatMap { (0...65_535).contains($0) ? $0 : nil }
    }

    /// Indicates that a text has the form of a host; the hub resolves it only when it listens.
    static func isHost(_ text: some StringProtocol) -> Bool {
        (1...255).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "[") }
    }

    /// Indicates that only this machine can reach the address: 127.0.0.0/8, `::1` or `localhost`.
    ///
    /// Any other name counts as reachable, whatever it resolves to at the moment.
    public var isLoopback: Bool {
        var bytes = in6_addr()
        if inet_pton(AF_INET, host, &bytes) == 1 { return withUnsafeBytes(of: bytes) { $0[0] == 127 } }
        if inet_pton(AF_INET6, host, &bytes) == 1 {
            return withUnsafeBytes(of: bytes) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
        }
        return host.lowercased() == "localhost"
    }

    /// The address as `HOST:PORT`, with brackets around an IPv6 address.
    public var text: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

    /// The address in a URL; a wildcard address is replaced by `localhost`.
    public var urlAuthority: String {
        ["*", "0.0.0.0", "::"].contains(host) ? Self(host: "localhost", port: port).text : text
    }
}
