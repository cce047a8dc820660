import HubEngine

/// Writes call detail records to a file, one line each.
///
/// While the disk is full, records are lost, with one warning; later ones are written again.
package final class CDRWriter: Sendable {
    private let writer: LineWriter

    /// Makes a writer to `path`, a file that is appended to; nothing is written before `begin()`.
    ///
    /// - Throws: `LineFileError` if the file cannot be opened.
    init(to path: String, log: HubLog) throws(LineFileError) {
        let purpose = LineWriter.Purpose(
            beginning: "writing call detail records",
            loss: "call detail records lost; calls continue",
            thread: "records",
            endsWithLoss: false
        )
        writer = LineWriter(to: try LineFile(appendingTo: path), for: purpose, log: log)
    }

    /// Writes the record of a call that has ended.
    func append(_ record: CallRecord) {
        writer.add { record.encode(into: &$0) }
    }

    /// Begins to write, once the hub runs.
    func begin() { writer.begin() }

    /// Writes the pending lines and closes the file; see `LineWriter.finish()`.
    func finish() { writer.finish() }
}
