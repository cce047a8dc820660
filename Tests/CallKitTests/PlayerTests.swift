import AVFAudio
import CallKit
import Foundation
import HubMedia
import HubTestSupport
import Testing

@testable import CallSystem

/// Players of sounds, heard at the output of the app's calls, in virtual time.
struct PlayerTests {
    private let hub: SimulatedHub
    private let app: TestApp
    private let folder: TemporaryFolder

    init() async throws {
        hub = try SimulatedHub()
        var settings = CallSystemSettings()
        settings.audioOutput = .memory
        app = TestApp(hub, on: hub.device("alice", settings: settings))
        folder = try TemporaryFolder()
        await hub.settle()
    }

    /// Writes a tone into a file.
    private func file(_ name: String, seconds: Double, hertz: Double = 600) throws -> URL {
        let path = folder.path + "/" + name
        var tone = Tone(hertz: hertz)
        let sink = try openAudioSink(path)
        try sink.append(tone.next(Int(seconds * 48_000)))
        try sink.close()
        return URL(filePath: path)
    }

    private func player(_ url: URL) throws -> AVAudioPlayer {
        try app.system.run { try AVAudioPlayer(contentsOf: url) }
    }

    private func heard(after duration: Duration) async -> HeardAudio {
        await hub.advance(by: duration)
        return app.user.takeHeard()
    }

    private final class Listener: NSObject, AVAudioPlayerDelegate, @unchecked Sendable {
        let ends = Locked<[Bool]>([])

