/// A simulated delay and rate limit of a device's connection, without I/O.
///
/// Each direction has a queue of its own. Messages stay whole and in order, as over TCP.
struct LinkImpairment {
    /// One direction of a connection.
    struct DelayQueue {
        /// The messages on their way, with the times of their arrival.
        private(set) var waiting: [(due: Duration, message: ConnectionMessage)] = []
        /// The time until which earlier messages occupy the link.
        private var busyUntil = Duration.zero

        /// The arrival time of the next message; nil: none is on its way.
        var due: Duration? { waiting.first?.due }

        /// Returns the time until the link is free.
        func backlog(at now: Duration) -> Duration { max(.zero, busyUntil - now) }

        /// Puts a message on its way.
        mutating func send(_ message: ConnectionMessage, _ impairment: LinkImpairment, at now: Duration) {
            busyUntil = max(busyUntil, now)
            if let rate = impairment.bitsPerSecond, rate > 0 {
                busyUntil += .nanoseconds(Int64(message.byteCount) * 8 * 1_000_000_000 / Int64(rate))
            }
            let due = max(busyUntil + impairment.delay, waiting.last?.due ?? .zero)
            waiting.append((due, message))
        }

        /// Removes and returns the messages that have arrived.
        mutating func arrived(at now: Duration) -> [ConnectionMessage] {
            let count = waiting.prefix { $0.due <= now }.count
            defer { waiting.removeFirst(count) }
            return waiting.prefix(count).map(\.message)
        }
    }

    /// The additional delay in each direction.
    var delay = Duration.zero
    /// The rate limit in each direction; nil: none.
    var bitsPerSecond: Int?
    /// The direction to the hub.
    var up = DelayQueue()
    /// The direction to the device.
    var down = DelayQueue()

    /// Indicates that it has no effect: no delay, no limit, and no message on its way.
    var isUnimpaired: Bool { delay == .zero && bitsPerSecond == nil && up.due == nil && down.due == nil }

    /// The arrival time of the next message in either direction; nil: none is on its way.
    var due: Duration? {
        guard let up = up.due, let down = down.due else { return up.due ?? down.due }
        return min(up, down)
    }

    /// Discards the messages on their way.
    mutating func clear() { (up, down) = (DelayQueue(), DelayQueue()) }
}
