import CallKit
import CallSystem
import Foundation
import Testing

/// Several apps of one user on one machine, as on an iPhone: at most one call is active among them.
struct SeveralAppsTests {
    private let hub: SimulatedHub
    private let bob: CallScreen

    init() async throws {
        hub = try SimulatedHub()
        bob = hub.phone("bob")
        await hub.settle()
    }

    private func app(_ name: String, on machine: String?, _ configure: (CXProviderConfiguration) -> Void = { _ in })
        async -> TestApp
    {
        let configuration = CXProviderConfiguration()
        configure(configuration)
        let app = TestApp(hub, on: hub.device("alice", named: name, on: machine), configuration)
        await hub.settle()
        _ = app.takeLog()
        return app
    }

    @Test func `the call of one app is held while another app has one, and resumed after it (CK-39, CK-43)`()
        async throws
    {
        let monkey = await app("monkey", on: "iphone")
        let hotline = await app("hotline", on: "iphone")
        let call = try await monkey.start("bob")
        try await bob.answer()
        _ = monkey.takeLog()
        let incoming = try await hotline.report("carol")
        let choices = hotline.user.calls.first?.choices ?? []
        #expect(choices.contains(.holdAndAccept) && choices.contains(.endAndAccept))
        try await hotline.user.choose(.holdAndAccept)
        #expect(monkey.state(of: call) == .held && hotline.state(of: incoming) == .connected)
        #expect(bob.calls.map(\.isHeldByOther) == [true])
        #expect(monkey.takeLog() == ["hold", "deactivate"] && hotline.takeLog() == ["answer", "activate"])
        try await hotline.user.end()
        #expect(monkey.state(of: call) == .connected && bob.calls.map(\.isHeldByOther) == [false])
        #expect(monkey.takeLog() == ["resume", "activate"])
    }

    @Test func `the call of an app on another machine goes on`() async throws {
        let monkey = await app("monkey", on: "iphone")
        for hotline in [await app("hotline", on: "ipad"), await app("other", on: nil)] {
            let call = try await monkey.start("bob")
            try await bob.answer()
            let incoming = try await hotline.report("carol")
            try await hotline.user.answer()
            #expect(monkey.state(of: call) == .connected && hotline.state(of: incoming) == .connected)
            try await hotline.user.end()
            try await monkey.user.end()
        }
    }
}
