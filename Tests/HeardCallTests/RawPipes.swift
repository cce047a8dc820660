import Foundation
import HubMedia
import HubTestSupport

/// Raw sound in named pipes.
enum RawPipe {
    /// Reads some seconds of sound.
    static func read(_ path: String, seconds: Int) async throws -> [Int16] {
        try await blocking {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            var bytes = Data()
            while bytes.count < seconds * 96_000, let more = try file.read(upToCount: 9_600), !more.isEmpty {
                bytes += more
            }
            return bytes.prefix(seconds * 96_000).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        }
    }

    /// Writes some seconds of a tone, as fast as the pipe takes them.
    static func write(_ path: String, hertz: Double, seconds: Int) async throws {
        try await blocking {
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            var tone = Tone(hertz: hertz)
            for _ in 0..<(50 * seconds) {
                let piece = tone.next(AudioFormat.samplesPerFrame)
                try file.write(contentsOf: piece.withUnsafeBytes { Data($0) })
            }
            try file.close()
        }
    }
}
