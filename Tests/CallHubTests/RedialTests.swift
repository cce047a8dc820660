import Foundation
import HubAccountData
import HubClient
import HubServer
import HubTestSupport
import Testing

/// The phone as a program, and the last calls.
struct RedialTests {
    @Test func `the phone lists the last calls, and redials one like any other call (CK-71, CK-72)`()
        async throws
    {
        let folder = try TemporaryFolder()
        var settings = HubSettings()
        settings.transport.port = 0
        settings.log.level = .warning
        let hub = try HubServer.start(settings)
        defer { hub.stop() }

        let phone = try await TestPhone.connect(port: hub.port, "alice")
        let call = try await phone.client.start(.generic("echo"))
        try await phone.call("is connected") { $0.state == .connected }
        try await phone.client.end(call)
        try await phone.next("a change of Recents") { event in
            if case .notification(.changed(.recents)) = event { true } else { nil }
        }

        let address = "ws://127.0.0.1:\(hub.port)/v1"
        let program = try Program(
            ["phone", "alice", "--hub", address, "--json"],
            in: folder,
            isTypedAt: true
        )
        for line in ["recents", "redial"] { try program.type(line) }
        let list = try await program.line(with: "\"event\":\"recents\"")
        #expect(list.contains("\"handle\":\"echo\""))
        #expect(list.contains("\"outcome\":\"answered\""))
        let again = try await program.line(with: "\"state\":\"connected\"")
        #expect(again.contains("\"handle\":\"echo\""))
        program.interrupt()
        #expect(await program.exitCode() == 0)
        #expect(try await phone.client.recents().map(\.call.handle) == [.generic("echo"), .generic("echo")])
    }
}
