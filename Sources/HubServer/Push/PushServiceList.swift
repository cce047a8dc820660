/// The push services that a hub sends to.
///
/// Clients supply the endpoints, and must not make the hub send requests to arbitrary addresses for them.
public struct PushServiceList: Hashable, Sendable {
    /// The services of the common browsers: Chrome and its derivatives, Firefox, Safari, Edge.
    public static let browsers = [
        "fcm.googleapis.com", "*.push.services.mozilla.com", "*.push.apple.com", "*.notify.windows.com",
    ]

    /// The entries as written by the operator.
    public let entries: [String]
    private let rules: [Rule]

    private struct Rule: Hashable {
        /// The host name in lower case, without `*.`.
        let host: String
        let includesSubdomains: Bool
        let port: UInt16
    }

    /// Makes a list; invalid entries are left out.
    ///
    /// - Parameter entries: Host names, with `*.` in front for all subdomains, and `:port` behind if it is not 443.
    public init(_ entries: [String] = browsers) {
        self.entries = entries
        rules = entries.compactMap(Self.rule)
    }

    /// Indicates that messages may be sent to a service.
    ///
    /// - Parameters:
    ///   - host: A host name or an address; an address matches only an identical entry.
    ///   - port: The port of the service.
    /// - Returns: True if an entry matches.
    public func admits(host: String, port: UInt16) -> Bool {
        let host = host.lowercased()
        return rules.contains { rule in
            guard rule.port == port else { return false }
            guard rule.includesSubdomains else { return rule.host == host }
            // At least one whole label in front: evilpush.apple.com is not a subdomain of push.apple.com.
            return host.utf8.count > rule.host.utf8.count + 1 && host.hasSuffix("." + rule.host)
        }
    }

    /// Indicates that a text is a valid entry.
    public static func isEntry(_ text: String) -> Bool { rule(text) != nil }

    private static func rule(_ text: String) -> Rule? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let name = parts.first, parts.count <= 2 else { return nil }
        let port = parts.count == 2 ? UInt16(parts[1]) : 443
        guard let port, port > 0, parts.count < 2 || parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        let includesSubdomains = name.hasPrefix("*.")
        let host = includesSubdomains ? name.dropFirst(2) : name
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard host.utf8.count <= 253, labels.allSatisfy(isLabel) else { return nil }
        // A wildcard for a whole top-level domain would allow any host.
        guard !includesSubdomains || labels.count >= 2 else { return nil }
        return Rule(host: host.lowercased(), includesSubdomains: includesSubdomains, port: port)
    }

    private static func isLabel(_ text: Substring) -> Bool {
        (1...63).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            }
    }
}
