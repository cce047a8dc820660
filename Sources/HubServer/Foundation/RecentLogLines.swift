import Foundation
import HubEngine

/// The last warnings and errors of a hub's log, for its administrator.
public final class RecentLogLines: @unchecked Sendable {
    /// A line of the log.
    struct Line {
        let at: Instant
        let level: LogSettings.Level
        let text: String
    }

    private let lock = NSLock()
    private var lines: [Line] = []

    /// Makes an empty list.
    public init() {}

    /// Adds a line, in place of the oldest one if there are too many.
    func add(_ line: Line) {
        lock.withLock {
            if lines.count == Self.capacity { lines.removeFirst() }
            lines.append(line)
        }
    }

    /// The lines, the newest first.
    var newestFirst: [Line] { lock.withLock { lines.reversed() } }

    /// More: an administrator sees further back; more memory, and longer answers.
    private static let capacity = 50
}
