import CallSystem
import Foundation
import Testing

@testable import Hotline

/// The sample Hotline at the simulated hub.
@MainActor
struct HotlineTests {
    private let fixture: SampleFixture<HotlineApp>

    init() async throws {
        fixture = try await SampleFixture { terminal, hub in
            HotlineApp(terminal) { duration in
                // Time that the app waits passes at the hub.
                await hub.advance(by: duration)
            }
        }
    }

    @Test func `a call in Hotline's list is connecting until the other end answers`() async throws {
        await fixture.type("call bob")
        #expect(fixture.takePrinted().last == "calls: bob connecting")
        #expect(fixture.app.manager.calls.map(\.connection) == [.pending])
        try await fixture.bob.answer()
        #expect(fixture.takePrinted().last == "calls: bob active" && fixture.app.provider.isAudioRunning)
        await fixture.type("end 1")
        #expect(fixture.takePrinted().last == "calls: none" && fixture.bob.calls.isEmpty)
    }

    @Test func `a tap on a row of Hotline's list holds the call, the next one resumes it`() async throws {
        await fixture.type("call bob")
        try await fixture.bob.answer()
        await fixture.type("toggle 1")
        #expect(fixture.takePrinted().last == "calls: bob held" && fixture.bob.calls.map(\.isHeldByOther) == [true])
        await fixture.type("toggle 1")
        #expect(fixture.takePrinted().last == "calls: bob active" && fixture.bob.calls.map(\.isHeldByOther) == [false])
        await fixture.type("toggle 2")
        #expect(fixture.takePrinted() == ["error: The list has no row 2; it has 1."])
    }

    @Test func `an incoming call of Hotline comes after its delay, and is answered or declined`() async throws {
        let before = fixture.hub.now
        await fixture.type("incoming support 5")
        #expect(fixture.hub.now.timeIntervalSince(before) >= 5)
        #expect(fixture.takePrinted().last == "calls: support connecting")
        await fixture.type("tap accept")
        #expect(fixture.takePrinted().last == "calls: support active")
        await fixture.type("incoming spam")
        await fixture.type("tap decline")
        #expect(fixture.takePrinted().last == "calls: support active")
    }

    @Test func `Hotline mutes a call, and unmutes it`() async throws {
        await fixture.type("call bob")
        try await fixture.bob.answer()
        await fixture.type("mute 1")
        #expect(fixture.device.user.calls.map(\.isMuted) == [true])
        await fixture.type("mute 1")
        #expect(fixture.device.user.calls.map(\.isMuted) == [false])
    }

    @Test func `Hotline groups two calls, and takes one out again`() async throws {
        await fixture.type("call bob")
        try await fixture.bob.answer()
        await fixture.type("call carol")
        try await fixture.carol.answer()
        #expect(fixture.takePrinted().last == "calls: bob held, carol active")
        await fixture.type("group 1 2")
        #expect(fixture.device.user.calls.map(\.group.count) == [2, 2])
        #expect(fixture.takePrinted().last == "calls: bob active, carol active")
        await fixture.type("group 1")
        #expect(fixture.device.user.calls.map(\.group.count) == [0, 0])
        #expect(fixture.takePrinted().last == "calls: bob active, carol held")
    }

    @Test func `Hotline's directory blocks 1234 and labels 1111`() async throws {
        await fixture.type("incoming 1234")
        await fixture.type("tap decline")
        // The second load replaces the first one.
        await fixture.type("directory")
        await fixture.type("directory")
        #expect(fixture.takePrinted().suffix(2) == ["directory: loaded", "directory: loaded"])
        await fixture.type("incoming 1234")
        #expect(fixture.device.user.calls.isEmpty)
        #expect(fixture.takePrinted().last?.contains("com.apple.CallKit.error.incomingcall") == true)
        await fixture.type("incoming 1111")
        await fixture.type("screen")
        #expect(fixture.takePrinted().last?.contains("Hotline Support") == true)
    }
}
