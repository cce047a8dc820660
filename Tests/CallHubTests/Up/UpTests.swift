import Foundation
import HubCertificates
import HubTestSupport
import Testing

/// `callhub up` as a process, on ports that the system chooses.
struct UpTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var data: String { folder.path + "/data" }

    /// A running hub with its ports.
    private struct Running {
        let program: Program
        let port: Int
        let redirectPort: Int
    }

    /// The answer for a path over https.
    private static func page(_ path: String, _ port: Int) throws -> HTTPReply {
        let socket = try RawSocket(port: port)
        try socket.startTLS()
        try socket.send("GET \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
        return try HTTPReply(from: socket)
    }

    private static func information(_ port: Int) throws -> String {
        String(decoding: try page("/v1/info", port).body, as: UTF8.self)
    }

    private func up(_ options: String...) async throws -> Running {
        let program = try Program(
            ["up", "--port", "0", "--redirect-port", "0", "--data", data] + options,
            in: folder,
            withErrors: true
        )
        let trust = try await program.line(with: "Each device trusts it once")
        try await program.line(with: "Its data is in ")
        let addresses = program.printed
        let port = try #require(addresses.firstMatch(of: /\n  https:\/\/\S+:(\d+)/).flatMap { Int($0.1) })
        return Running(
            program: program,
            port: port,
            redirectPort: try #require(trust.firstMatch(of: /http:\S+:(\d+)\/trust/).flatMap { Int($0.1) })
        )
    }

    @Test func `from nothing there is https, a redirect and the page of trust; started again it is the same hub`()
        async throws
    {
        let first = try await up()
        let authority = try #require(try OwnCertificates.read(in: data)?.authority)
        #expect(first.program.printed.contains("SHA-256 \(authority.fingerprint)\n"))
        let (port, redirectPort) = (first.port, first.redirectPort)
        try await blocking {
            #expect(try Self.page("/healthz", port).status == 200)
            let information = try Self.information(port)
            #expect(information.contains(#""authMode":"accounts","passkeys":true,"setup":true"#), "\(information)")
            #expect(information.contains(#""certificate":{"kind":"own""#))
            let redirect = try HTTPReply.fetch("/x", port: redirectPort)
            #expect(redirect.status == 308)
            #expect(redirect.headers["location"]?.hasSuffix(":\(port)/x") == true)
            #expect(try HTTPReply.fetch("/trust", port: redirectPort).status == 200)
            #expect(try HTTPReply.fetch("/callhub-ca.crt", port: redirectPort).body == authority.der)
        }
        first.program.send(signal: SIGTERM)
        #expect(await first.program.exitCode() == 0)
        let second = try await up()
        #expect(second.program.printed.contains("SHA-256 \(authority.fingerprint)\n"))
        #expect(!second.program.printed.contains("warning"), "\(second.program.printed)")
    }

    @Test func `the hub needs no setup once there is an account, which signs in by the phone of the terminal`()
        async throws
    {
        let hub = try await up("--log-level", "info")
        let added = try await CommandRun(
            ["account", "add", "ann", "--admin", "--password-stdin", "--data", data],
            in: folder,
            input: "a long password of ann"
        )
        #expect(added.code == 0, "\(added.errors)")
        // A running hub looks for changes once a second.
        try await blocking { [port = hub.port] in
            let deadline = Deadline(seconds: 20)
            while try Self.information(port).contains("setup"), !deadline.isOver { sched_yield() }
            #expect(try !Self.information(port).contains("setup"))
        }
        let phone = try await CommandRun(
            [
                "phone", "ann", "--hub", "wss://localhost:\(hub.port)", "--ca", data + "/certificates/authority.crt",
                "--password-stdin", "--json", "--call", "echo", "--for", "1",
            ],
            in: folder,
            input: "a long password of ann"
        )
        #expect(phone.code == 0 && phone.output.contains("\"state\":\"connected\""), "\(phone.output)")
    }

    @Test func `two hubs in one data directory, and a database of a newer version, are one sentence each`() async throws
    {
        let hub = try await up()
        let other = try await CommandRun("up", "--port", "0", "--redirect-port", "0", "--data", data, in: folder)
        #expect(other.code == 2)
        #expect(other.errors.hasPrefix("callhub up: another hub (pid "), "\(other.errors)")
        #expect(other.errors.hasSuffix("is using \(data)/callhub.db; stop it, or name another file.\n"))
        hub.program.send(signal: SIGTERM)
        #expect(await hub.program.exitCode() == 0)
        let database = try FileHandle(forUpdating: URL(filePath: data + "/callhub.db"))
        // SQLite's user version (file format, section 1.3.14).
        try database.seek(toOffset: 60)
        try database.write(contentsOf: Data([0, 0, 0, 99]))
        try database.close()
        let newer = try await CommandRun("up", "--port", "0", "--redirect-port", "0", "--data", data, in: folder)
        #expect(newer.code == 2)
        #expect(newer.errors.contains("/callhub.db is of version 99, from a newer CallHub"), "\(newer.errors)")
        #expect(newer.errors.split(separator: "\n").count == 1)
    }

    @Test func `a port that is taken is one sentence with what to do`() async throws {
        let hub = try await up()
        let port = "\(hub.port)"
        let other = try await CommandRun(
            ["up", "--port", port, "--redirect-port", "0", "--data", folder.path + "/other"],
            in: folder
        )
        #expect(other.code == 2)
        #expect(other.errors.hasPrefix("callhub up: port \(port) is taken by another program; stop it (`sudo ss -ltnp"))
        #expect(other.errors.contains("by --behind-proxy") && other.errors.split(separator: "\n").count == 1)
        let redirect = try await CommandRun(
            ["up", "--port", "0", "--redirect-port", port, "--data", folder.path + "/other"],
            in: folder
        )
        #expect(redirect.code == 2 && redirect.errors.hasSuffix("or choose another port, as --redirect-port 8081.\n"))
    }

    @Test func `behind a proxy it is http for this machine, with the proxy's name`() async throws {
        let program = try Program(
            ["up", "--behind-proxy", "--port", "0", "--domain", "calls.example.org", "--data", data],
            in: folder,
            withErrors: true
        )
        let line = try await program.line(with: "The proxy leads to http://127.0.0.1:")
        try await program.line(with: "  https://calls.example.org")
        let port = try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) })
        let information = try await blocking { try HTTPReply.fetch("/v1/info", port: port).body }
        #expect(String(decoding: information, as: UTF8.self).contains(#""secureURL":"https://calls.example.org/""#))
        #expect(!FileManager.default.fileExists(atPath: data + "/certificates"))
    }

    @Test func `a data directory that cannot be used is one sentence`() async throws {
        let run = try await CommandRun(
            "up",
            "--port",
            "0",
            "--redirect-port",
            "0",
            "--data",
            "/proc/callhub",
            in: folder
        )
        #expect(run.code == 2)
        #expect(run.errors.hasPrefix("callhub up: the data directory /proc/callhub cannot be created; name one"))
        let install = try await CommandRun("up", "--install", "--data", "/srv", in: folder)
        #expect(install.code == 1)
        #expect(install.errors.contains("the service keeps its data in /var/lib/callhub; leave --data out, or have"))
    }
}
