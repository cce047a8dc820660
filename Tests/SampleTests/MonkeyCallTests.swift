import CallSystem
import Foundation
import Testing

@testable import MonkeyCall

/// The sample MonkeyCall at the simulated hub.
@MainActor
struct MonkeyCallTests {
    private let fixture: SampleFixture<MonkeyCallApp>

    init() async throws {
        fixture = try await SampleFixture { terminal, _ in MonkeyCallApp(terminal) }
        #expect(fixture.takePrinted() == ["ready"])
    }

    /// Has the app in a call with Bob.
    private func talkToBob() async throws {
        await fixture.type("call bob")
        try await fixture.bob.answer()
        _ = fixture.takePrinted()
    }

    @Test func `MonkeyCall configures audio before it fulfils a start, and starts it when the system says so`()
        async throws
    {
        await fixture.type("call bob")
        #expect(fixture.takePrinted() == ["bob: calling", "audio: configured", "audio: started"])
        #expect(fixture.bob.calls.map(\.state) == [.ringing])
        try await fixture.bob.answer()
        #expect(fixture.takePrinted() == ["bob: connected"])
        await fixture.type("end bob")
        #expect(fixture.takePrinted() == ["bob: ended", "audio: stopped"] && fixture.bob.calls.isEmpty)
    }

    @Test func `MonkeyCall opens its links, and says what is wrong with others`() async throws {
        await fixture.type("open monkeycall:bob")
        #expect(fixture.bob.calls.map(\.state) == [.ringing])
        await fixture.type("end bob")
        await fixture.type("open monkeycall://carol")
        #expect(fixture.carol.calls.map(\.state) == [.ringing])
        _ = fixture.takePrinted()
        await fixture.type("open mailto:bob")
        #expect(fixture.takePrinted() == ["error: mailto:bob is no link of this app; one is monkeycall:bob."])
    }

    @Test func `MonkeyCall calls whom its user has tapped in Recents`() async throws {
        await fixture.type("redial bob")
        #expect(fixture.bob.calls.map(\.state) == [.ringing])
    }

    @Test func `MonkeyCall reports a call that its VoIP service makes up, and its end`() async throws {
        await fixture.type("incoming monkey")
        #expect(fixture.takePrinted() == ["monkey: ringing"])
        await fixture.type("tap accept")
        #expect(fixture.takePrinted() == ["audio: configured", "monkey: connected", "audio: started"])
        await fixture.type("hangup monkey")
        #expect(fixture.takePrinted() == ["monkey: ended", "audio: stopped"])
        #expect(fixture.device.user.calls.isEmpty && fixture.app.manager.calls.isEmpty)
    }

    @Test func `MonkeyCall reports a call of the hub that a push announces`() async throws {
        try await fixture.bob.start("alice")
        try await fixture.states(.ringing)
        await fixture.type("tap accept")
        #expect(fixture.bob.calls.map(\.state) == [.connected] && fixture.app.audio.isRunning)
        try await fixture.bob.end()
        #expect(fixture.takePrinted().last == "audio: stopped" && fixture.app.manager.calls.isEmpty)
    }

    @Test func `in MonkeyCall End and Accept leaves one call`() async throws {
        try await talkToBob()
        try await fixture.carol.start("alice")
        try await fixture.states(.connected, .ringing)
        await fixture.type("screen")
        #expect(fixture.takePrinted().last == "screen: carol, ringing [holdAndAccept, endAndAccept, decline]")
        await fixture.type("tap endAndAccept")
        #expect(fixture.bob.calls.isEmpty && fixture.carol.calls.map(\.state) == [.connected])
        #expect(
            fixture.takePrinted() == [
                "bob: ended", "audio: stopped", "audio: configured", "carol: connected", "audio: started",
            ]
        )
    }

    @Test func `in MonkeyCall Hold and Accept leaves two calls, which the user swaps`() async throws {
        try await talkToBob()
        try await fixture.carol.start("alice")
        try await fixture.states(.connected, .ringing)
        await fixture.type("tap holdAndAccept")
        _ = fixture.takePrinted()
        await fixture.type("list")
        #expect(fixture.takePrinted() == ["bob: held", "carol: connected"])
        await fixture.type("tap swap")
        #expect(
            fixture.takePrinted() == ["carol: held", "audio: stopped", "bob: connected", "audio: started"]
        )
    }

    @Test func `MonkeyCall holds and resumes a call, and finds only calls that are there`() async throws {
        try await talkToBob()
        await fixture.type("hold bob")
        #expect(fixture.takePrinted() == ["bob: held", "audio: stopped"])
        #expect(fixture.bob.calls.map(\.isHeldByOther) == [true])
        await fixture.type("resume bob")
        #expect(fixture.takePrinted() == ["bob: connected", "audio: started"])
        await fixture.type("hold dave")
        #expect(fixture.takePrinted() == ["error: There is no call with dave."])
    }

    @Test func `MonkeyCall ends its calls and audio when the system is reset`() async throws {
        try await talkToBob()
        await fixture.hub.restart()
        #expect(fixture.app.manager.calls.isEmpty && !fixture.app.audio.isRunning)
    }

    @Test func `a terminal lists its commands, and says what is wrong with a line`() async throws {
        await fixture.type("help")
        #expect(fixture.takePrinted().contains { $0.hasPrefix("hold HANDLE") && $0.hasSuffix("holds a call") })
        for line in ["", "hold", "dance", "wait long", "end nobody"] { await fixture.type(line) }
        #expect(
            fixture.takePrinted() == [
                "error: Type: hold HANDLE", "error: There is no command dance; type help.",
                "error: long is no time; type seconds from 0 to 3600.", "error: There is no call with nobody.",
            ]
        )
        // A refusal has its reason, and CallKit's domain and code.
        for handle in ["echo", "tone", "music"] { await fixture.type("call \(handle)") }
        #expect(
            fixture.takePrinted().last?.hasSuffix("(com.apple.CallKit.error.requesttransaction 7)") == true
        )
    }
}
