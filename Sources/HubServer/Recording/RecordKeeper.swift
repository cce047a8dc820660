import HubEngine

/// Writes the records of calls to a file, a line each.
///
/// A full disk costs the records of that time and one warning; the next ones are written again.
final class RecordKeeper: Sendable {
    private let writer: LineWriter

    /// A keeper to `path`, a file that is appended to; nothing is written before `begin()`.
    ///
    /// - Throws: `RecordingError` where the file cannot be had.
    init(to path: String, log: HubLog) throws(RecordingError) {
        let purpose = LineWriter.Purpose(
            beginning: "keeping records of calls",
            loss: "records of calls are lost; calls go on",
            thread: "records",
            endsWithLoss: false
        )
        writer = LineWriter(to: try RecordingFile(appendingTo: path), for: purpose, log: log)
    }

    /// Takes the record of a call that is over.
    func keep(_ record: CallRecord) {
        writer.add { record.encode(into: &$0) }
    }

    /// Begins to write; the hub runs.
    func begin() { writer.begin() }

    /// Writes what is pending and ends; see `LineWriter.finish()`.
    func finish() { writer.finish() }
}
