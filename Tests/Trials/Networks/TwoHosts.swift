import BenchmarkClient
import BenchmarkSupport
import FoundationEssentials
import Glibc

/// Two hosts on this machine: network namespaces connected by one link, and with nothing else.
final class TwoHosts {
    /// The hub's and the caller's host.
    static let near = "callhub-near"
    /// The callee's host.
    static let far = "callhub-far"
    /// The hub's address.
    static let hubAddress = "10.93.7.1"

    private static let farAddress = "10.93.7.2"

    /// The path of `ip`, which makes namespaces and runs commands in them.
    let ip: String
    /// The link between the two.
    let link: EmulatedLink

    /// Creates both, after deleting the remains of an interrupted run.
    init() throws(BenchmarkError) {
        let places = ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip"]
        guard let ip = places.first(where: { access($0, X_OK) == 0 }) else {
            throw BenchmarkError("there is no program `ip`; install it, on Debian by apt-get install iproute2")
        }
        guard geteuid() == 0 else {
            throw BenchmarkError("network namespaces need root; run it as root, or by sudo")
        }
        self.ip = ip
        for name in [Self.near, Self.far] { _ = try? Self.run(ip, ["netns", "del", name]) }
        let (nearEnd, farEnd) = (try TunDevice("chnear"), try TunDevice("chfar"))
        let ends = [(Self.near, nearEnd, Self.hubAddress), (Self.far, farEnd, Self.farAddress)]
        for (host, device, address) in ends {
            try Self.run(ip, ["netns", "add", host])
            try Self.run(ip, ["link", "set", device.name, "netns", host])
            try Self.run(ip, ["-n", host, "address", "add", "\(address)/30", "dev", device.name])
            for name in ["lo", device.name] { try Self.run(ip, ["-n", host, "link", "set", name, "up"]) }
        }
        link = EmulatedLink(nearEnd.descriptor, farEnd.descriptor)
    }

    deinit {
        link.end()
        for name in [Self.near, Self.far] { _ = try? Self.run(ip, ["netns", "del", name]) }
    }

    /// Returns the command prefix that runs a program on a host.
    func on(_ host: String) -> [String] { [ip, "netns", "exec", host] }

    private static func run(_ ip: String, _ arguments: [String]) throws(BenchmarkError) {
        let command = try ChildProcess(path: ip, arguments: arguments)
        while !command.hasEnded { usleep(2_000) }
        guard command.printed.isEmpty else {
            throw BenchmarkError("ip \(arguments.joined(separator: " ")): \(command.printed)")
        }
    }
}
