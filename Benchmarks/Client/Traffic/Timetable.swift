import BenchmarkSupport

/// The sending times of all clients, each at the same rate, spread evenly.
package struct Timetable {
    /// A client's turn to send.
    package struct Turn: Equatable {
        /// The client's number.
        package var client: Int
        /// The delay behind the time at which the packet was due, in nanoseconds.
        package var lateness: UInt64

        /// Indicates that it is too late to send the packet at all.
        package var isMissed: Bool { lateness > Timetable.maximumLatenessNanoseconds }
    }

    /// The lateness, in nanoseconds, above which a packet is not sent at all.
    ///
    /// Higher: a stalled generator catches up in a burst that measures nothing; lower: it leaves out more packets.
    private static let maximumLatenessNanoseconds: UInt64 = 100_000_000

    private let clients: UInt64
    private let spacing: UInt64
    private let start: UInt64
    private var nextNumber: UInt64 = 0

    /// A timetable whose first packet is due now.
    package init(clients: Int, packetsPerSecond: Int) {
        self.clients = UInt64(clients)
        spacing = 1_000_000_000 / UInt64(packetsPerSecond * clients)
        start = monotonicNanoseconds()
    }

    /// The time at which the next packet is due, in nanoseconds of the monotonic clock.
    package var due: UInt64 { start + nextNumber * spacing }

    /// Removes the next turn from the timetable and returns it; nil if none is due at `now`.
    package mutating func next(at now: UInt64) -> Turn? {
        let due = due
        guard due <= now else { return nil }
        let client = Int(nextNumber % clients)
        nextNumber += 1
        return Turn(client: client, lateness: now - due)
    }
}
