import Foundation
import HubTestSupport
import Testing

/// The test server of Let's Encrypt, with a DNS server that leads each name to 127.0.0.1.
final class Pebble {
    /// The name that certificates are ordered for.
    static let name = "calls.example.org"

    private let program: Program
    private let names: Program
    let port: Int
    let authorityFile: String

    var directory: String { "https://localhost:\(port)/dir" }

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - folder: The folder for its configuration.
    ///   - challenges: The server that answers validations; nil: nobody listens, or a hub.
    ///   - hub: The ports of the hub that answers validations.
    ///   - validity: The lifetime of its certificates in seconds.
    ///   - environment: Its options, `PEBBLE_…`.
    ///   - port: The port; nil: a free one.
    /// - Throws: An error if it is not installed or does not start.
    init(
        in folder: TemporaryFolder,
        challenges: ChallengeServer?,
        hub: (http: Int, tls: Int)? = nil,
        validity: Int = 86_400,
        environment: [String: String] = [:],
        port: Int? = nil
    ) async throws {
        for path in ["/usr/bin/pebble", "/usr/bin/pebble-challtestsrv"] {
            try #require(
                FileManager.default.isExecutableFile(atPath: path),
                "There is no \(path), the ACME server of these tests: apt-get install pebble, or make test-packages"
            )
        }
        let (certificate, key) = try await TLSContext.makeFiles(in: folder)
        authorityFile = certificate
        let port = try port ?? FreePort.find()
        self.port = port
        let namePort = try FreePort.find()
        let httpPort = try hub?.http ?? challenges?.http.port ?? FreePort.find()
        let tlsPort = try hub?.tls ?? challenges?.tls.port ?? FreePort.find()
        let configuration = """
            {"pebble": {"listenAddress": "127.0.0.1:\(port)", "managementListenAddress": "",
            "certificate": "\(certificate)", "privateKey": "\(key)", "httpPort": \(httpPort), "tlsPort": \(tlsPort),
            "domainBlocklist": ["blocked.example.org"], "certificateValidityPeriod": \(validity)}}
            """
        let file = try folder.write(configuration, to: "pebble.json")
        names = try Program(
            [
                "-http01", "", "-https01", "", "-tlsalpn01", "", "-management", "", "-defaultIPv6", "",
                "-dns01", "127.0.0.1:\(namePort)",
            ],
            program: "/usr/bin/pebble-challtestsrv",
            in: folder,
            withErrors: true
        )
        let quick = ["PEBBLE_VA_NOSLEEP": "1", "PEBBLE_AUTHZREUSE": "0", "PEBBLE_WFE_NONCEREJECT": "0"]
        program = try Program(
            ["-config", file, "-dnsserver", "127.0.0.1:\(namePort)"],
            program: "/usr/bin/pebble",
            in: folder,
            environment: quick.merging(environment) { $1 },
            withErrors: true
        )
        try await program.line(with: "ACME directory available")
        // It prints that line before it listens, and the other program prints none.
        try await blocking {
            let deadline = Deadline(seconds: 20)
            for port in [port, namePort] {
                while (try? RawSocket(port: port)) == nil, !deadline.isOver { sched_yield() }
            }
        }
    }

    /// The lines that it has printed so far.
    var printed: String { program.printed }

    /// Ends the server, whose data is lost.
    func kill() { program.send(signal: SIGKILL) }

    func exit() async {
        kill()
        _ = await program.exitCode()
    }
}
