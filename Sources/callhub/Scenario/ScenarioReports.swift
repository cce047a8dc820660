import Foundation
import ScenarioKit

/// The files that a command's runs are written to when they are over; safe on any thread.
final class ScenarioReports: @unchecked Sendable {
    static let trace = Option(
        "--trace",
        value: "FILE",
        help: "every message of every device, a line of JSON each, with the time and whose it is"
    )
    static let options = [trace]

    /// An option, and what is written to its file.
    private static let kinds: [(option: Option, text: @Sendable ([RunRecord]) -> String)] = [
        (trace, { TraceFile($0).text })
    ]

    private let lock = NSLock()
    private let files: [(path: String, text: @Sendable ([RunRecord]) -> String)]
    private var records: [RunRecord] = []

    /// The reports that a command line asks for.
    init(_ given: Arguments) {
        files = Self.kinds.compactMap { option, text in given[option].map { ($0, text) } }
    }

    /// Takes a run that is over; it is kept only where somebody wants it.
    func add(_ record: RunRecord) {
        guard !files.isEmpty else { return }
        lock.withLock { records.append(record) }
    }

    /// Writes all files.
    ///
    /// - Throws: `CommandFailure` where one cannot be written.
    func write() throws(CommandFailure) {
        let records = lock.withLock { self.records }
        for (path, text) in files {
            do {
                try Data(text(records).utf8).write(to: URL(filePath: path), options: .atomic)
            } catch {
                throw CommandFailure(2, "\(quoted(path)) cannot be written.")
            }
        }
    }
}
