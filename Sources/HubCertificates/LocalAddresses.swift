import CUV
import Glibc

/// The names and addresses under which other machines of the network reach this one.
package enum LocalAddresses {
    /// The names of the machine, with `localhost` and the loopback addresses.
    package static var names: [SubjectName] { names(ofMachine: machineName) + loopback }

    /// The present addresses of the machine that others can reach.
    ///
    /// Link-local addresses, which browsers do not open without an interface's name, are left out if there are others.
    ///
    /// - Throws: ``CertificateError`` if the system does not tell them.
    package static func addresses() throws(CertificateError) -> [SubjectName] {
        reachable(try interfaceAddresses())
    }

    /// The first label of the machine's name, or `localhost` if it has none.
    package static var host: String {
        machineName.split(separator: ".").first.map(String.init) ?? "localhost"
    }

    static let loopback: [SubjectName] = [
        .host("localhost"), .address([127, 0, 0, 1]), .address([UInt8](repeating: 0, count: 15) + [1]),
    ]

    /// The names that a machine's name leads to: itself, and the one of multicast DNS (RFC 6762), `NAME.local`.
    static func names(ofMachine name: String) -> [SubjectName] {
        guard let own = SubjectName(name), case .host(let full) = own, full != "localhost",
            let label = full.split(separator: ".").first
        else { return [] }
        return [own, SubjectName("\(label).local")].compactMap(\.self)
    }

    /// The addresses that other machines can reach.
    static func reachable(_ addresses: [[UInt8]]) -> [SubjectName] {
        let others = addresses.filter { !isLoopback($0) }
        let routed = others.filter { !isLinkLocal($0) }
        // A certificate with more would be too long for a handshake in few packets.
        return (routed.isEmpty ? others : routed).prefix(64).map { .address($0) }
    }

    private static func isLoopback(_ bytes: [UInt8]) -> Bool {
        bytes.count == 4 ? bytes.first == 127 : bytes.dropLast().allSatisfy { $0 == 0 }
    }

    private static func isLinkLocal(_ bytes: [UInt8]) -> Bool {
        bytes.count == 4
            ? bytes.starts(with: [169, 254]) : bytes.first == 0xFE && bytes.dropFirst().first.map { $0 & 0xC0 } == 0x80
    }

    private static var machineName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The fault of a service that may not ask the kernel for its addresses.
    static func fault(_ code: Int32) -> CertificateError {
        CertificateError(
            "the machine's addresses cannot be read: \(String(cString: uv_strerror(code))); in a systemd unit "
                + "RestrictAddressFamilies must contain AF_NETLINK."
        )
    }

    /// The addresses of all interfaces that are up, by libuv.
    private static func interfaceAddresses() throws(CertificateError) -> [[UInt8]] {
        var list: UnsafeMutablePointer<uv_interface_address_t>?
        var count: Int32 = 0
        let result = uv_interface_addresses(&list, &count)
        guard result == 0 else { throw fault(result) }
        guard let list else { return [] }
        defer { uv_free_interface_addresses(list, count) }
        return UnsafeBufferPointer(start: list, count: Int(count)).compactMap { interface in
            switch Int32(interface.address.address4.sin_family) {
            case AF_INET: withUnsafeBytes(of: interface.address.address4.sin_addr) { Array($0) }
            case AF_INET6: withUnsafeBytes(of: interface.address.address6.sin6_addr) { Array($0) }
            default: nil
            }
        }
    }
}
