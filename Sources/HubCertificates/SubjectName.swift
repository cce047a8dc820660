import Glibc

/// A host name or an IP address that a certificate is for.
package enum SubjectName: Hashable, Sendable {
    /// A host name in lower case, without a dot at its end.
    case host(String)
    /// An IP address: 4 or 16 bytes in network order.
    case address([UInt8])

    /// Parses `hub.example.com`, `192.0.2.1` or `2001:db8::1`; nil for anything else, wildcards included.
    package init?(_ text: some StringProtocol) {
        if let bytes = Self.bytes(AF_INET, 4, text) ?? Self.bytes(AF_INET6, 16, text) {
            // An IPv4-mapped address is the IPv4 one, as for browsers.
            let isMapped = bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
            self = .address(isMapped ? Array(bytes.suffix(4)) : bytes)
            return
        }
        let name = (text.hasSuffix(".") ? String(text.dropLast()) : String(text)).lowercased()
        guard Self.isHost(name) else { return nil }
        self = .host(name)
    }

    /// The valid texts, as the end of "it must be …".
    package static let rule = "a list of host names and IP addresses such as [\"calls.example.org\", \"192.0.2.1\"]"

    /// Labels of 1 to 63 letters, digits, `-` and `_` (RFC 1123 section 2.1; `_` is in use, and browsers accept it).
    ///
    /// The last label is not a number, since a browser takes `1.2.3` for an address.
    private static func isHost(_ name: String) -> Bool {
        guard (1...253).contains(name.utf8.count) else { return false }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let areValid = labels.allSatisfy { label in
            label.utf8.count <= 63
                && label.wholeMatch(of: /[a-z0-9_]([a-z0-9_\-]*[a-z0-9_])?/) != nil
        }
        return areValid && labels.last?.allSatisfy(\.isNumber) == false
    }

    private static func bytes(_ family: Int32, _ count: Int, _ text: some StringProtocol) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, String(text), &bytes) == 1 ? bytes : nil
    }

    /// The name as people write it.
    package var text: String {
        switch self {
        case .host(let name): name
        case .address(let bytes): Self.text(ofAddress: bytes)
        }
    }

    /// The name in OpenSSL's lists.
    var entry: String {
        switch self {
        case .host(let name): "DNS:\(name)"
        case .address: "IP:\(text)"
        }
    }

    static func text(ofAddress bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension SubjectName: Comparable {
    /// Host names first, then addresses, each in their order: the same names always make the same certificate.
    package static func < (one: SubjectName, other: SubjectName) -> Bool {
        switch (one, other) {
        case (.host(let one), .host(let other)): one < other
        case (.host, .address): true
        case (.address, .host): false
        case (.address(let one), .address(let other)):
            one.count == other.count ? one.lexicographicallyPrecedes(other) : one.count < other.count
        }
    }
}
