import CallKit
import Foundation
import Testing

@testable import CallSystem

/// Calls that a program without a user answers by itself.
struct AnswerTests {
    private let hub: SimulatedHub
    private let bob: CallScreen

    init() async throws {
        hub = try SimulatedHub()
        bob = hub.phone("bob")
        await hub.settle()
    }

    private func app(_ answer: CallSystemSettings.Answer) async -> TestApp {
        var settings = CallSystemSettings()
        settings.answer = answer
        let app = TestApp(hub, on: hub.device("alice", settings: settings))
        await hub.settle()
        _ = app.takeLog()
        return app
    }

    @Test func `a call is answered when it has rung for the time, by the app's own delegate`() async throws {
        let app = await app(.after(.seconds(2)))
        try await bob.start("alice")
        await hub.advance(by: .milliseconds(1_900))
        #expect(app.user.calls.map(\.state) == [.ringing])
        await hub.advance(by: .milliseconds(200))
        #expect(app.takeLog() == ["answer", "activate"] && bob.calls.map(\.state) == [.connected])
    }

    @Test func `a second call holds the first one`() async throws {
        let app = await app(.after(.zero))
        try await bob.start("alice")
        await hub.advance(by: .milliseconds(1))
        let carol = hub.phone("carol")
        try await carol.start("alice")
        await hub.advance(by: .milliseconds(1))
        #expect(app.user.calls.map(\.state) == [.held, .connected])
    }

    @Test func `each call is declined at once`() async throws {
        let app = await app(.decline)
        try await bob.start("alice")
        await hub.advance(by: .milliseconds(1))
        #expect(app.takeLog() == ["end"] && bob.calls.isEmpty)
    }

    @Test func `a caller who gives up before is not answered, and nothing is warned of`() async throws {
        let app = await app(.after(.seconds(2)))
        try await bob.start("alice")
        try await bob.end()
        await hub.advance(by: .seconds(3))
        #expect(!app.takeLog().contains("answer") && app.system.warnings.isEmpty)
    }

    private static let texts: [(String, CallSystemSettings.Answer?)] = [
        ("never", .never), ("decline", .decline), ("after:2s", .after(.seconds(2))),
        ("after:500ms", .after(.milliseconds(500))), ("after:0s", .after(.zero)), ("after:1.5s", .after(.seconds(1.5))),
        ("", nil), ("after", nil), ("after:", nil), ("after:2", nil), ("after:s", nil), ("after:-1s", nil),
        ("after:nans", nil), ("after:infs", nil), ("after:1e300s", nil), ("after:86401s", nil), ("always", nil),
    ]

    @Test(arguments: texts)
    func `the environment's words are read, and others are not`(_ text: String, _ answer: CallSystemSettings.Answer?) {
        #expect(CallSystemSettings.Answer(text: text) == answer)
    }
}
