import CallSystem
import Foundation
import HubMedia
import HubTestSupport
import Testing

/// Tests of the audio of apps on CallKit, at a real hub, in real time.
@Suite(.serialized) struct HeardAppTests {
    private let hub: HeardHub

    init() async throws { hub = try await HeardHub() }

    /// Returns a sentence if a recording is not the whole of what was said.
    private func fault(in recording: [Int16], of said: [Int16], _ name: String) -> [String] {
        let heard = Sound.align(recording, to: said)
        // At the start the jitter buffer may still be filling: its target is 40 ms.
        let isWhole = heard.correlation > 0.95 && said.count - heard.overlap <= 2 * AudioFormat.samplesPerFrame
        return isWhole ? [] : ["\(name): \(heard)"]
    }

    @Test(.timeLimit(.minutes(3)))
    func `what an app's file says is heard by a phone, and the phone by the app, each to the end (CK-66)`() async throws
    {
        let fromApp = try hub.speech("One two three. An app of CallKit speaks to a phone.", in: "app-says.wav")
        let fromPhone = try hub.speech("Four five six. The phone speaks to an app, and it hears.", in: "phone-says.wav")
        try await expectWithRetries(tries: 3) {
            let app = HeardApp("alice", at: hub.url, .file(hub.path("app-says.wav")), .file(hub.path("app.wav")))
            let phone = try Program(
                [
                    "phone", "bob", "--hub", hub.url, "--answer", "--json", "--play", hub.path("phone-says.wav"),
                    "--record",
                    hub.path("phone.wav"), "--for", "8",
                ],
                in: hub.folder
            )
            _ = try await phone.line(with: "signedIn")
            try await app.call("bob")
            // The phone hangs up.
            await app.wait(for: "deactivate")
            #expect(await phone.exitCode() == 0)
            let (app1, phone1) = (try hub.samples(of: "app.wav"), try hub.samples(of: "phone.wav"))
            #expect(abs(app1.count - phone1.count) < 48_000, "an app's file ends with the audio session")
            return fault(in: phone1, of: fromApp, "phone") + fault(in: app1, of: fromPhone, "app")
        }
    }

    @Test(.timeLimit(.minutes(2))) func `two apps hear each other's tones by Ogg files`() async throws {
        try await expectWithRetries {
            let alice = HeardApp("alice", at: hub.url, .tone(hertz: 600), .file(hub.path("alice.ogg")))
            let bob = HeardApp("bob", at: hub.url, .tone(hertz: 900), .file(hub.path("bob.opus")))
            await bob.wait(for: "begin")
            try await alice.call("bob")
            try await bob.system.user.wait { $0.map(\.state) == [.ringing] }
            try await bob.system.user.answer()
            await bob.wait(for: "activate")
            try await hearTwoSeconds()
            try await alice.end()
            await bob.wait(for: "deactivate")
            // An Ogg file is complete when its system has ended.
            for app in [alice, bob] { await app.system.close() }
            return try [("alice.ogg", 900.0), ("bob.opus", 600.0)].flatMap { name, hertz in
                let heard = Array(try hub.samples(of: name).dropFirst(24_000).prefix(48_000))
                let (peak, share) = (Sound.dominantFrequency(heard) ?? 0, Sound.shareOfEnergy(at: hertz, in: heard))
                return abs(peak - hertz) < 1 && share > 0.9 ? [] : ["\(name): \(peak) Hz, a share of \(share)"]
            }
        }
    }

    /// Waits until a phone has heard two seconds of the hub's tone, a clock of the same machine.
    private func hearTwoSeconds() async throws {
        let phone = try Program(["phone", "clock", "--hub", hub.url, "--call", "tone", "--for", "2"], in: hub.folder)
        #expect(await phone.exitCode() == 0)
    }

