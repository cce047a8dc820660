/// How slow a device's connection is made: what goes over it is through later; without I/O.
///
/// Each way has a lane of its own. Messages stay whole and in order, as over TCP.
struct LinkShape {
    /// One way of a connection.
    struct Lane {
        /// What is on its way, with the moment at which it is through.
        private(set) var waiting: [(due: Duration, message: LineMessage)] = []
        /// Until when the line is busy with what was sent before.
        private var busyUntil = Duration.zero

        /// When the next message is through; nil: none is on its way.
        var due: Duration? { waiting.first?.due }

        /// How far the line is behind.
        func backlog(at now: Duration) -> Duration { max(.zero, busyUntil - now) }

        /// A message sets out.
        mutating func send(_ message: LineMessage, _ shape: LinkShape, at now: Duration) {
            busyUntil = max(busyUntil, now)
            if let rate = shape.bitsPerSecond, rate > 0 {
                busyUntil += .nanoseconds(Int64(message.byteCount) * 8 * 1_000_000_000 / Int64(rate))
            }
            let due = max(busyUntil + shape.delay, waiting.last?.due ?? .zero)
            waiting.append((due, message))
        }

        /// What is through by now.
        mutating func arrived(at now: Duration) -> [LineMessage] {
            let count = waiting.prefix { $0.due <= now }.count
            defer { waiting.removeFirst(count) }
            return waiting.prefix(count).map(\.message)
        }
    }

    /// How much later everything comes, each way.
    var delay = Duration.zero
    /// How much goes through, each way; nil: everything.
    var bitsPerSecond: Int?
    /// To the hub.
    var up = Lane()
    /// To the device.
    var down = Lane()

    /// Whether it does anything at all.
    var isPlain: Bool { delay == .zero && bitsPerSecond == nil && up.due == nil && down.due == nil }

    /// When something is through next.
    var due: Duration? {
        guard let up = up.due, let down = down.due else { return up.due ?? down.due }
        return min(up, down)
    }

    /// What is on its way is lost.
    mutating func clear() { (up, down) = (Lane(), Lane()) }
}
