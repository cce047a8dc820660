import Foundation
import HubTestSupport
import Testing

/// Tests of `callhub health`.
struct HealthCommandTests {
    @Test func `a hub that runs answers, over http and over https with its own certificate`() async throws {
        for (scheme, settings) in [("http", "{}"), ("https", "{tls: {own: true}}")] {
            let folder = try TemporaryFolder()
            try Data(settings.utf8).write(to: folder.url.appending(path: "hub.json5"))
            let hub = try Program(["serve", "--config", "hub.json5", "--listen", "127.0.0.1:0"], in: folder)
            let line = try await hub.line(with: "listens on")
            let port = try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)/)).1
            let url = "\(scheme)://127.0.0.1:\(port)"
            let run = try await CommandRun("health", url, in: folder)
            #expect(run.code == 0)
            #expect(run.output == "\(url)/healthz answers.\n")
            let wrong = try await CommandRun("health", url + "/nowhere", in: folder)
            #expect(wrong.code == 2)
            #expect(wrong.errors.hasSuffix("/nowhere/healthz answers with HTTP status 404, not 200.\n"))
            hub.send(signal: SIGTERM)
            #expect(await hub.exitCode() == 0)
            let after = try await CommandRun("health", url, in: folder)
            #expect(after.code == 2)
            #expect(after.errors.hasPrefix("callhub health: \(url)/healthz does not answer: "))
        }
    }

    @Test(arguments: ["", "localhost", "ftp://h", "http://", "file:///etc/passwd", "http://h/?q", "http://h/#f"])
    func `what is no URL of a page is refused`(_ text: String) async throws {
        let run = try await CommandRun("health", text, in: TemporaryFolder())
        #expect(run.code == 1)
        #expect(run.errors.contains("is no URL of a hub's page; it must be like http://localhost:8080."))
    }
}
