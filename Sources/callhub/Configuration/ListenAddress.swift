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
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        self.init(host: String(host), port: port)
    }

    private static func port(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text).flatMap { (0...65_535).contains($0) ? $0 : nil }
    }

    /// Whether only this machine can reach it: 127.0.0.0/8, `::1` or `localhost`.
    var isLoopback: Bool {
        if host == "::1" || host.lowercased() == "localhost" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// As it stands in a URL; a hub that listens on all addresses is reached at any, `localhost` for one.
    var urlAuthority: String {
        let name = ["*", "0.0.0.0", "::"].contains(host) ? "localhost" : host
        return (name.contains(":") ? "[\(name)]" : name) + ":\(port)"
    }
}
