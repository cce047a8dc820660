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

    private func path(_ name: String) -> String { folder.path + "/" + name }

    /// Starts a sample whose microphone is a file with a tone, and whose receiver is a file.
    private func start(_ program: String, as account: String, hertz: Double) async throws -> Program {
        var writer = try WAVWriter(path: path("\(account)-says.wav"))
        var tone = Tone(hertz: hertz, amplitude: 0.2)
        // Longer than the call: what is said before it, or after it, would be heard as well.
        for _ in 0..<(60 * 50) { try writer.append(tone.next(AudioFormat.samplesPerFrame)) }
        try writer.close()
        let running = try Program(
            [],
            program: URL(filePath: Program.path).deletingLastPathComponent().appending(path: program).path(),
            in: folder,
            isTypedAt: true,
            environment: [
                "CALLHUB_URL": "ws://127.0.0.1:\(server.port)/v1", "CALLHUB_ACCOUNT": account,
                "CALLHUB_AUDIO_IN": "file:" + path("\(account)-says.wav"),
                "CALLHUB_AUDIO_OUT": "file:" + path("\(account)-hears.wav"),
            ],
            withErrors: true
        )
        try await running.line(with: "ready")
        return running
    }

    private func heard(by account: String) throws -> [Int16] {
        let source = try openAudioSource(path("\(account)-hears.wav"), decoding: true)
        var samples: [Int16] = []
        while let frame = try source.nextFrame() {
            if case .samples(let piece) = frame { samples += piece }
        }
        return samples
    }

    /// Waits until a recording has a number of seconds.
    private func recorded(_ seconds: Int, by account: String, _ watch: FolderWatch) async throws {
        let file = path("\(account)-hears.wav")
        try await blocking {
            while (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0 < seconds * 96_000 {
                guard watch.wait(seconds: 20) else { return }
            }
        }
    }

    @Test(.timeLimit(.minutes(3)))
    func `what one sample's file says is heard in the other one's, during the call alone (CK-66)`() async throws {
        let monkey = try await start("MonkeyCall", as: "alice", hertz: 440)
        let hotline = try await start("Hotline", as: "bob", hertz: 700)
        let watch = try FolderWatch(folder)
        try monkey.type("call bob")
        try await hotline.line(with: "calls: alice connecting")
        // Nobody hears anything while it rings.
        for account in ["alice", "bob"] { #expect(((try? heard(by: account)) ?? []).allSatisfy { $0 == 0 }) }
        try hotline.type("tap accept")
        try await monkey.line(with: "bob: connected")
        for account in ["alice", "bob"] { try await recorded(1, by: account, watch) }
        try monkey.type("hold bob")
        try await monkey.line(with: "audio: stopped")
        let held = try heard(by: "alice").count
        try monkey.type("resume bob")
        try await monkey.line(with: "bob: connected")
        try await recorded(2, by: "alice", watch)
        try monkey.type("end bob")
        try await monkey.line(with: "bob: ended")
        try await hotline.line(with: "calls: none")
        for program in [monkey, hotline] {
            try program.type("quit")
            #expect(await program.exitCode() == 0)
        }
        let (alice, bob) = (try heard(by: "alice"), try heard(by: "bob"))
        #expect(held > 0 && alice.count > held)
        for (samples, own, other) in [(alice, 440.0, 700.0), (bob, 700.0, 440.0)] {
            let sound = HeardAudio(samples: samples)
            #expect(sound.contains(tone: other) && sound.amplitude(ofTone: own) < 0.02)
        }
        server.stop()
    }
}
