import Foundation
import HubTestSupport
import Testing

/// Tests of SIGHUP, which makes a service reload its files and ends a program whose terminal is closed.
struct SignalTests {
    @Test func `SIGHUP reloads the configuration without ending the hub, and logs what was read`() async throws {
        let folder = try TemporaryFolder()
        let hub = try Program(["serve", "--listen", "127.0.0.1:0"], in: folder, withErrors: true)
        try await hub.line(with: "listens on http://")
        hub.send(signal: SIGHUP)
        try await hub.line(with: "nothing to reload: tls.certificate is not set")
        hub.send(signal: SIGTERM)
        #expect(await hub.exitCode() == 0)
    }

    @Test func `a hub started in a terminal ends with the terminal`() async throws {
        let folder = try TemporaryFolder()
        let command = "exec '\(Program.path)' serve --listen 127.0.0.1:0"
        let terminal = try Program(
            ["-qec", command, "/dev/null"],
            program: "/usr/bin/script",
            in: folder
        )
        let line = try await terminal.line(with: "listens on http://")
        let port = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) })
        terminal.send(signal: SIGKILL)
        _ = await terminal.exitCode()
        try await blocking {
            let deadline = Deadline(seconds: 30)
            while (try? RawSocket(port: port)) != nil { try #require(!deadline.isOver, "the hub has not ended") }
        }
    }

    @Test func `a certificate without a key is refused`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("{tls: {certificate: '/a.pem'}, listen: {port: 0}}", to: "hub.json5")
        let hub = try Program(["serve", "--config", file], in: folder, withErrors: true)
        #expect(await hub.exitCode() == 1)
        let sentence = "tls.certificate is set and tls.key is not; TLS needs both, without TLS both are null."
        #expect(hub.printed == "callhub serve: \(file): \(sentence)\n")
    }
}