        func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
            ends.withLock { $0.append(flag && !player.isPlaying && player.currentTime == 0) }
        }
    }

    @Test(arguments: ["wav", "ogg"])
    func `a player plays a file once, and tells its delegate of the end`(ending: String) async throws {
        let player = try player(file("tone.\(ending)", seconds: 0.5))
        let listener = Listener()
        player.delegate = listener
        #expect(player.duration == 0.5 && player.numberOfChannels == 1 && player.volume == 1)
        #expect(player.numberOfLoops == 0 && !player.isPlaying && player.currentTime == 0)
        #expect(player.prepareToPlay() && player.play() && player.isPlaying)
        await hub.settle()
        let first = await heard(after: .milliseconds(300))
        #expect(first.contains(tone: 600))
        #expect(abs(player.currentTime - 0.32) < 0.03)
        #expect(listener.ends.withLock { $0 } == [])
        let rest = await heard(after: .seconds(1))
        #expect((first.duration + rest.duration) / .milliseconds(1) - 510 < 30, "no frames after the end")
        #expect(listener.ends.withLock { $0 } == [true])
    }

    @Test func `a player pauses, goes on from there, and can be set to a time`() async throws {
        let player = try player(file("tone.wav", seconds: 2))
        player.play()
        _ = await heard(after: .milliseconds(500))
        player.pause()
        let paused = player.currentTime
        #expect(await heard(after: .seconds(1)).samples.count <= 960)
        #expect(!player.isPlaying && player.currentTime == paused && (0.48...0.54).contains(paused))
        player.play()
        #expect(await heard(after: .milliseconds(500)).contains(tone: 600))
        player.stop()
        #expect((0.98...1.08).contains(player.currentTime), "a stop keeps the time, as on an iPhone")
        player.currentTime = 1.9
        player.play()
        #expect(await heard(after: .seconds(1)).duration <= .milliseconds(140))
        player.currentTime = .nan
        #expect(player.currentTime == 0)
    }

    @Test func `loops repeat the sound, and a negative number of them without an end`() async throws {
        let listener = Listener()
        let player = try player(file("tone.wav", seconds: 0.2))
        player.delegate = listener
        player.numberOfLoops = 2
        player.play()
        await hub.settle()
        let three = await heard(after: .seconds(2))
        #expect((0.59...0.63).contains(three.duration / .seconds(1)))
        #expect(Sound.gaps(Array(three.samples.dropLast(960))) == [])
        #expect(listener.ends.withLock { $0.count } == 1)
        player.numberOfLoops = -1
        player.play()
        await hub.settle()
        #expect(await heard(after: .seconds(5)).contains(tone: 600) && player.isPlaying)
        player.stop()
        #expect(await heard(after: .seconds(1)).samples.count <= 960)
        #expect(listener.ends.withLock { $0.count } == 1, "a stop is no end")
    }

    @Test func `the volume makes a player quieter, at once or evenly`() async throws {
        let player = try player(file("tone.wav", seconds: 10))
        player.play()
        let full = await heard(after: .seconds(1)).level
        player.volume = 0.5
        _ = await heard(after: .milliseconds(20))
        #expect(abs(await heard(after: .seconds(1)).level / full - 0.5) < 0.02)
        player.setVolume(0, fadeDuration: 1)
        let fading = await heard(after: .seconds(1)).level
        #expect(fading > 0.1 * full && fading < 0.45 * full)
        #expect(await heard(after: .seconds(1)).level < 0.001)
        player.volume = 7
        #expect(player.volume == 1)
    }

    @Test func `a ringback plays while a call is dialed, and with the other's voice until it is stopped`() async throws
    {
        var settings = CallSystemSettings()
        settings.audioInput = .tone(hertz: 1_000)
        let bob = hub.phone("bob", settings: settings)
        await hub.settle()
        let ringback = try player(file("ringback.wav", seconds: 0.4))
        ringback.numberOfLoops = -1
        ringback.play()
        try await app.start("bob")
        #expect(await heard(after: .seconds(1)).contains(tone: 600))
        try await bob.answer()
        _ = await heard(after: .milliseconds(200))
        let both = await heard(after: .seconds(1))
        #expect(both.contains(tone: 600) && both.contains(tone: 1_000))
        ringback.stop()
        _ = await heard(after: .milliseconds(200))
        let one = await heard(after: .seconds(1))
        #expect(!one.contains(tone: 600) && one.contains(tone: 1_000))
    }

    @Test func `a player that is released falls silent`() async throws {
        var player: AVAudioPlayer? = try player(file("tone.wav", seconds: 10))
        player?.play()
        #expect(await heard(after: .seconds(1)).contains(tone: 600))
        player = nil
        #expect(await heard(after: .seconds(1)).samples.count <= 960)
    }

    @Test func `data is played as files are, and what is no sound is refused with the system's codes`() async throws {
        let data = try Data(contentsOf: file("tone.wav", seconds: 1))
        let player = try app.system.run { try AVAudioPlayer(data: data) }
        #expect(player.duration == 1 && player.data == data && player.url == nil)
        player.play()
        #expect(await heard(after: .milliseconds(500)).contains(tone: 600))

        func code(_ body: () throws -> AVAudioPlayer) -> Int? {
            do {
                _ = try body()
                return nil
            } catch {
                let error = error as NSError
                return error.domain == NSOSStatusErrorDomain ? error.code : 0
            }
        }
        #expect(code { try AVAudioPlayer(contentsOf: URL(filePath: folder.path + "/none.wav")) } == 2_003_334_207)
        #expect(code { try AVAudioPlayer(data: Data("no sound".utf8)) } == 1_954_115_647)
        #expect(code { try AVAudioPlayer(data: Data("RIFF".utf8)) } == 1_685_348_671)
        #expect(code { try AVAudioPlayer(data: Data()) } == 1_954_115_647)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a program without a hub has sound in real time, and the route shows its devices`() async throws {
        let (says, hears) = (try file("says.wav", seconds: 20, hertz: 900).path, folder.path + "/hears.wav")
        let environment = ["CALLHUB_AUDIO_IN": "file:\(says)", "CALLHUB_AUDIO_OUT": "file:\(hears)"]
        let system = CallSystem.fromEnvironment(environment)
        let session = system.run { AVAudioSession.sharedInstance() }
        try session.setCategory(.playAndRecord, mode: .voiceChat)
        #expect(session.currentRoute.inputs.map(\.portName) == [says])
        #expect(session.currentRoute.outputs.map(\.portName) == [hears] && !session.isOtherAudioPlaying)
        let app = TestApp(on: system) {}
        try await app.start("echo")
        try await system.user.wait { $0.map(\.state) == [.connected] }
        // A silent player is a clock.
        let clock = try system.run { try AVAudioPlayer(contentsOf: file("clock.wav", seconds: 1.5)) }
        clock.volume = 0
        await withCheckedContinuation { done in
            let listener = Clock { done.resume() }
            clock.delegate = listener
            clock.play()
            listener.keep()
        }
        try await system.user.end()
        #expect(await app.takeLog(until: "deactivate").contains("activate"))
        let content = try Data(contentsOf: URL(filePath: hears))
        let heard = try content.withUnsafeBytes { try DecodedSound($0, name: hears) }.samples
        #expect(heard.count > 60_000)
        // On a busy machine a part of it is concealed.
        let parts = stride(from: 0, to: heard.count - 4_800, by: 4_800).map { Array(heard[$0..<$0 + 4_800]) }
        #expect(parts.contains { HeardAudio(samples: $0).amplitude(ofTone: 900) > 0.02 })
    }

    /// A delegate that keeps itself until its player has ended.
    private final class Clock: NSObject, AVAudioPlayerDelegate, @unchecked Sendable {
        private let ended: @Sendable () -> Void
        private let own = Locked<Clock?>(nil)

        init(_ ended: @escaping @Sendable () -> Void) { self.ended = ended }

        func keep() { own.withLock { $0 = self } }

        func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
            let own = own.withLock { own in
                defer { own = nil }
                return own
            }
            own?.ended()
        }
    }
}
