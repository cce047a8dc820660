import CallKit
import CallSystem
import Foundation
import Intents
import Testing

@testable import Calls

@MainActor
struct OneCallTests {
    @Test func `an outgoing call rings at the other end, connects when it is answered, and has audio`() async throws {
        let fixture = try await Fixture()
        await fixture.act { $0.startCall(to: "bob") }
        #expect(fixture.states == [.connecting] && fixture.bob.calls.map(\.state) == [.ringing])
        #expect(fixture.calls.first?.connectedAt == nil)
        try await fixture.bob.answer()
        #expect(fixture.states == [.active] && fixture.calls.first?.connectedAt != nil && fixture.isAudioRunning)
    }

    @Test func `an incoming call comes by a push, rings and is answered`() async throws {
        let fixture = try await Fixture()
        try await fixture.bob.start("alice")
        #expect(fixture.states == [.ringing] && fixture.user.calls.map(\.name) == ["bob"])
        #expect(!fixture.isAudioRunning)
        try await fixture.user.answer()
        #expect(fixture.states == [.active] && fixture.bob.calls.map(\.state) == [.connected])
        #expect(fixture.isAudioRunning)
    }

    @Test func `the app's own button answers, too`() async throws {
        let fixture = try await Fixture()
        try await fixture.bob.start("alice")
        let call = try #require(fixture.calls.first)
        await fixture.act { $0.answer(call) }
        #expect(fixture.states == [.active] && fixture.bob.calls.map(\.state) == [.connected])
    }

    @Test func `a declined call is over at both ends`() async throws {
        let fixture = try await Fixture()
        try await fixture.bob.start("alice")
        try await fixture.user.decline()
        #expect(fixture.calls.isEmpty && fixture.bob.calls.isEmpty && !fixture.isAudioRunning)
    }

    @Test func `the app hangs up, and the other end sees it`() async throws {
        let fixture = try await Fixture()
        let call = try await fixture.talk(to: fixture.bob, "bob")
        await fixture.act { $0.end(call) }
        #expect(call.state == .ended && fixture.calls.isEmpty && fixture.bob.calls.isEmpty)
        #expect(!fixture.isAudioRunning)
    }

    @Test func `the other end hangs up, and the app is told by an action`() async throws {
        let fixture = try await Fixture()
        let call = try await fixture.talk(to: fixture.bob, "bob")
        try await fixture.bob.end()
        #expect(call.state == .ended && fixture.calls.isEmpty && !fixture.isAudioRunning)
    }

    @Test func `a caller who gives up leaves nothing behind`() async throws {
        let fixture = try await Fixture()
        try await fixture.bob.start("alice")
        try await fixture.bob.end()
        #expect(fixture.calls.isEmpty && fixture.user.calls.isEmpty)
    }

    @Test func `nobody answers for a minute, and the call is over`() async throws {
        let fixture = try await Fixture()
        await fixture.act { $0.startCall(to: "bob") }
        await fixture.hub.advance(by: .seconds(59))
        #expect(fixture.states == [.connecting])
        await fixture.hub.advance(by: .seconds(2))
        #expect(fixture.calls.isEmpty && fixture.bob.calls.isEmpty)
    }

    @Test func `mute is the app's and the system's`() async throws {
        let fixture = try await Fixture()
        let call = try await fixture.talk(to: fixture.bob, "bob")
        await fixture.act { $0.setMuted(call, muted: true) }
        #expect(call.isMuted && fixture.user.calls.map(\.isMuted) == [true])
        try await fixture.user.mute(false)
        #expect(!call.isMuted)
    }

    @Test func `keys of both keypads come to the app one by one`() async throws {
        let fixture = try await Fixture()
        let call = try await fixture.talk(to: fixture.bob, "bob")
        try await fixture.user.keypad("42")
        await fixture.act { $0.press("#", in: call) }
        #expect(call.digits == "42#")
    }

    @Test func `music pauses during a call`() async throws {
        let fixture = try await Fixture()
        let player = fixture.device.run { MusicPlayer() }
        await fixture.hub.settle()
        let call = try await fixture.talk(to: fixture.bob, "bob")
        #expect(!player.isPlaying)
        await fixture.act { $0.end(call) }
        #expect(player.isPlaying)
    }

    @Test func `a call to a handle of an unsupported type is refused`() async throws {
        let fixture = try await Fixture()
        await fixture.act { $0.startCall(to: "bob@example.org", type: .emailAddress) }
        #expect(fixture.refusal == .invalidAction && fixture.calls.isEmpty)
    }
}
