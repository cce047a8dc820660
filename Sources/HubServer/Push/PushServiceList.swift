/// The push services that a hub sends to: clients say where they are woken, and must not make the hub ask any address for them.
public struct PushServiceList: Hashable, Sendable {
    /// The services of the browsers that there are: Chrome and what is built on it, Firefox, Safari, Edge.
    public static let browsers = [
        "fcm.googleapis.com", "*.push.services.mozilla.com", "*.push.apple.com", "*.notify.windows.com",
    ]

    /// As an operator has written them.
    public let entries: [String]
    private let rules: [Rule]

    private struct Rule: Hashable {
        /// In small letters, without `*.`.
        let host: String
        let takesSubdomains: Bool
        let port: UInt16
    }

    /// A list; what is no entry is left out.
    ///
    /// - Parameter entries: Host names, of which `*.` in front stands for all below them, and a port behind `:` where it is not 443.
    public init(_ entries: [String] = browsers) {
        self.entries = entries
        rules = entries.compactMap(Self.rule)
    }

    /// Whether messages may be sent there.
    ///
    /// - Parameters:
    ///   - host: A name or an address; an address is only what stands on the list as it is.
    ///   - port: Of the service.
    /// - Returns: True where an entry is for it.
    public func admits(host: String, port: UInt16) -> Bool {
        let host = host.lowercased()
        return rules.contains { rule in
            guard rule.port == port else { return false }
            guard rule.takesSubdomains else { return rule.host == host }
            // At least one whole label in front: evilpush.apple.com is nobody's that push.apple.com vouches for.
            return host.utf8.count > rule.host.utf8.count + 1 && host.hasSuffix("." + rule.host)
        }
    }

    /// Whether a text can stand on the list.
    public static func isEntry(_ text: String) -> Bool { rule(text) != nil }

    private static func rule(_ text: String) -> Rule? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let name = parts.first, parts.count <= 2 else { return nil }
        let port = parts.count == 2 ? UInt16(parts[1]) : 443
        guard let port, port > 0, parts.count < 2 || parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        let takesSubdomains = name.hasPrefix("*.")
        let host = takesSubdomains ? name.dropFirst(2) : name
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard host.utf8.count <= 253, labels.allSatisfy(isLabel) else { return nil }
        // All of a top-level domain would be anybody's.
        guard !takesSubdomains || labels.count >= 2 else { return nil }
        return Rule(host: host.lowercased(), takesSubdomains: takesSubdomains, port: port)
    }

    private static func isLabel(_ text: Substring) -> Bool {
        (1...63).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            }
    }
}
