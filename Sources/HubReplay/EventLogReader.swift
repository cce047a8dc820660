import CommandLineTools
import HubEngine
import HubWire

/// Reads an event log; an error is one sentence with the line's number.
struct EventLogReader {
    /// The event log's header, from the first line.
    let header: EventLogHeader
    /// Indicates that the last line is incomplete: the hub was killed, or its disk was full.
    private(set) var isCutOff = false

    private var lines: LineReader
    private var lastTime = Instant(nanoseconds: .min)

    /// The file's name for messages.
    var name: String { lines.name }
    /// The number of lines read so far.
    var line: Int { lines.line }

    /// Opens a file and reads its first line; `-` is standard input.
    init(_ path: String) throws(UsageError) {
        lines = try LineReader(path, longest: Self.longestLine)
        guard let (text, isComplete) = try lines.next() else {
            throw UsageError("\(lines.name) is empty; it must be a file that `callhub serve --record-events` wrote.")
        }
        do throws(EventLogError) {
            header = try EventLogHeader(parsing: text)
        } catch {
            guard isComplete else { throw UsageError("\(lines.name) breaks off in its first line; it holds no event.") }
            throw UsageError(
                "\(lines.name):1: \(error.message); the first line must be the one `callhub serve --record-events` wrote."
            )
        }
    }

    /// Reads the next event; nil: the end of the event log.
    mutating func next() throws(UsageError) -> EventLogEntry? {
        guard let (text, isComplete) = try lines.next() else { return nil }
        let entry: EventLogEntry
        do throws(EventLogError) {
            entry = try EventLogEntry(parsing: text)
        } catch {
            guard isComplete else {
                isCutOff = true
                return nil
            }
            throw UsageError("\(name):\(line): \(error.message).")
        }
        guard entry.time >= lastTime else {
            throw UsageError("\(name):\(line): time is before that of the line above; it must not be.")
        }
        lastTime = entry.time
        return entry
    }

    /// The maximum length of a line in bytes: a few times the largest message that a hub can be set to accept.
    private static let longestLine = 128 << 20
}
