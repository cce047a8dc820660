import Foundation
import HubMedia
import HubTestSupport
import Testing

/// Tests of the audio of calls between two phones, with real programs, real sockets, real Opus, in real time.
@Suite(.serialized) struct HeardCallTests {
    private let hub: HeardHub
    /// The samples of the speech after encoding and decoding by Opus, as the phone sends it.
    private let decodedSpeech: [Int16]

    init() async throws {
        hub = try await HeardHub()
        let words = "One two three. The quick brown fox jumps over the lazy dog, and the hub listens."
        decodedSpeech = try hub.speech(words, in: "speech.wav")
    }

    /// Makes a recording and expects it to contain the whole speech and nothing else.
    private func expectWhole(
        _ name: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        record: () async throws -> Void
    ) async throws {
        try await expectWithRetries(sourceLocation: sourceLocation) {
            try await record()
            let recorded = try hub.samples(of: name)
            expectAudible(recorded, as: decodedSpeech, sourceLocation: sourceLocation)
            let heard = Sound.align(recorded, to: decodedSpeech)
            // At the start the jitter buffer may still be filling: its target is 40 ms.
            let missing = decodedSpeech.count - heard.overlap
            return heard.correlation > 0.95 && missing <= 2 * AudioFormat.samplesPerFrame ? [] : ["\(heard)"]
        }
    }

    /// Expects more than half of the sent audio in the recording, a limit that a busy machine meets too.
    private func expectAudible(_ heard: [Int16], as sent: [Int16], sourceLocation: SourceLocation = #_sourceLocation) {
        let windows = [heard, sent].map { Sound.levels($0, window: 240).count { $0 > 0.003 } }
        #expect(windows[0] > windows[1] / 2, sourceLocation: sourceLocation)
    }

    @Test(.timeLimit(.minutes(3)), arguments: ["wav", "ogg"])
    func `speech played by either party arrives complete at the other`(ending: String)
        async throws
    {
        for isCallerSpeaking in [true, false] {
            let name = "\(isCallerSpeaking).\(ending)"
            let speaking = ["--play", hub.path("speech.wav")]
            let listening = ["--record", hub.path(name)]
            try await expectWhole(name) {
                let bob = try Program(
                    ["phone", "bob", "--hub", hub.url, "--answer", "--json"]
                        + (isCallerSpeaking ? listening : speaking),
                    in: hub.folder
                )
                _ = try await bob.line(with: "signedIn")
                let alice = try Program(
                    ["phone", "alice", "--hub", hub.url, "--call", "bob", "--json"]
                        + (isCallerSpeaking ? speaking : listening),
                    in: hub.folder
                )
                #expect(await alice.exitCode() == 0)
                #expect(await bob.exitCode() == 0)
            }
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `generic:echo returns the received audio`() async throws {
        try await expectWhole("echo.wav") {
            let phone = try Program(
                [
                    "phone", "alice", "--hub", hub.url, "--call", "echo", "--play", hub.path("speech.wav"), "--record",
                    hub.path("echo.wav"),
                ],
                in: hub.folder
            )
            #expect(await phone.exitCode() == 0)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `generic:tone is a pure tone of 440 Hz`() async throws {
        try await expectWithRetries {
            let phone = try Program(
                ["phone", "alice", "--hub", hub.url, "--call", "tone", "--record", hub.path("tone.wav"), "--for", "2"],
                in: hub.folder
            )
            #expect(await phone.exitCode() == 0)
            // The recording may end a frame after the call.
            let heard = Array(
                try hub.samples(of: "tone.wav").dropFirst(AudioFormat.samplesPerSecond / 4).dropLast(
                    AudioFormat.samplesPerFrame
                )
            )
            #expect(heard.count > AudioFormat.samplesPerSecond * 3 / 2)
            let (peak, share) = (Sound.dominantFrequency(heard) ?? 0, Sound.shareOfEnergy(at: 440, in: heard))
            #expect(abs(peak - 440) < 20)
            let gaps = Sound.gaps(heard)
            return abs(peak - 440) < 1 && share > 0.95 && gaps == []
                ? [] : ["\(peak) Hz, \(share) of 440 Hz, gaps: \(gaps)"]
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `generic:music is the hold music, at the same position for all callers`() async throws {
        let loop = HoldMusic.loop()
        try await expectWithRetries {
            let phones = try ["alice", "bob"].map { name in
                let file = hub.path("\(name).wav")
                return try Program(
                    ["phone", name, "--hub", hub.url, "--call", "music", "--record", file, "--for", "3"],
                    in: hub.folder
                )
            }
            for phone in phones { #expect(await phone.exitCode() == 0) }
            let likeness = try ["alice.wav", "bob.wav"].map { name in
                let heard = Array(try hub.samples(of: name).dropFirst(AudioFormat.samplesPerSecond / 2))
                expectAudible(heard, as: Array(loop.prefix(heard.count)))
                return Sound.align(loop + loop, to: heard).correlation
            }
            return likeness.allSatisfy { $0 > 0.9 } ? [] : ["\(likeness)"]
        }
    }
}
