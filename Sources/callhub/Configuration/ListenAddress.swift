import Foundation

/// Where a hub listens, as people write it: `127.0.0.1:8080`, `localhost:8080`, `[::1]:8080`, `*:8080`.
struct ListenAddress: Equatable {
    /// Without brackets.
    var host: String
    /// 0: the system chooses.
    var port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Takes `HOST:PORT` apart; nil if it is not that.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Self.port(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            // An IPv6 address without brackets: which of its colons ends it is anybody's guess.
            return nil
        }
        guard Self.isHost(host) else { return nil }
        self.init(host: String(host), port: port)
    }

    private static func port(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text).flatMap { (0...65_535).contains($0) ? $0 : nil }
    }

    /// Whether a text can be a host at all; whether there is one by that name shows when the hub listens.
    static func isHost(_ text: some StringProtocol) -> Bool {
        (1...255).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "[") }
    }

    /// Whether only this machine can reach it: 127.0.0.0/8, `::1` or `localhost`.
    ///
    /// Any other name counts as reachable, whatever it stands for at the moment.
    var isLoopback: Bool {
        var bytes = in6_addr()
        if inet_pton(AF_INET, host, &bytes) == 1 { return withUnsafeBytes(of: bytes) { $0[0] == 127 } }
        if inet_pton(AF_INET6, host, &bytes) == 1 {
            return withUnsafeBytes(of: bytes) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
        }
        return host.lowercased() == "localhost"
    }

    /// As people write it.
    var text: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

    /// As it stands in a URL; a hub that listens on all addresses is reached at any, `localhost` for one.
    var urlAuthority: String {
        ["*", "0.0.0.0", "::"].contains(host) ? Self(host: "localhost", port: port).text : text
    }
}
