import HubEngine
import HubWire

/// Writes the engine's input to a file, so that `callhub replay` can repeat it.
///
/// The engine is a value that its seed, its times and its events decide, so that the file repeats every call. An entry
/// is written before the engine handles the event, and one for its timers where some are due.
///
/// A full or too slow disk ends the event log: one with a gap could not be replayed.
package final class EventLogWriter: Sendable {
    private let writer: LineWriter

    /// The path of the file.
    var path: String { writer.path }

    /// Makes a writer to `path`: a new or empty file, or a folder, in which a file is made.
    ///
    /// Nothing is written before `begin()`.
    ///
    /// - Throws: `LineFileError` if the file cannot be opened.
    init(to path: String, log: HubLog) throws(LineFileError) {
        let purpose = LineWriter.Purpose(
            beginning: "writing the event log",
            loss: "the event log has stopped; calls continue",
            thread: "recorder",
            endsWithLoss: true
        )
        writer = LineWriter(to: try LineFile(path), for: purpose, log: log)
    }

    /// Records the first line.
    func start(_ header: EventLogHeader) {
        writer.add { header.encode(into: &$0) }
    }

    /// Records an event that is about to be handled.
    func record(_ event: Event, at now: Instant) {
        writer.add { EventLogEntry(time: now, .event(event)).encode(into: &$0) }
    }

    /// Records the passing of time, if a deadline of the engine is due.
    func recordTime(_ now: Instant, due: Instant?) {
        guard let due, due <= now else { return }
        writer.add { EventLogEntry(time: now, .timePassed).encode(into: &$0) }
    }

    /// The number of bytes that wait to be written.
    var pendingBytes: Int { writer.pendingBytes }

    /// Begins to write, once the hub runs.
    func begin() { writer.begin() }

    /// Writes the pending lines and closes the file; see `LineWriter.finish()`.
    func finish() { writer.finish() }
}
