import HubMedia
import HubTestSupport

/// A hub as its users run it, and the folder of what is said and heard in its calls.
struct HeardHub {
    let folder: TemporaryFolder
    let url: String
    private let program: Program

    init() async throws {
        folder = try TemporaryFolder()
        program = try Program(["serve", "--listen", "127.0.0.1:0"], in: folder)
        let address = try await program.line(with: "listens on")
        let port = address.split { !$0.isNumber }.compactMap { Int($0) }.last { $0 > 1023 } ?? 0
        url = "ws://127.0.0.1:\(port)/v1"
    }

    func path(_ name: String) -> String { folder.path + "/" + name }

    func samples(of name: String) throws -> [Int16] { try recordedSamples(at: path(name)) }

    /// Writes a file of spoken words, and returns its samples as a phone sends them: encoded and decoded by Opus.
    func speech(_ words: String, in name: String) throws -> [Int16] {
        var writer = try WAVWriter(path: path(name))
        try writer.append(try Speech.espeak(words))
        try writer.close()
        let stream = try OpusPacketStream(openAudioSource(path(name)))
        var decoder = try OpusDecoder()
        var samples: [Int16] = []
        while let packet = try stream.nextPacket() { samples += try decoder.decode(packet.bytes) }
        return samples
    }
}
