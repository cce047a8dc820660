import Foundation
import HubMedia

/// A folder that is there as long as this object.
final class TestFolder {
    private let url = FileManager.default.temporaryDirectory.appending(path: "scenario-tests-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// A WAV file of tones that follow on one another, 180 ms each.
    func wave(_ name: String, hertz: [Double]) throws -> String {
        let path = url.appending(path: name).path()
        var tones = hertz.map { Tone(hertz: $0) }
        var writer = try WAVWriter(path: path)
        for index in 0..<(9 * tones.count * 2) { try writer.append(tones[index / 9 % tones.count].next(960)) }
        try writer.close()
        return path
    }
}
