import BenchmarkSupport

/// The times of repeated operations of one kind.
struct Measurement: Codable {
    /// The kinds of operation that have a threshold, and `other`.
    enum Subject: String, Codable {
        /// Ended calls stored, alone or beside other work.
        case callsKept
        /// A whole directory written.
        case directoryStored
        /// A whole directory read at the start.
        case directoryRead
        /// A number looked up in memory.
        case lookUp
        /// An operation without a threshold, shown beside the others.
        case other
    }

    /// The kind of operation.
    var subject: Subject
    /// The name in the table.
    var name: String
    /// The number of operations in a round.
    var count: Int
    /// Seconds for the operations of a round: the median of the rounds.
    var seconds: Double
    /// Seconds for the operations of each round.
    var rounds: [Double]

    /// The figures of those rounds.
    init(_ subject: Subject, _ name: String, count: Int = 1, _ rounds: [Double]) {
        self.subject = subject
        self.name = name
        self.count = count
        self.rounds = rounds
        seconds = median(rounds)
    }

    /// Microseconds an operation.
    var microsecondsEach: Double { seconds / Double(count) * 1e6 }
    /// Operations a second.
    var perSecond: Double { Double(count) / seconds }
}
