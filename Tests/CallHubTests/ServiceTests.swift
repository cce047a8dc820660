import Foundation
import HubTestSupport
import Testing

/// Tests of the program's notifications to systemd, and of the unit file.
@Suite(.serialized) struct ServiceTests {
    private static func hub(_ folder: TemporaryFolder, _ environment: [String: String]) throws -> Program {
        try Program(["serve", "--listen", "127.0.0.1:0"], in: folder, environment: environment)
    }

    @Test func `systemd is notified when the hub listens, runs and stops`() async throws {
        let folder = try TemporaryFolder()
        let told = try Notifications(in: folder.url)
        let program = try Self.hub(folder, ["NOTIFY_SOCKET": told.path, "WATCHDOG_USEC": "400000"])
        try await blocking {
            let ready = try #require(told.next("READY=1"))
            #expect(ready.contains("STATUS=Listening on 127.0.0.1:"))
            #expect(told.next("WATCHDOG=1") != nil)
            #expect(told.next("WATCHDOG=1") != nil)
        }
        try await program.line(with: "listens on")
        program.send(signal: SIGTERM)
        try await blocking {
            let stopping = try #require(told.next("STOPPING=1"))
            #expect(stopping.contains("EXTEND_TIMEOUT_USEC=40000000"))
            #expect(stopping.contains("STATUS=Draining"))
        }
        #expect(await program.exitCode() == 0)
        #expect(told.all.first?.hasPrefix("READY=1") == true, "nothing before the hub listens")
    }

    @Test func `a systemd that does not read notifications delays nothing`() async throws {
        let folder = try TemporaryFolder()
        let told = try Notifications(in: folder.url)
        let program = try Self.hub(folder, ["NOTIFY_SOCKET": told.path, "WATCHDOG_USEC": "2000"])
        let line = try await program.line(with: "listens on")
        let port = try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) })
        // Long enough for watchdog notifications to fill the socket's queue: the hub must continue, and end.
        for _ in 0..<100 {
            #expect(try HTTPReply.fetch("GET", "/healthz", port: port).status == 200)
        }
        program.send(signal: SIGTERM)
        #expect(await program.exitCode() == 0)
        withExtendedLifetime(told) {}
    }

    @Test func `without a watchdog no keep-alive is sent, and without systemd no notification`() async throws {
        let folder = try TemporaryFolder()
        let told = try Notifications(in: folder.url)
        let program = try Self.hub(folder, ["NOTIFY_SOCKET": told.path])
        try await blocking {
            _ = try #require(told.next("READY=1"))
            #expect(told.next("WATCHDOG=1", seconds: 1) == nil)
        }
        program.send(signal: SIGTERM)
        #expect(await program.exitCode() == 0)
        let alone = try Self.hub(folder, [:])
        try await alone.line(with: "listens on")
        alone.send(signal: SIGTERM)
        #expect(await alone.exitCode() == 0)
    }

    @Test func `the unit file has the settings that systemd needs, including the watchdog`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let unit = try String(contentsOf: root.appending(path: "config/callhub.service"), encoding: .utf8)
        for line in ["Type=notify", "Restart=on-failure", "LimitNOFILE=65536", "DynamicUser=yes", "WatchdogSec=20"] {
            #expect(unit.split(separator: "\n").contains(Substring(line)), "\(line)")
        }
    }
}
