import Foundation
import HubACME
import HubCertificates
import HubTestSupport
import Testing

/// A hub with `--domain`, as a process, that gets its certificate from an ACME server.
@Suite(.serialized)
struct `A hub with a domain` {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The ports of a hub, free a moment ago.
    private struct Ports {
        let tls: Int
        let http: Int

        init() throws {
            tls = try FreePort.find()
            http = try FreePort.find()
        }
    }

    private func pebble(
        _ ports: Ports,
        closed: Int? = nil,
        validity: Int = 86_400,
        environment: [String: String] = [:]
    ) async throws -> Pebble {
        try await Pebble(
            in: folder,
            challenges: nil,
            hub: (ports.http == closed ? FreePort.find() : ports.http, ports.tls),
            validity: validity,
            environment: environment
        )
    }

    /// Starts a hub.
    private func hub(_ ports: Ports, _ directory: String, authority: String, redirects: Bool = true) throws -> Program {
        try Program(
            arguments(ports, directory, authority: authority, redirects: redirects),
            in: folder,
            withErrors: true
        )
    }

    /// The arguments of a hub.
    private func arguments(_ ports: Ports, _ directory: String, authority: String, redirects: Bool = true) throws
        -> [String]
    {
        let settings = """
            {tls: {acme: {directory: "\(directory)", certificateAuthority: "\(authority)"}},
            http: {redirectPort: \(redirects ? "\(ports.http)" : "null")}, log: {level: "debug"},
            session: {signInTimeoutSeconds: 120, pingIntervalSeconds: 60, silenceTimeoutSeconds: 180}}
            """
        let file = try folder.write(settings, to: "hub.json5")
        return ["serve", "--config", file, "--listen", "127.0.0.1:\(ports.tls)", "--domain", Pebble.name] + data
    }

    private var data: [String] { ["--data", folder.path + "/data"] }

    /// The certificate that a new connection sees, by the name.
    private func shown(_ ports: Ports) async throws -> Certificate {
        let program = try Program(
            ["s_client", "-connect", "127.0.0.1:\(ports.tls)", "-servername", Pebble.name],
            program: "/usr/bin/openssl",
            in: folder,
            standardError: FileHandle.nullDevice
        )
        _ = await program.exitCode()
        let begin = try #require(program.printed.range(of: "-----BEGIN CERTIFICATE-----"), "\(program.printed)")
        return try #require(Certificate.read(String(program.printed[begin.lowerBound...])))
    }

    private func information(_ ports: Ports) async throws -> String {
        let port = ports.tls
        return try await blocking {
            let socket = try RawSocket(port: port)
            try socket.startTLS()
            try socket.send("GET /v1/info HTTP/1.1\r\nHost: \(Pebble.name):\(port)\r\n\r\n")
            return String(decoding: try HTTPReply(from: socket).body, as: UTF8.self)
        }
    }

    private func show() async throws -> String {
        let program = try Program(["certificate", "show"] + data, in: folder, withErrors: true)
        _ = await program.exitCode()
        return program.printed
    }

    @Test(arguments: ACMEChallengeKind.allCases)
    func `gets its certificate by either challenge, and keeps it over a restart without asking again`(
        kind: ACMEChallengeKind
    ) async throws {
        let ports = try Ports()
        let server = try await pebble(ports)
        do {
            let hub = try hub(ports, server.directory, authority: server.authorityFile, redirects: kind == .http01)
            try await hub.line(with: "The certificate is in use until")
            try await hub.line(with: "certificate reloaded")
            #expect(try await shown(ports).names == [.host(Pebble.name)])
            #expect(try await information(ports).contains(#""certificate":{"kind":"acme"}"#))
            let text = try await show()
            #expect(text.hasPrefix("Certificate of localhost: calls.example.org\n  valid until "), "\(text)")
            #expect(text.contains("\nAuthority: CallHub "))
            #expect(server.printed.contains("Attempting to validate w/ HTTP") == (kind == .http01))
            hub.send(signal: SIGTERM)
            #expect(await hub.exitCode() == 0)
        }
        let first = try Data(contentsOf: folder.url.appending(path: "data/certificates/acme/certificate.pem"))
        await server.exit()
        let again = try hub(ports, server.directory, authority: server.authorityFile, redirects: kind == .http01)
        try await again.line(with: "listens on https://")
        // From its first connection on.
        #expect(try await shown(ports).names == [.host(Pebble.name)])
        #expect(try await information(ports).contains(#""certificate":{"kind":"acme"}"#))
        let renewal = try Program(["certificate", "renew"] + data, in: folder, withErrors: true)
        #expect(await renewal.exitCode() == 0)
        again.send(signal: SIGHUP)
        try await again.line(with: "own certificate renewed, and an issued one is shown")
        #expect(try await shown(ports).names == [.host(Pebble.name)])
        #expect(!again.printed.contains("ACME certificate"), "\(again.printed)")
        #expect(!again.printed.contains("certificate reloaded"), "\(again.printed)")
        let second = try Data(contentsOf: folder.url.appending(path: "data/certificates/acme/certificate.pem"))
        #expect(first == second)
    }

