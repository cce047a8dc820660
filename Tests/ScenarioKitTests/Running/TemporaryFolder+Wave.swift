import Foundation
import HubMedia
import HubTestSupport

extension TemporaryFolder {
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
