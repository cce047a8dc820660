import BrowserKit
import Foundation

/// The CPU time of some pages in a stretch of time.
struct CPUUsage: CustomStringConvertible {
    /// The CPU time a page, in percent of one core.
    let percent: Double
    /// The same of each kind of thread, by its process and name.
    let threads: [String: Double]
    /// The times a second and page that each kind of thread was given a core.
    private let runs: [String: Double]

    init(_ from: [Int: ThreadTime], _ until: [Int: ThreadTime], in time: Duration, pages: Int) {
        let milliseconds = time / .milliseconds(1) * Double(pages)
        var (threads, runs): ([String: Double], [String: Double]) = ([:], [:])
        for (thread, end) in until {
            let start = from[thread]
            threads[end.name, default: 0] += (end.milliseconds - (start?.milliseconds ?? 0)) / milliseconds * 100
            runs[end.name, default: 0] += (end.runs - (start?.runs ?? 0)) / milliseconds * 1_000
        }
        (self.threads, self.runs) = (threads, runs)
        percent = threads.values.reduce(0, +)
    }

    var description: String {
        let most = threads.sorted { $0.value > $1.value }.prefix(16)
        let lines = most.map { name, share in
            "  \(Self.decimal(share)) %  \(Int(runs[name] ?? 0)) runs a second  \(name)\n"
        }
        return "\(Self.decimal(percent)) % of a core a page\n\(lines.joined())"
    }

    private static func decimal(_ value: Double) -> String { String(format: "%5.2f", value) }
}

/// The figures of a run of `make bench-browser`.
struct CPUReport: Encodable {
    /// The median of the rounds, by what was measured.
    let percentOfCoreAPage: [String: Double]
    /// The figure of each round.
    let rounds: [String: [Double]]
    /// The shares of the threads in the last round.
    let threads: [String: [String: Double]]

    func write(to file: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: URL(filePath: file))
        print(table)
    }

    /// The medians as a table, beside the call of the older phone and that of WebRTC where both were measured.
    private var table: String {
        let rows = percentOfCoreAPage.sorted { $0.value > $1.value }.map { name, share in
            let ratios = ["phone-before", "webrtc"].map { ratio(of: share, to: $0) }
            return "| \(name) | \(Self.decimal(share)) | \(ratios.joined(separator: " | ")) |"
        }
        let head = ["| | % of a core a page | of phone-before | of webrtc |", "|---|---|---|---|"]
        return (head + rows).joined(separator: "\n")
    }

    private func ratio(of share: Double, to name: String) -> String {
        percentOfCoreAPage[name].map { $0 > 0 ? Self.decimal(share / $0) : "-" } ?? "-"
    }

    private static func decimal(_ value: Double) -> String { String(format: "%.2f", value) }
}

/// A voice for the fake microphone, made of a pitch with overtones in syllables and pauses.
enum Voice {
    /// Returns a WAV file, mono with 16 bits at 48 kHz.
    static func wav(seconds: Int) -> Data {
        var samples: [Int16] = []
        var phase = 0.0
        for index in 0..<(48_000 * seconds) {
            let time = Double(index) / 48_000
            phase += (130 + 25 * sin(2 * .pi * 0.7 * time)) / 48_000
            // Four syllables a second, and a pause of a third of each three seconds.
            let syllable = max(0, sin(2 * .pi * 4 * time)) * (time.truncatingRemainder(dividingBy: 3) < 2 ? 1 : 0)
            let tone = (1...12).reduce(0) { $0 + sin(2 * .pi * phase * Double($1)) / Double($1) }
            samples.append(Int16(6_000 * syllable * tone / 2))
        }
        func bytes<T: FixedWidthInteger>(_ value: T) -> Data { withUnsafeBytes(of: value.littleEndian) { Data($0) } }
        let size = UInt32(samples.count * 2)
        let format = bytes(UInt32(16)) + bytes(UInt16(1)) + bytes(UInt16(1)) + bytes(UInt32(48_000))
        let head = Data("RIFF".utf8) + bytes(size + 36) + Data("WAVEfmt ".utf8) + format
        let rest = bytes(UInt32(96_000)) + bytes(UInt16(2)) + bytes(UInt16(16)) + Data("data".utf8) + bytes(size)
        return head + rest + samples.map(bytes).reduce(into: Data()) { $0 += $1 }
    }
}
