import Glibc
import HubACME
package import HubCertificates

/// The hosts under which others reach a hub on all addresses of this machine.
package enum MachineHosts {
    /// A host under which others reach the hub, and a condition for it.
    package struct Host: Equatable {
        package let name: SubjectName
        package var condition: String?

        /// Indicates an IP address.
        var isAddress: Bool { if case .address = name { true } else { false } }

        init(name: SubjectName, condition: String? = nil) { (self.name, self.condition) = (name, condition) }
    }

    /// Returns the hosts in the order in which people should try them.
    ///
    /// - Parameters:
    ///   - domains: The public names.
    ///   - addresses: The addresses of the machine; the one of its default route comes first.
    ///   - names: The names of the machine.
    ///   - answersMulticast: True if the machine answers for its `.local` name.
    /// - Returns: The hosts, each once.
    package static func all(
        domains: [String],
        addresses: [SubjectName],
        names: [SubjectName],
        answersMulticast: Bool
    ) -> [Host] {
        let publicHosts = domains.compactMap { SubjectName($0) }.map { Host(name: $0) }
        let others = addresses + names.filter { !publicHosts.map(\.name).contains($0) }
        return publicHosts
            + others.map { name in
                if !publicHosts.isEmpty { return .init(name: name, condition: "with a warning of the browser") }
                return .init(name: name, condition: condition(of: name, answersMulticast))
            }
    }

    private static func condition(of name: SubjectName, _ answersMulticast: Bool) -> String? {
        guard case .host(let host) = name else { return nil }
        guard host.hasSuffix(".local") else { return "if the network's DNS knows the name" }
        return answersMulticast ? nil : "if something here answers mDNS, as avahi-daemon does"
    }

    /// The hosts of this machine.
    package static func ofMachine(domains: [String]) -> [Host] {
        let domains = ACMESettings(domains: domains).hostNames
        let found = (try? LocalAddresses.addresses()) ?? []
        let routed = [AF_INET, AF_INET6].compactMap { defaultAddress($0) }.filter { found.contains($0) }
        let addresses = routed + found.filter { !routed.contains($0) }
        return all(
            domains: domains,
            // IPv4 first: people read it out, and type it.
            addresses: addresses.filter(\.isV4) + addresses.filter { !$0.isV4 },
            names: LocalAddresses.names.filter { if case .host(let name) = $0 { name != "localhost" } else { false } },
            answersMulticast: access("/run/avahi-daemon/socket", F_OK) == 0
        )
    }

    /// Indicates that other machines reach a host: any but the names of a machine without a network.
    package static func isReached(_ hosts: [Host], domains: [String]) -> Bool {
        !domains.isEmpty || hosts.contains(where: \.isAddress)
    }

    /// The machine's address on the way to the Internet, by a socket that sends nothing; nil: there is no such way.
    private static func defaultAddress(_ family: Int32) -> SubjectName? {
        let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var storage = sockaddr_storage()
        storage.ss_family = sa_family_t(family)
        // Addresses for documentation (RFC 5737, RFC 3849), which nobody has.
        let target: [UInt8] =
            family == AF_INET ? [192, 0, 2, 1] : [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]
        let (offset, size) = family == AF_INET ? (4, sockaddr_in.size) : (8, sockaddr_in6.size)
        var length = socklen_t(size)
        let address: [UInt8]? = withUnsafeMutableBytes(of: &storage) { bytes in
            bytes[3] = 9
            for (index, byte) in target.enumerated() { bytes[offset + index] = byte }
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                connect(descriptor, base, length) == 0, getsockname(descriptor, base, &length) == 0
            else { return nil }
            return Array(bytes[offset..<offset + target.count])
        }
        return address.map { .address($0) }
    }
}

extension SubjectName {
    /// Indicates an IPv4 address.
    fileprivate var isV4: Bool { if case .address(let bytes) = self { bytes.count == 4 } else { false } }
}

extension sockaddr_in {
    fileprivate static var size: Int { MemoryLayout<Self>.size }
}

extension sockaddr_in6 {
    fileprivate static var size: Int { MemoryLayout<Self>.size }
}
