import Foundation
import HubAccounts
import HubCertificates
import HubClient
import HubConfiguration
import HubServer
import HubTestSupport
import Testing

/// A hub with `tls.own`: https by itself, under an authority of its own.
struct OwnCertificateTests {
    /// A hub that makes its own certificate, in a data directory that may be used before.
    private final class Fixture: Sendable {
        let folder: TemporaryFolder
        let hub: ConfiguredHub
        let log = LogLines()

        init(in folder: TemporaryFolder, names: [String] = [], _ change: (inout ServeSettings) -> Void = { _ in })
            throws
        {
            self.folder = folder
            var settings = ServeSettings()
            settings.tls.own = true
            settings.tls.names = names
            settings.hub.transport.host = "127.0.0.1"
            settings.hub.transport.port = 0
            settings.hub.transport.redirectPort = 0
            let log = log
            settings.hub.log.write = { log.add($0) }
            try settings.resolve(dataDirectory: folder.path)
            change(&settings)
            hub = try ConfiguredHub.start(settings)
        }

        deinit {
            hub.server.stop()
            hub.waitUntilStopped()
        }

        var authority: String { folder.path + "/certificates/authority.crt" }

        /// The response to `openssl s_client`, which trusts the hub's authority alone.
        func curl(_ path: String, as host: String) throws -> String {
            let port = hub.server.port
            return try OpenSSLTool.output(
                ["s_client", "-quiet", "-verify_quiet", "-verify_return_error", "-CAfile", authority]
                    + ["-connect", "127.0.0.1:\(port)", "-servername", host, "-verify_hostname", host],
                input: "GET \(path) HTTP/1.1\r\nHost: \(host):\(port)\r\n\r\n"
            )
        }

        /// The fingerprint of the certificate that new connections see.
        func shown() throws -> String {
            let session = try OpenSSLTool.output(["s_client", "-connect", "127.0.0.1:\(hub.server.port)"])
            guard let begin = session.range(of: "-----BEGIN CERTIFICATE-----") else { return session }
            return Certificate.read(String(session[begin.lowerBound...]))?.fingerprint ?? ""
        }
    }

    private final class LogLines: @unchecked Sendable {
        private let condition = NSCondition()
        private var lines: [String] = []

        func add(_ line: String) {
            condition.withLock {
                lines.append(line)
                condition.broadcast()
            }
        }

        func lines(with words: String) -> [String] { condition.withLock { lines.filter { $0.contains(words) } } }

        /// Waits until there are so many lines with these words; false: there are not within 20 s.
        func waits(for words: String, count: Int) -> Bool {
            let limit = Date(timeIntervalSinceNow: 20)
            return condition.withLock {
                while lines.count(where: { $0.contains(words) }) < count {
                    guard condition.wait(until: limit) else { return false }
                }
                return true
            }
        }
    }

    @Test func `the hub answers https under its authority, for its own names and the given ones, and no others`()
        async throws
    {
        let folder = try TemporaryFolder()
        try await blocking {
            let hub = try Fixture(in: folder, names: ["calls.example.org", "198.51.100.7"])
            for host in ["localhost", "calls.example.org"] {
                #expect(try hub.curl("/healthz", as: host).hasPrefix("HTTP/1.1 200"), "\(host)")
            }
            #expect(try hub.curl("/healthz", as: "bank.example") == "")
            let authority = try #require(hub.hub.authority)
            #expect(try hub.curl("/v1/info", as: "localhost").contains("\"fingerprint\":\"\(authority.fingerprint)\""))
            #expect(try hub.curl("/callhub-ca.crt", as: "localhost").contains("application/x-x509-ca-cert"))
            let leaf = try #require(try OwnCertificates.read(in: folder.path)?.leaf)
            #expect(leaf.names.map(\.text).contains("198.51.100.7"))
            #expect(hub.log.lines(with: "own certificate").isEmpty)
        }
        // The page under such a name may connect, as its Origin is the hub's.
        try await blocking {
            let hub = try Fixture(in: folder, names: ["calls.example.org"])
            let port = try #require(hub.hub.server.redirectPort)
            let socket = try RawSocket(port: port)
            try socket.send("GET / HTTP/1.1\r\nHost: calls.example.org\r\n\r\n")
            let location = try HTTPReply(from: socket).headers["location"]
            #expect(location == "https://calls.example.org:\(hub.hub.server.port)/")
        }
    }

