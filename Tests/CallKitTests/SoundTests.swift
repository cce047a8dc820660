import CallKit
import CallSystem
import Foundation
import HubMedia
import HubTestSupport
import Testing

/// Frames of sound between two and more devices of a simulated hub, in virtual time.
struct SoundTests {
    private static let tones = (alice: 440.0, bob: 700.0, carol: 1_100.0)
    private let hub: SimulatedHub
    private let app: TestApp
    private let bob: CallScreen
    private let carol: CallScreen

    init() async throws {
        hub = try SimulatedHub()
        app = TestApp(hub, on: hub.device("alice", settings: Self.settings(Self.tones.alice)))
        bob = hub.phone("bob", settings: Self.settings(Self.tones.bob))
        carol = hub.phone("carol", settings: Self.settings(Self.tones.carol))
        await hub.settle()
        _ = app.takeLog()
    }

    private static func settings(_ hertz: Double) -> CallSystemSettings {
        var settings = CallSystemSettings()
        settings.audioInput = .tone(hertz: hertz)
        settings.audioOutput = .memory
        return settings
    }

    /// The names of the parties that a device hears in the next second, after what is under way has arrived.
    private func voices(at screen: CallScreen) async -> Set<String> {
        await hub.advance(by: .milliseconds(200))
        _ = screen.takeHeard()
        await hub.advance(by: .seconds(1))
        let heard = screen.takeHeard()
        let tones = ["alice": Self.tones.alice, "bob": Self.tones.bob, "carol": Self.tones.carol]
        return Set(tones.filter { heard.contains(tone: $0.value) }.keys)
    }

    @discardableResult
    private func talkToBob() async throws -> UUID {
        let call = try await app.start("bob")
        try await bob.answer()
        return call
    }

    @Test func `both ends of a call hear each other, and not themselves (CK-66)`() async throws {
        try await talkToBob()
        #expect(await voices(at: app.user) == ["bob"])
        #expect(await voices(at: bob) == ["alice"])
        let heard = app.user.takeHeard()
        #expect(heard.duration == .milliseconds(1_200))
        #expect(abs((Sound.dominantFrequency(heard.samples) ?? 0) - Self.tones.bob) < 2)
        #expect(Sound.gaps(heard.samples) == [])
    }

    @Test func `no frame flows before the return from didActivate, and none once didDeactivate is called (CK-66)`()
        async throws
    {
        let seen = Locked<[(isActive: Bool, own: Int, bob: Double)]>([])
        app.onAudio { [app, bob] isActive in
            // Asks the core, so that what it has begun by itself is done.
            _ = app.user.calls
            let own = app.user.takeHeard().samples.count
            seen.withLock { $0.append((isActive, own, bob.takeHeard().amplitude(ofTone: Self.tones.alice))) }
        }
        let call = try await talkToBob()
        #expect(seen.withLock { $0.map(\.own) } == [0])
        await hub.advance(by: .seconds(1))
        try await app.user.hold()
        let last = try #require(seen.withLock { $0.last })
        #expect(!last.isActive && (48_000...49_920).contains(last.own) && last.bob > 0.05)
        await hub.advance(by: .seconds(2))
        #expect(app.user.takeHeard().samples.count == 0, "nothing is played after the deactivation")
        #expect(app.user.calls.map(\.uuid) == [call])
    }

    @Test func `a hold silences the app at the other end, and a resume brings it back (CK-33)`() async throws {
        try await talkToBob()
        #expect(await voices(at: bob) == ["alice"])
        try await app.user.hold()
        #expect(await voices(at: bob) == [])
        try await app.user.resume()
        #expect(await voices(at: bob) == ["alice"])
        #expect(await voices(at: app.user) == ["bob"])
    }

    @Test func `a swap changes who is heard (CK-38)`() async throws {
        try await talkToBob()
        try await carol.start("alice")
        try await app.user.choose(.holdAndAccept)
        #expect(await voices(at: app.user) == ["carol"])
        #expect(await voices(at: carol) == ["alice"])
        #expect(await voices(at: bob) == [])
        try await app.user.swap()
        #expect(await voices(at: app.user) == ["bob"])
        #expect(await voices(at: bob) == ["alice"])
        #expect(await voices(at: carol) == [])
    }

    @Test func `a muted app is silent at the other end and hears on (CK-52)`() async throws {
        let call = try await talkToBob()
        try await app.request(CXSetMutedCallAction(call: call, muted: true))
        #expect(await voices(at: bob) == [])
        #expect(await voices(at: app.user) == ["bob"])
        try await app.request(CXSetMutedCallAction(call: call, muted: false))
        #expect(await voices(at: bob) == ["alice"])
    }

    @Test func `merged calls are heard together, and the rest goes on when one ends (CK-47)`() async throws {
        try await talkToBob()
        try await carol.start("alice")
        try await app.user.choose(.holdAndAccept)
        try await app.user.merge()
        #expect(await voices(at: app.user) == ["bob", "carol"])
        #expect(await voices(at: bob) == ["alice", "carol"])
        #expect(await voices(at: carol) == ["alice", "bob"])
        try await carol.end()
        #expect(await voices(at: app.user) == ["bob"])
        #expect(await voices(at: bob) == ["alice"])
    }

    @Test func `a call that the app carries has no frames of the device (CK-68)`() async throws {
        try await app.report("dave")
        try await app.user.answer()
        #expect(app.takeLog().contains("activate"))
        await hub.advance(by: .seconds(1))
        #expect(app.user.takeHeard().samples.count == 0)
    }

    @Test func `without a microphone nothing is sent, and without a receiver nothing is decoded`() async throws {
        let silent = TestApp(hub, "dave")
        try await silent.start("bob")
        try await bob.answer()
        #expect(await voices(at: bob) == [])
        #expect(silent.user.takeHeard().samples.count == 0)
        #expect(silent.state(of: silent.user.calls[0].uuid) == .connected)
    }

    @Test func `the same run gives the same samples`() async throws {
        func run() async throws -> [Int16] {
            let tests = try await SoundTests()
            try await tests.talkToBob()
            await tests.hub.advance(by: .seconds(1))
            return tests.app.user.takeHeard().samples
        }
        let first = try await run()
        #expect(first.contains { $0 != 0 })
        #expect(try await run() == first)
    }

    @Test func `a file is heard from its beginning, goes on after a hold, and begins anew with the next call`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path + "/two-tones.wav"
        var (low, high) = (Tone(hertz: 500), Tone(hertz: 1_500))
        var writer = try WAVWriter(path: path)
        try writer.append(low.next(48_000) + high.next(48_000))
        try writer.close()
        var settings = Self.settings(0)
        settings.audioInput = .file(path)
        let dave = TestApp(hub, on: hub.device("dave", settings: settings))
        await hub.settle()

        func heard() async -> HeardAudio {
            await hub.advance(by: .seconds(1))
            return bob.takeHeard()
        }
        for _ in 1...2 {
            try await dave.start("bob")
            try await bob.answer()
            _ = bob.takeHeard()
            #expect(await heard().contains(tone: 500))
            try await dave.user.hold()
            #expect(await !heard().contains(tone: 1_500))
            try await dave.user.resume()
            _ = bob.takeHeard()
            #expect(await heard().contains(tone: 1_500))
            await hub.advance(by: .milliseconds(200))
            _ = bob.takeHeard()
            #expect(await heard().level < 0.001, "the file is over")
            try await dave.user.end()
        }
    }
}
