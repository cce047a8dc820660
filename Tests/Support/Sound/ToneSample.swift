import Foundation
import HubMedia

/// A program of `Samples` at a hub, whose microphone is a file with a tone and whose receiver is a file.
public final class ToneSample {
    /// The program, to type at.
    public let program: Program
    private let folder: TemporaryFolder
    private let file: String

    /// Writes the microphone's file, starts the program and waits until it is ready.
    ///
    /// - Parameters:
    ///   - name: The name of the program.
    ///   - account: The account that it signs in as.
    ///   - url: The URL of the hub, such as `ws://127.0.0.1:8080/v1`.
    ///   - hertz: The tone that its user says.
    ///   - folder: The folder of the two files.
    ///   - environment: Further variables, such as `CALLHUB_DEVICE`.
    /// - Throws: An error if the program does not start.
    public init(
        _ name: String,
        as account: String,
        at url: String,
        hertz: Double,
        in folder: TemporaryFolder,
        environment: [String: String] = [:]
    ) async throws {
        self.folder = folder
        file = folder.path + "/\(account)-hears.wav"
        let microphone = folder.path + "/\(account)-says.wav"
        var writer = try WAVWriter(path: microphone)
        var tone = Tone(hertz: hertz, amplitude: 0.2)
        // Longer than the call: what is said before it, or after it, would be heard as well.
        for _ in 0..<(120 * 50) { try writer.append(tone.next(AudioFormat.samplesPerFrame)) }
        try writer.close()
        program = try Program(
            [],
            program: URL(filePath: Program.path).deletingLastPathComponent().appending(path: name).path(),
            in: folder,
            isTypedAt: true,
            environment: [
                "CALLHUB_URL": url, "CALLHUB_ACCOUNT": account, "CALLHUB_AUDIO_IN": "file:" + microphone,
                "CALLHUB_AUDIO_OUT": "file:" + file,
            ].merging(environment) { $1 },
            withErrors: true
        )
        try await program.line(with: "ready")
    }

    /// The number of samples that its user has heard so far.
    public var position: Int { Self.sampleCount(of: file) }

    /// Waits until its user has heard a number of samples.
    public func hear(upTo position: Int) async throws {
        let watch = try FolderWatch(folder)
        try await blocking { [file] in
            while Self.sampleCount(of: file) < position {
                guard watch.wait(seconds: 20) else {
                    throw Silence(file: file, position: Self.sampleCount(of: file), wanted: position)
                }
            }
        }
    }

    /// Waits until its user has heard a second, after what was still under way; returns the place of that second.
    public func hearSecond() async throws -> Range<Int> {
        let start = position + AudioFormat.samplesPerSecond * 3 / 10
        let second = start..<(start + AudioFormat.samplesPerSecond)
        try await hear(upTo: second.upperBound)
        return second
    }

    /// All samples that its user has heard.
    public func recording() throws -> [Int16] { try recordedSamples(at: file) }

    /// Types `quit`, and returns the exit code.
    public func quit() async throws -> Int32 {
        try program.type("quit")
        return await program.exitCode()
    }

    private struct Silence: Error {
        let file: String
        let position: Int
        let wanted: Int
    }

    private static func sampleCount(of file: String) -> Int {
        let size = try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
        return max(0, (size ?? 0) - headerBytes) / 2
    }

    private static let headerBytes = 44
}
