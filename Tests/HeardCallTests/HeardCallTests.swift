import Foundation
import HubMedia
import HubTestSupport
import Testing

/// Tests of the audio of calls between two phones, with real programs, real sockets, real Opus, in real time.
@Suite(.serialized) struct HeardCallTests {
    private let folder: TemporaryFolder
    private let hub: Program
    private let url: String
    /// The path of the WAV file with the speech that is sent.
    private let speechFile: String
    /// The samples of the speech after encoding and decoding by Opus, as the phone sends it.
    private let decodedSpeech: [Int16]

    init() async throws {
        folder = try TemporaryFolder()
        hub = try Program(["serve", "--listen", "127.0.0.1:0"], in: folder)
        let address = try await hub.line(with: "listens on")
        let port = address.split { !$0.isNumber }.compactMap { Int($0) }.last { $0 > 1023 } ?? 0
        url = "ws://127.0.0.1:\(port)"
        speechFile = folder.path + "/speech.wav"
        let speech = try Speech.espeak(
            "One two three. The quick brown fox jumps over the lazy dog, and the hub listens."
        )
        var writer = try WAVWriter(path: speechFile)
        try writer.append(speech)
        try writer.close()
        decodedSpeech = try Self.decoded(speechFile)
    }

    /// Encodes a file to Opus as the phone does, and returns the decoded samples.
    private static func decoded(_ path: String) throws -> [Int16] {
        let stream = try OpusPacketStream(openAudioSource(path))
        var decoder = try OpusDecoder()
        var samples: [Int16] = []
        while let packet = try stream.nextPacket() { samples += try decoder.decode(packet.bytes) }
        return samples
    }

    private func recording(_ name: String) throws -> [Int16] {
        let path = folder.path + "/" + name
        let source = try openAudioSource(path, decoding: true)
        var samples: [Int16] = []
        while let frame = try source.nextFrame() {
            if case .samples(let piece) = frame { samples += piece }
        }
        return samples
    }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    /// Makes a recording and expects it to contain the whole speech and nothing else.
    private func expectWhole(
        _ name: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        record: () async throws -> Void
    ) async throws {
        try await expectWithRetries(sourceLocation: sourceLocation) {
            try await record()
            let recorded = try recording(name)
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
            let speaking = ["--play", speechFile]
            let listening = ["--record", path(name)]
            try await expectWhole(name) {
                let bob = try Program(
                    ["phone", "bob", "--hub", url, "--answer", "--json"] + (isCallerSpeaking ? listening : speaking),
                    in: folder
                )
                _ = try await bob.line(with: "signedIn")
                let alice = try Program(
                    ["phone", "alice", "--hub", url, "--call", "bob", "--json"]
                        + (isCallerSpeaking ? speaking : listening),
                    in: folder
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
                ["phone", "alice", "--hub", url, "--call", "echo", "--play", speechFile, "--record", path("echo.wav")],
                in: folder
            )
            #expect(await phone.exitCode() == 0)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `generic:tone is a pure tone of 440 Hz`() async throws {
        try await expectWithRetries {
            let phone = try Program(
                ["phone", "alice", "--hub", url, "--call", "tone", "--record", path("tone.wav"), "--for", "2"],
                in: folder
            )
            #expect(await phone.exitCode() == 0)
            // The recording may end a frame after the call.
            let heard = Array(
                try recording("tone.wav").dropFirst(AudioFormat.samplesPerSecond / 4).dropLast(
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
                let file = path("\(name).wav")
                return try Program(
                    ["phone", name, "--hub", url, "--call", "music", "--record", file, "--for", "3"],
                    in: folder
                )
            }
            for phone in phones { #expect(await phone.exitCode() == 0) }
            let likeness = try ["alice.wav", "bob.wav"].map { name in
                let heard = Array(try recording(name).dropFirst(AudioFormat.samplesPerSecond / 2))
                expectAudible(heard, as: Array(loop.prefix(heard.count)))
                return Sound.align(loop + loop, to: heard).correlation
            }
            return likeness.allSatisfy { $0 > 0.9 } ? [] : ["\(likeness)"]
        }
    }
}
