import BenchmarkSupport

/// Who sends when: so many clients, each so often, spread evenly.
package struct Timetable {
    /// A client's turn to send.
    package struct Turn: Equatable {
        /// The client's number.
        package var client: Int
        /// How late it is for it, in nanoseconds.
        package var lateness: UInt64

        /// Whether it is too late to send after all.
        package var isMissed: Bool { lateness > Timetable.patienceNanoseconds }
    }

    /// Packets later than this are not sent after all.
    ///
    /// Higher: a stalled generator makes up for it in a burst that measures nothing; lower: it leaves out more.
    private static let patienceNanoseconds: UInt64 = 100_000_000

    private let clients: UInt64
    private let spacing: UInt64
    private let start: UInt64
    private var nextNumber: UInt64 = 0

    /// Begins now.
    package init(clients: Int, packetsPerSecond: Int) {
        self.clients = UInt64(clients)
        spacing = 1_000_000_000 / UInt64(packetsPerSecond * clients)
        start = monotonicNanoseconds()
    }

    /// When the next packet is due.
    package var due: UInt64 { start + nextNumber * spacing }

    /// The next turn, which is taken with that; nil where nobody's is due at `now`.
    package mutating func next(at now: UInt64) -> Turn? {
        let due = due
        guard due <= now else { return nil }
        let client = Int(nextNumber % clients)
        nextNumber += 1
        return Turn(client: client, lateness: now - due)
    }
}
