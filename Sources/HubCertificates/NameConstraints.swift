/// The names that an authority may issue certificates for (RFC 5280 section 4.2.1.10).
///
/// A device that trusts an authority accepts its certificates for these names, and for no others: not for a bank's.
struct NameConstraints {
    /// The constraints in OpenSSL's notation.
    let text: String

    /// Permits host names with all names below them, the private networks, and public addresses.
    ///
    /// Addresses change in the ten years of an authority, so the private networks are permitted as a whole. Of a public
    /// IPv6 address its /64 is: its lower half changes daily on many machines (RFC 8981).
    ///
    /// - Parameter names: The names and addresses of the hub.
    init(_ names: [SubjectName]) {
        var entries: [String] = []
        for name in Set(names + [.host("localhost")]).sorted() {
            switch name {
            case .host(let host): entries.append("DNS:\(host)")
            case .address(let bytes) where !Self.isPrivate(bytes): entries.append("IP:\(Self.network(of: bytes))")
            case .address: break
            }
        }
        entries += Self.privateNetworks.map { "IP:\($0.first)/\($0.mask)" }
        text = "critical," + entries.map { "permitted;\($0)" }.joined(separator: ",")
    }

    /// The networks that are no public address's (RFC 1918, 3927, 4193, 4291, 1122).
    private static let privateNetworks: [(first: String, mask: String)] = [
        ("10.0.0.0", "255.0.0.0"), ("172.16.0.0", "255.240.0.0"), ("192.168.0.0", "255.255.0.0"),
        ("169.254.0.0", "255.255.0.0"), ("127.0.0.0", "255.0.0.0"), ("fc00::", "fe00::"), ("fe80::", "ffc0::"),
        ("::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ]

    private static func isPrivate(_ bytes: [UInt8]) -> Bool {
        privateNetworks.contains { network in
            guard case .address(let first)? = SubjectName(network.first),
                case .address(let mask)? = SubjectName(network.mask), first.count == bytes.count
            else { return false }
            return zip(bytes, zip(first, mask)).allSatisfy { $0 & $1.1 == $1.0 }
        }
    }

    private static func network(of bytes: [UInt8]) -> String {
        guard bytes.count == 16 else { return SubjectName.text(ofAddress: bytes) + "/255.255.255.255" }
        let first = bytes.prefix(8) + [UInt8](repeating: 0, count: 8)
        return SubjectName.text(ofAddress: Array(first)) + "/ffff:ffff:ffff:ffff::"
    }
}
