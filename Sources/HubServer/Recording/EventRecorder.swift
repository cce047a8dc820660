import HubEngine
import HubWire

/// Writes what comes into the engine to a file, so that `callhub replay` can do it again.
///
/// A disk that is full, or too slow, ends the recording: one with a hole could not be replayed.
final class EventRecorder: Sendable {
    private let writer: LineWriter

    /// The file that is written to.
    var path: String { writer.path }

    /// A recorder to `path`, a new or empty file, or a folder that gets one; nothing is written before `begin()`.
    ///
    /// - Throws: `RecordingError` where the file cannot be had.
    init(to path: String, log: HubLog) throws(RecordingError) {
        let purpose = LineWriter.Purpose(
            beginning: "recording events",
            loss: "recording of events has stopped; calls go on",
            thread: "recorder",
            endsWithLoss: true
        )
        writer = LineWriter(to: try RecordingFile(path), for: purpose, log: log)
    }

    /// Puts the first line down.
    func start(_ header: RecordingHeader) {
        writer.add { header.encode(into: &$0) }
    }

    /// An event is about to be handled.
    func record(_ event: Event, at now: Instant) {
        writer.add { EventRecord(time: now, .event(event)).encode(into: &$0) }
    }

    /// Time alone passes; worth a line where something is due.
    func recordTime(_ now: Instant, due: Instant?) {
        guard let due, due <= now else { return }
        writer.add { EventRecord(time: now, .timePassed).encode(into: &$0) }
    }

    /// How much waits to be written.
    var pendingBytes: Int { writer.pendingBytes }

    /// Begins to write; the hub runs.
    func begin() { writer.begin() }

    /// Writes what is pending and ends; see `LineWriter.finish()`.
    func finish() { writer.finish() }
}