    @Test func `shows its own certificate while the server cannot be reached, and says so`() async throws {
        let ports = try Ports()
        let server = try await pebble(ports)
        await server.exit()
        let hub = try hub(ports, server.directory, authority: server.authorityFile)
        let sentence = try await hub.line(with: "cannot be reached")
        #expect(sentence.contains("check this machine's network"))
        #expect(try await shown(ports).names.contains(.host("localhost")))
        let information = try await information(ports)
        #expect(information.contains(#""certificate":{"kind":"own","fingerprint":"#))
        let text = try await show()
        #expect(text.contains("Certificate of localhost: none yet; ordered by the running hub at 20"), "\(text)")
        #expect(text.contains("  the last attempt failed: The certificate server localhost"), "\(text)")
        #expect(text.contains("cannot be reached"), "\(text)")
    }

    @Test func `says what to do when a port is closed, in its log and by the command`() async throws {
        let ports = try Ports()
        let server = try await pebble(ports, closed: ports.http)
        let hub = try hub(ports, server.directory, authority: server.authorityFile)
        let words = "cannot connect to calls.example.org on port 80 for http-01; open the port in firewall and router"
        let line = try await hub.line(with: words)
        #expect(line.contains("warning ACME certificate"))
        #expect(try await show().contains(words))
        let json = try Program(["certificate", "show", "--json"] + data, in: folder)
        _ = await json.exitCode()
        let object = try JSONSerialization.jsonObject(with: Data(json.printed.utf8)) as? [String: [String: Any]]
        #expect((object?["acme"]?["failure"] as? String)?.contains(words) == true)
        #expect((object?["acme"]?["nextAttempt"] as? String)?.hasSuffix("Z") == true)
        #expect(object?["acme"]?["fingerprint"] == nil)
    }

    /// Indicates that this machine allows mount namespaces, for a disk of the test's own.
    private static let hasNamespaces: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/unshare")
        process.arguments = ["-rmp", "--fork", "--mount-proc", "mount", "-t", "tmpfs", "none", "/mnt"]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    @Test(.enabled(if: hasNamespaces, "this machine allows no mount namespaces"))
    func `shows a certificate that does not fit on the disk, and stores it when there is room, without a new order`()
        async throws
    {
        let ports = try Ports()
        // A chain that is longer than the order's own file: two pages of the disk, which has three.
        let server = try await pebble(ports, environment: ["PEBBLE_CHAIN_LENGTH": "6"])
        let script = """
            mkdir -p data/certificates/acme && chmod 700 data data/certificates
            mount -t tmpfs -o size=12k,mode=700 none data/certificates/acme
            "$@" & hub=$!
            read -r line
            mount -o remount,size=1m data/certificates/acme
            kill $hub; wait $hub
            echo the first has ended
            "$@" & hub=$!
            read -r line
            ls -l data/certificates/acme
            kill $hub; wait $hub
            echo the second has ended
            """
        let machine = try Program(
            ["-rmp", "--fork", "--kill-child", "--mount-proc", "bash", "-c", script, "bash", Program.path]
                + arguments(ports, server.directory, authority: server.authorityFile),
            program: "/usr/bin/unshare",
            in: folder,
            isTypedAt: true,
            withErrors: true
        )
        let sentence = try await machine.line(with: "The disk of ")
        #expect(sentence.contains("ACME certificate") && sentence.contains(" is full"), "\(sentence)")
        #expect(try await shown(ports).names == [.host(Pebble.name)], "\(machine.printed)")
        try machine.type("room")
        try await machine.line(with: "the first has ended")
        try await machine.line(with: "The certificate is in use until")
        #expect(try await shown(ports).names == [.host(Pebble.name)])
        try machine.type("end")
        try await machine.line(with: "the second has ended")
        #expect(machine.printed.contains(" certificate.pem\n"), "\(machine.printed)")
        #expect(server.printed.components(separatedBy: "Issued certificate serial").count == 2, "\(server.printed)")
    }

    @Test func `renews it in time, and none of twenty open connections notices`() async throws {
        let ports = try Ports()
        let server = try await pebble(ports, validity: 40)
        let hub = try hub(ports, server.directory, authority: server.authorityFile)
        try await hub.line(with: "certificate reloaded")
        let first = try await shown(ports)
        let port = ports.tls
        let connections = try await blocking {
            Connections(
                try (0..<20).map { _ in
                    let socket = try RawSocket(port: port)
                    try socket.startTLS()
                    let webSocket = RawWebSocket(socket)
                    try webSocket.requestUpgrade(host: "127.0.0.1:\(port)")
                    guard try HTTPReply(from: socket).status == 101 else { throw RawSocketError.unexpectedReply("") }
                    return webSocket
                }
            )
        }
        let end = first.ends.formatted(.iso8601)
        try await hub.line("of the renewal") { $0.contains("certificate reloaded") && !$0.contains(end) }
        let second = try await shown(ports)
        #expect(second.fingerprint != first.fingerprint && second.names == [.host(Pebble.name)])
        try await blocking {
            for (number, connection) in connections.all.enumerated() {
                try connection.send(opcode: 9, [UInt8(number)])
                #expect(try connection.readFrame() == RawWebSocket.Frame(opcode: 10, payload: [UInt8(number)]))
            }
        }
        #expect(!hub.printed.contains("connection closed"), "\(hub.printed)")
    }

    /// Connections that one thread at a time uses.
    private final class Connections: @unchecked Sendable {
        let all: [RawWebSocket]

        init(_ all: [RawWebSocket]) { self.all = all }
    }
}
