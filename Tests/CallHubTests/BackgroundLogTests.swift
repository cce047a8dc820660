import Foundation
import HubTestSupport
import Testing

/// Tests of a log that is read slowly, or not at all.
struct BackgroundLogTests {
    @Test func `a log whose output is blocked delays no client`() async throws {
        let folder = try TemporaryFolder()
        // A pipe holds 64 KB, and this one is not read.
        let unread = Pipe()
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--log-level", "debug"]
        let hub = try Program(arguments, in: folder, standardError: unread)
        let line = try await hub.line(with: "listens on")
        let port = try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) })
        try await blocking {
            for number in 0..<250 {
                let phone = try RawPhone(port: port, account: String(repeating: "x", count: 100) + "\(number)")
                #expect(try phone.ask("session.ping").result != nil)
            }
        }
        hub.send(signal: SIGTERM)
        #expect(await hub.exitCode() == 0)
        withExtendedLifetime(unread) {}
    }

    @Test func `a log whose output is read contains its last line`() async throws {
        let folder = try TemporaryFolder()
        let hub = try Program(["serve", "--listen", "127.0.0.1:0"], in: folder, withErrors: true)
        try await hub.line(with: "listens on")
        hub.send(signal: SIGTERM)
        #expect(await hub.exitCode() == 0)
        #expect(hub.printed.split(separator: "\n").last?.hasSuffix("info stopped") == true)
    }
}
