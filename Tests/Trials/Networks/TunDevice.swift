import BenchmarkSupport
import Glibc

/// A network interface whose packets this process reads and writes (TUN): one end of an emulated link.
struct TunDevice {
    private static let setInterface: UInt = 0x4004_54CA
    /// IFF_TUN and IFF_NO_PI: bare IP packets.
    private static let flags: UInt16 = 0x0001 | 0x1000

    /// The non-blocking file descriptor that packets are read from and written to.
    let descriptor: CInt
    /// The interface's name.
    let name: String

    /// Creates an interface of that name, 15 characters at most, in the namespace of this process.
    init(_ name: String) throws(BenchmarkError) {
        self.name = name
        descriptor = Glibc.open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("/dev/net/tun, which needs root") }
        // struct ifreq: 16 bytes of name, then the flags.
        var request = [UInt8](repeating: 0, count: 40)
        for (place, byte) in name.utf8.prefix(15).enumerated() { request[place] = byte }
        (request[16], request[17]) = (UInt8(Self.flags & 0xFF), UInt8(Self.flags >> 8))
        guard ioctl(descriptor, Self.setInterface, &request) == 0 else {
            let error = BenchmarkError.system("the interface \(name), which needs root")
            close(descriptor)
            throw error
        }
    }
}
