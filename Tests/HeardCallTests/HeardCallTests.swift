import Foundation
import HubMedia
import HubTestSupport
import Testing

/// What is said into one phone is heard from the other: real programs, real sockets, real Opus, real time.
struct HeardCallTests {
    private let folder: TemporaryFolder
    private let hub: Program
    private let url: String
    /// What was said.
    private let speechFile: String
    /// What is left of it when it has been through Opus, as the phone sends it.
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

    /// What a decoder makes of a file as the phone encodes it.
    private static func decoded(_ path: String) throws -> [Int16] {
        let stream = try OpusPacketStream(openSoundSource(path))
        var decoder = try OpusDecoder()
        var samples: [Int16] = []
        while let packet = try stream.nextPacket() { samples += try decoder.decode(packet.bytes) }
        return samples
    }

    private func recording(_ name: String) throws -> [Int16] {
        let path = folder.path + "/" + name
        let source = try openSoundSource(path, decoding: true)
        var samples: [Int16] = []
        while let frame = try source.nextFrame() {
            if case .samples(let piece) = frame { samples += piece }
        }
        return samples
    }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    /// Has a recording made until it is the whole of the speech and nothing but it, three times at most.
    ///
    /// A phone plays in real time: where the machine leaves it waiting for longer than its jitter buffer holds, it stretches the
    /// sound, as it must. Whatever is wrong with the hub or the phones is wrong each time.
    private func expectWhole(
        _ name: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        record: () async throws -> Void
    ) async throws {
        var tries: [String] = []
        for _ in 1...3 {
            try await record()
            let heard = Sound.align(try recording(name), to: decodedSpeech)
            // At the beginning the jitter buffer may still be filling: its target is 40 ms.
            let missing = decodedSpeech.count - heard.overlap
            if heard.correlation > 0.95, missing <= 2 * AudioFormat.samplesPerFrame { return }
            tries.append("\(heard)")
        }
        Issue.record("\(name) is not what was said: \(tries)", sourceLocation: sourceLocation)
    }

    @Test(.timeLimit(.minutes(3)), arguments: ["wav", "ogg"])
    func `speech played by the caller is heard whole by the callee, and the other way round`(ending: String)
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
    func `generic:echo sends back what it hears`() async throws {
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
        let phone = try Program(
            ["phone", "alice", "--hub", url, "--call", "tone", "--record", path("tone.wav"), "--for", "2"],
            in: folder
        )
        #expect(await phone.exitCode() == 0)
        let heard = Array(try recording("tone.wav").dropFirst(AudioFormat.samplesPerSecond / 4))
        #expect(heard.count > AudioFormat.samplesPerSecond * 3 / 2)
        #expect(abs(try #require(Sound.dominantFrequency(heard)) - 440) < 1)
        #expect(Sound.shareOfEnergy(at: 440, in: heard) > 0.95)
        #expect(Sound.gaps(heard) == [])
    }

    @Test(.timeLimit(.minutes(1)))
    func `generic:music is the hold music, the same position for everybody`() async throws {
        let phones = try ["alice", "bob"].map { name in
            let file = path("\(name).wav")
            return try Program(
                ["phone", name, "--hub", url, "--call", "music", "--record", file, "--for", "3"],
                in: folder
            )
        }
        for phone in phones { #expect(await phone.exitCode() == 0) }
        let loop = HoldMusic.loop()
        for name in ["alice.wav", "bob.wav"] {
            let heard = Array(try recording(name).dropFirst(AudioFormat.samplesPerSecond / 2))
            #expect(Sound.align(loop + loop, to: heard).correlation > 0.9)
        }
    }
}