    @Test(.timeLimit(.minutes(2))) func `an app's pipes carry raw sound both ways, and silence without a writer`()
        async throws
    {
        for name in ["in", "out"] { #expect(mkfifo(hub.path(name), 0o600) == 0) }
        try await expectWithRetries {
            let app = HeardApp("alice", at: hub.url, .pipe(hub.path("in")), .pipe(hub.path("out")))
            try await app.call("echo")
            try await app.system.user.wait { $0.map(\.state) == [.connected] }
            let microphone = hub.path("in")
            async let written: Void = RawPipe.write(microphone, hertz: 800, seconds: 2)
            let heard = try await RawPipe.read(hub.path("out"), seconds: 3)
            try await written
            try await app.end()
            let loud = Sound.gaps(heard).reduce(0) { $0 + $1.count }
            let share = Sound.shareOfEnergy(at: 800, in: Array(heard.prefix(84_000).suffix(24_000)))
            return share > 0.9 && loud < 84_000 ? [] : ["a share of \(share), \(loud) silent samples"]
        }
    }

    @Test(.timeLimit(.minutes(2))) func `an app plays to a device of ALSA`() async throws {
        // ALSA's own device of this name writes what it plays into a file.
        let device = "file:'\(hub.path("speaker.raw"))',raw"
        try await expectWithRetries {
            let app = HeardApp("alice", at: hub.url, .none, .alsa(device))
            try await app.call("tone")
            try await app.system.user.wait { $0.map(\.state) == [.connected] }
            try await hearTwoSeconds()
            try await app.end()
            await app.system.close()
            let bytes = try Data(contentsOf: URL(filePath: hub.path("speaker.raw")))
            let played = bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
            let heard = Array(played.dropFirst(24_000).prefix(48_000))
            let (peak, share) = (Sound.dominantFrequency(heard) ?? 0, Sound.shareOfEnergy(at: 440, in: heard))
            return abs(peak - 440) < 1 && share > 0.9 ? [] : ["\(peak) Hz, \(share), \(played.count) samples"]
        }
    }

    /// Configures the device `headset` of ALSA, which hears a tone and writes what it plays into `headset.raw`.
    ///
    /// - Returns: The environment of programs that have the device.
    private func headset(hearing hertz: Double) throws -> [String: String] {
        var tone = Tone(hertz: hertz)
        let said = tone.next(20 * AudioFormat.samplesPerSecond)
        try said.withUnsafeBytes { try Data($0).write(to: URL(filePath: hub.path("microphone.raw"))) }
        try Data(
            """
            </usr/share/alsa/alsa.conf>
            pcm.headset { type file slave.pcm null file "\(hub.path("headset.raw"))" infile "\(hub.path("microphone.raw"))" }
            """.utf8
        ).write(to: URL(filePath: hub.path("asound.conf")))
        return ["ALSA_CONFIG_PATH": hub.path("asound.conf")]
    }

    @Test(.timeLimit(.minutes(2))) func `what an app captures from a device of ALSA is heard at the other end (CK-66)`()
        async throws
    {
        let environment = try headset(hearing: 1_200)
        let monkeyCall = URL(filePath: Program.path).deletingLastPathComponent().appending(path: "MonkeyCall").path()
        try await expectWithRetries {
            let phone = try Program(
                [
                    "phone", "bob", "--hub", hub.url, "--answer", "--json", "--record", hub.path("phone.wav"), "--for",
                    "3",
                ],
                in: hub.folder
            )
            try await phone.line(with: "signedIn")
            let access = ["CALLHUB_URL": hub.url, "CALLHUB_ACCOUNT": "alice", "CALLHUB_AUDIO_IN": "alsa:headset"]
            let app = try Program(
                [],
                program: monkeyCall,
                in: hub.folder,
                isTypedAt: true,
                environment: access.merging(environment) { $1 },
                withErrors: true
            )
            try await app.line(with: "ready")
            try app.type("call bob")
            #expect(await phone.exitCode() == 0)
            try app.type("quit")
            #expect(await app.exitCode() == 0)
            #expect(!app.printed.contains("CALLHUB_AUDIO_IN"), "\(app.printed)")
            let heard = Array(try hub.samples(of: "phone.wav").dropFirst(24_000).prefix(48_000))
            let (peak, share) = (Sound.dominantFrequency(heard) ?? 0, Sound.shareOfEnergy(at: 1_200, in: heard))
            let isHeard = heard.count == 48_000 && abs(peak - 1_200) < 1 && share > 0.9
            return isHeard ? [] : ["\(peak) Hz, a share of \(share) in \(heard.count) samples"]
        }
    }

    @Test(.timeLimit(.minutes(2))) func `a phone of the terminal has microphone and speaker by ALSA`() async throws {
        let environment = try headset(hearing: 1_200)
        try await expectWithRetries {
            let phone = try Program(
                [
                    "phone", "alice", "--hub", hub.url, "--call", "echo", "--play", "alsa:headset", "--record",
                    "alsa:headset", "--for", "3",
                ],
                in: hub.folder,
                environment: environment
            )
            #expect(await phone.exitCode() == 0)
            let bytes = try Data(contentsOf: URL(filePath: hub.path("headset.raw")))
            let heard = bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
            let share = Sound.shareOfEnergy(at: 1_200, in: Array(heard.dropFirst(48_000).prefix(24_000)))
            return share > 0.9 ? [] : ["a share of \(share) in \(heard.count) samples"]
        }
    }

    @Test func `a device of ALSA that is not there is named in one sentence`() async throws {
        let phone = try Program(
            ["phone", "alice", "--hub", hub.url, "--call", "echo", "--record", "alsa:nonesuch"],
            in: hub.folder,
            withErrors: true
        )
        #expect(await phone.exitCode() == 4)
        let sentence = "the ALSA device nonesuch cannot be opened: No such file or directory"
        #expect(phone.printed == "callhub phone: \(sentence)\n")
    }
}
