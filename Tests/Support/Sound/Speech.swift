import Foundation
import HubMedia

/// Speech for tests, made by the program `espeak-ng`.
public enum Speech {
    /// The error of speech that cannot be made.
    public struct Failure: Error, CustomStringConvertible {
        /// The reason, one sentence.
        public let description: String
    }

    /// Converts a text to speech.
    ///
    /// - Parameter text: English words; about 13 characters make a second.
    /// - Returns: Samples at 48 kHz, mono, with a little silence at both ends.
    /// - Throws: ``Failure`` if the program is not installed or fails.
    public static func espeak(_ text: String) throws -> [Int16] {
        let path = NSTemporaryDirectory() + "callhub-speech-\(UUID().uuidString).wav"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["espeak-ng", "-w", path, text]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let status = process.terminationStatus
            throw Failure(description: "espeak-ng ended with status \(status); it must be installed (apt: espeak-ng)")
        }
        var reader = try WAVReader(path: path)
        return try reader.readAll()
    }
}
