import BenchmarkClient
import BenchmarkSupport
import Glibc

/// Debian's mumble-server, with a folder of its own that is deleted with it.
final class MumbleServer {
    /// The user who may make channels.
    static let superUser = "SuperUser"
    /// The password of `superUser`.
    static let password = "callhub-bench"

    /// The process.
    let process: ChildProcess
    /// The address that it listens on.
    let address: ListeningAddress
    private let folder: TemporaryFolder

    /// Starts it for that many users, without limits that would hold the traffic back.
    init(path: String, users: Int, certificate: Certificate) throws(BenchmarkError) {
        folder = try TemporaryFolder()
        address = ListeningAddress(host: "127.0.0.1", port: try Self.freePort())
        let text = Self.settings(folder.path, users, address.port, certificate)
        let settings = try folder.write(text, to: "mumble-server.ini")
        let arguments = ["-fg", "-ini", settings]
        let setter = try ChildProcess(path: path, arguments: arguments + ["-supw", Self.password])
        guard setter.succeeds() else {
            throw BenchmarkError("mumble-server takes no password for SuperUser\(setter.lastOutput)")
        }
        process = try ChildProcess(path: path, arguments: arguments)
    }

    deinit {
        process.end(SIGKILL)
    }

    /// Waits until it accepts connections, since it does not print its address.
    func waitUntilListening(_ tls: TLSClient) throws(BenchmarkError) {
        for _ in 0..<500 {
            if (try? ByteStream(to: address, tls: tls)) != nil { return }
            usleep(20_000)
        }
        throw BenchmarkError("mumble-server does not listen\(process.lastOutput)")
    }

    /// Returns its settings: no limit on bandwidth, requests or attempts, no ban, no announcement.
    private static func settings(_ folder: String, _ users: Int, _ port: UInt16, _ certificate: Certificate) -> String {
        """
        database=\(folder)/mumble-server.sqlite
        logfile=
        uname=
        host=127.0.0.1
        port=\(port)
        serverpassword=
        welcometext=
        users=\(users + 10)
        bandwidth=10000000
        timeout=3600
        messageburst=1000000
        messagelimit=1000000
        channelcountlimit=0
        opusthreshold=0
        allowping=false
        bonjour=false
        autobanAttempts=0
        obfuscate=false
        sslCert=\(certificate.certificatePath)
        sslKey=\(certificate.keyPath)

        """
    }

    /// Returns a port that was free a moment ago.
    private static func freePort() throws(BenchmarkError) -> UInt16 {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
            }
        }
        guard result == 0 else { throw .system("a free port") }
        return UInt16(bigEndian: name.sin_port)
    }
}