    @Test func `a phone that trusts the authority signs in, and a restart keeps authority and certificate`()
        async throws
    {
        let folder = try TemporaryFolder()
        func signIn() async throws -> String {
            let hub = try await blocking { try Fixture(in: folder) }
            let url = "wss://localhost:\(hub.hub.server.port)"
            let phone = try Program(
                ["phone", "alice", "--hub", url, "--ca", hub.authority, "--json"],
                in: folder,
                isTypedAt: true
            )
            try await phone.line(with: "\"signedIn\"")
            let stranger = try Program(["phone", "bob", "--hub", url, "--json"], in: folder, withErrors: true)
            #expect(await stranger.exitCode() != 0)
            #expect(stranger.printed.contains("its certificate is not valid"))
            return try await blocking { try hub.shown() }
        }
        let first = try await signIn()
        let second = try await signIn()
        #expect(first == second)
    }

    /// Opens a WebSocket over TLS, without libwebsockets: it verifies no certificate while another context is made.
    private static func connect(_ hub: Fixture) throws -> RawWebSocket {
        let socket = try RawSocket(port: hub.hub.server.port)
        try socket.startTLS()
        let webSocket = RawWebSocket(socket)
        try webSocket.requestUpgrade(host: "127.0.0.1:\(hub.hub.server.port)")
        let reply = try HTTPReply(from: socket)
        guard reply.status == 101 else { throw RawSocketError.unexpectedReply("\(reply.status)") }
        return webSocket
    }

    @Test func `a renewal by the command is taken at a reload, and none of twenty connections notices`() async throws {
        let folder = try TemporaryFolder()
        let hub = try await blocking {
            try Fixture(in: folder) {
                $0.hub.transport.loops = 2
                $0.hub.transport.signInTimeout = .seconds(120)
                // They answer no pings.
                $0.hub.transport.silenceTimeout = .seconds(120)
            }
        }
        let connections = try await blocking { Connections(try (0..<20).map { _ in try Self.connect(hub) }) }
        let before = try await blocking { try hub.shown() }
        let renewal = try await CommandRun("certificate", "renew", "--data", folder.path, in: folder)
        #expect(renewal.code == 0)
        let fingerprint = try #require(renewal.output.firstMatch(of: /SHA-256 ([0-9A-F:]+)\n/)?.1)
        try await blocking {
            let stillShown = try hub.shown()
            #expect(stillShown == before)
            hub.hub.reload()
            #expect(hub.log.waits(for: "certificate reloaded", count: 1))
            for _ in 0..<8 { #expect(try hub.shown() == fingerprint) }
            for (number, connection) in connections.all.enumerated() {
                try connection.send(opcode: 9, [UInt8(number)])
                #expect(try connection.readFrame() == RawWebSocket.Frame(opcode: 10, payload: [UInt8(number)]))
            }
        }
    }

    /// Connections that one thread at a time uses.
    private final class Connections: @unchecked Sendable {
        let all: [RawWebSocket]

        init(_ all: [RawWebSocket]) { self.all = all }
    }

    @Test func `files that are given are used, and no authority is made`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: TransportError.self) {
            try Fixture(in: folder) {
                $0.hub.transport.certificateFile = "/nowhere.pem"
                $0.hub.transport.keyFile = "/nowhere.key"
            }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/certificates"))
    }

    @Test func `a fault of the files prevents the start with its sentence, and another port's hub goes on`() throws {
        let folder = try TemporaryFolder()
        _ = try Fixture(in: folder)
        let key = folder.path + "/certificates/authority.key"
        chmod(key, 0o644)
        let error = #expect(throws: ServeError.self) { try Fixture(in: folder) }
        #expect(
            error?.description.hasPrefix("\(key) may be read by others (mode 644); make it the hub's alone") == true
        )
        chmod(key, 0o600)
        _ = try Fixture(in: folder)
        let missing = #expect(throws: ServeError.self) { try Fixture(in: folder) { $0.dataDirectory = nil } }
        #expect(missing?.description.hasPrefix("tls.own needs a folder for the hub's keys") == true)
    }

    @Test func `a name that the authority was not made for is one warning, whatever is checked later`() async throws {
        let folder = try TemporaryFolder()
        try await blocking {
            _ = try Fixture(in: folder)
            let hub = try Fixture(in: folder, names: ["new.example.org"])
            for number in 1...2 {
                _ = try OwnCertificates.renew(in: folder.path, at: Date())
                hub.hub.reload()
                #expect(hub.log.waits(for: "certificate reloaded", count: number))
            }
            let warnings = hub.log.lines(with: "own certificate")
            #expect(warnings.count == 1)
            #expect(warnings.first?.contains("not valid for new.example.org") == true)
        }
    }
}
