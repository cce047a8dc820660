import Glibc

/// An IP address of either family; an IPv4 one is stored as an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`).
package struct IPAddress: Hashable, Sendable {
    private var bytes: (high: UInt64, low: UInt64)

    /// Parses `192.0.2.1` or `2001:db8::1`; a zone (`%eth0`) is ignored.
    ///
    /// - Parameter text: The address without brackets and port.
    package init?(_ text: some StringProtocol) {
        let text = String(text.prefix { $0 != "%" })
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(v4: UInt32(bigEndian: four.s_addr))
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        self.init(six)
    }

    /// Converts the address of a peer, as `accept` returns it; nil if it is neither IPv4 nor IPv6.
    ///
    /// - Parameter storage: The socket address.
    init?(_ storage: sockaddr_storage) {
        var storage = storage
        switch Int32(storage.ss_family) {
        case AF_INET:
            let address = withUnsafeBytes(of: &storage) { $0.load(as: sockaddr_in.self) }
            self.init(v4: UInt32(bigEndian: address.sin_addr.s_addr))
        case AF_INET6:
            self.init(withUnsafeBytes(of: &storage) { $0.load(as: sockaddr_in6.self) }.sin6_addr)
        default:
            return nil
        }
    }

    /// Converts the 4 bytes of an IPv4 address or the 16 of an IPv6 one, the highest first; nil if there are others.
    init?(networkOrder bytes: some Collection<UInt8>) {
        func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        switch bytes.count {
        case 4: self.bytes = (0, 0xFFFF_0000_0000 | number(bytes))
        case 16: self.bytes = (number(bytes.prefix(8)), number(bytes.dropFirst(8)))
        default: return nil
        }
    }

    /// The unspecified address, `::`.
    static let unspecified = IPAddress(in6_addr())

    private init(v4 number: UInt32) {
        bytes = (0, 0xFFFF_0000_0000 | UInt64(number))
    }

    private init(_ address: in6_addr) {
        bytes = withUnsafeBytes(of: address) {
            (
                UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    /// True for an IPv4 address.
    var isV4: Bool { bytes.high == 0 && bytes.low >> 32 == 0xFFFF }

    /// Computes the network that the address belongs to.
    ///
    /// - Parameter bits: The length of the prefix, 0 to 128; the bits of an IPv4 address begin at 96.
    /// - Returns: The first address of the network.
    func network(ofBits bits: Int) -> IPAddress {
        var network = self
        network.bytes.high &= bits >= 64 ? .max : ~(.max >> UInt64(max(bits, 0)))
        network.bytes.low &= bits >= 128 ? .max : bits <= 64 ? 0 : ~(.max >> UInt64(bits - 64))
        return network
    }

    /// The key of per-address limits: an IPv4 address, or the /64 of an IPv6 one, which every IPv6 customer has alone.
    var rateLimitAddress: IPAddress { isV4 ? self : network(ofBits: 64) }

    /// The textual form; an IPv4-mapped address as dotted decimal.
    var text: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        if isV4 {
            var four = in_addr(s_addr: UInt32(truncatingIfNeeded: bytes.low).bigEndian)
            guard inet_ntop(AF_INET, &four, &buffer, socklen_t(buffer.count)) != nil else { return "" }
        } else {
            var six = (bytes.high.bigEndian, bytes.low.bigEndian)
            guard inet_ntop(AF_INET6, &six, &buffer, socklen_t(buffer.count)) != nil else { return "" }
        }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    package static func == (one: IPAddress, other: IPAddress) -> Bool { one.bytes == other.bytes }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(bytes.high)
        hasher.combine(bytes.low)
    }
}

/// A range of addresses: one, `192.0.2.1`, or a network, `10.0.0.0/8`, `2001:db8::/32`.
public struct AddressRange: Sendable, Equatable, CustomStringConvertible {
    /// The range as it was written.
    public let description: String
    private let first: IPAddress
    private let bits: Int

    /// Parses an address, or a network in the notation of RFC 4632; nil if it is neither.
    ///
    /// - Parameter text: The range, of either family.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let name = parts.first, !name.contains("%"), let address = IPAddress(name), parts.count <= 2 else {
            return nil
        }
        let offset = address.isV4 ? 96 : 0
        var bits = 128
        if parts.count == 2 {
            guard let length = Int(parts[1]), (0...128 - offset).contains(length) else { return nil }
            bits = offset + length
        }
        description = text
        first = address.network(ofBits: bits)
        self.bits = bits
    }

    /// Indicates that an address is in the range.
    func contains(_ address: IPAddress) -> Bool { address.network(ofBits: bits) == first }

    /// The loopback addresses of both families.
    public static let loopback = ["127.0.0.0/8", "::1"].compactMap(AddressRange.init)
}
