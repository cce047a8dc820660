import CallSystem
import Foundation
import HubMedia
import HubServer
import HubTestSupport
import SampleTerminal
import Testing

@testable import Hotline
@testable import MonkeyCall

/// The sound of the sample apps at the simulated hub: who hears whom, and when.
@MainActor
struct SimulatedSoundTests {
    private let hub: SimulatedHub
    private let alice: CallSystem
    private let bob: CallSystem
    private let carol: CallScreen
    private let monkey: MonkeyCallApp
    private let hotline: HotlineApp

    private enum Hertz {
        static let alice = 440.0
        static let bob = 700.0
        static let carol = 1_100.0
    }

    init() async throws {
        let hub = try SimulatedHub()
        func settings(_ hertz: Double) -> CallSystemSettings {
            var settings = CallSystemSettings()
            (settings.audioInput, settings.audioOutput) = (.tone(hertz: hertz), .memory)
            return settings
        }
        self.hub = hub
        alice = hub.device("alice", settings: settings(Hertz.alice))
        bob = hub.device("bob", settings: settings(Hertz.bob))
        carol = hub.phone("carol", settings: settings(Hertz.carol))
        monkey = alice.run { MonkeyCallApp(Terminal { _ in }) }
        hotline = bob.run { HotlineApp(Terminal { _ in }) }
        await hub.settle()
    }

    /// Types a line, and waits for what it causes.
    private func type(_ line: String, to terminal: Terminal) async {
        await terminal.perform(line)
        await hub.settle()
    }

    /// Lets a second pass, and returns the tones that a user has heard in it.
    private func heard(by user: CallScreen) async -> [Double] {
        for other in [alice.user, bob.user, carol] { _ = other.takeHeard() }
        await hub.advance(by: .seconds(1))
        let sound = user.takeHeard()
        return [Hertz.alice, Hertz.bob, Hertz.carol].filter { sound.contains(tone: $0) }
    }

    @Test func `two sample apps hear each other from the answer on, and not before`() async throws {
        await type("call bob", to: monkey.terminal)
        try await bob.user.wait { $0.map(\.state) == [.ringing] }
        for user in [alice.user, bob.user] { #expect(await heard(by: user).isEmpty) }
        await type("tap accept", to: hotline.terminal)
        #expect(await heard(by: bob.user) == [Hertz.alice])
        #expect(await heard(by: alice.user) == [Hertz.bob])
        await type("end bob", to: monkey.terminal)
        for user in [alice.user, bob.user] { #expect(await heard(by: user).isEmpty) }
    }

    @Test func `who is held hears nothing, and after a swap only the other one is heard`() async throws {
        await type("call bob", to: monkey.terminal)
        try await bob.user.wait { $0.map(\.state) == [.ringing] }
        await type("tap accept", to: hotline.terminal)
        try await carol.start("alice")
        try await alice.user.wait { $0.map(\.state) == [.connected, .ringing] }
        await type("tap holdAndAccept", to: monkey.terminal)
        #expect(await heard(by: alice.user) == [Hertz.carol])
        #expect(await heard(by: bob.user).isEmpty)
        await type("tap swap", to: monkey.terminal)
        #expect(await heard(by: alice.user) == [Hertz.bob])
        #expect(await heard(by: bob.user) == [Hertz.alice])
        #expect(await heard(by: carol).isEmpty)
    }

    @Test func `three in a group hear one another`() async throws {
        await type("call carol", to: hotline.terminal)
        try await carol.answer()
        await type("call alice", to: hotline.terminal)
        try await alice.user.wait { $0.map(\.state) == [.ringing] }
        await type("tap accept", to: monkey.terminal)
        #expect(await heard(by: carol).isEmpty)
        await type("group 1 2", to: hotline.terminal)
        #expect(await heard(by: alice.user) == [Hertz.bob, Hertz.carol])
        #expect(await heard(by: bob.user) == [Hertz.alice, Hertz.carol])
        #expect(await heard(by: carol) == [Hertz.alice, Hertz.bob])
    }

    @Test func `who is muted is not heard, and hears`() async throws {
        await type("call bob", to: monkey.terminal)
        try await bob.user.wait { $0.map(\.state) == [.ringing] }
        await type("tap accept", to: hotline.terminal)
        await type("mute 1", to: hotline.terminal)
        #expect(await heard(by: alice.user).isEmpty)
        #expect(await heard(by: bob.user) == [Hertz.alice])
    }
}

/// The sound of the sample programs at a real hub, in real time, from file to file.
@Suite(.serialized) struct HeardSampleTests {
    private let folder: TemporaryFolder
    private let server: HubServer

    init() throws {
        folder = try TemporaryFolder()
        var settings = HubSettings()
        settings.transport.port = 0
        settings.log.level = .error
        server = try HubServer.start(settings)
    }

    private func start(_ name: String, as account: String, hertz: Double) async throws -> ToneSample {
        try await ToneSample(name, as: account, at: "ws://127.0.0.1:\(server.port)/v1", hertz: hertz, in: folder)
    }

    @Test(.timeLimit(.minutes(3)))
    func `what one sample's file says is heard in the other one's, during the call alone (CK-66)`() async throws {
        let alice = try await start("MonkeyCall", as: "alice", hertz: 440)
        let bob = try await start("Hotline", as: "bob", hertz: 700)
        let (monkey, hotline) = (alice.program, bob.program)
        try monkey.type("call bob")
        try await hotline.line(with: "calls: alice connecting")
        // While it rings, Alice's audio session is active, and she hears nothing; Bob's is not.
        try await alice.hear(upTo: 4_800)
        let ringing = alice.position
        #expect(bob.position == 0)
        try hotline.type("tap accept")
        try await monkey.line(with: "bob: connected")
        for sample in [alice, bob] { try await sample.hear(upTo: 48_000) }
        try monkey.type("hold bob")
        try await monkey.line(with: "audio: stopped")
        // While the call is held, Bob hears a second of nothing and Alice's audio session is not there.
        let held = try alice.recording().count
        let hold = try await bob.hearSecond()
        #expect(alice.position == held)
        try monkey.type("resume bob")
        try await alice.hear(upTo: held + 48_000)
        try await bob.hear(upTo: hold.upperBound + 48_000)
        try monkey.type("end bob")
        try await monkey.line(with: "bob: ended")
        try await hotline.line(with: "calls: none")
        for sample in [alice, bob] { #expect(try await sample.quit() == 0) }
        let (byAlice, byBob) = (try alice.recording(), try bob.recording())
        #expect(byAlice.prefix(ringing).allSatisfy { $0 == 0 })
        #expect(held > ringing && byAlice.count > held && byBob.count > hold.upperBound)
        #expect(!HeardAudio(samples: Array(byBob[hold])).contains(tone: 440))
        for (samples, own, other) in [(byAlice, 440.0, 700.0), (byBob, 700.0, 440.0)] {
            let sound = HeardAudio(samples: samples)
            #expect(sound.contains(tone: other) && sound.amplitude(ofTone: own) < 0.02)
        }
        server.stop()
    }
}
