import BenchmarkSupport

/// What was measured, as what each of many took.
struct Measurement: Codable {
    /// What is promised something of.
    enum Subject: String, Codable {
        /// Calls kept, in whatever company they come.
        case callsKept
        /// A whole directory written.
        case directoryStored
        /// A whole directory read at the start.
        case directoryRead
        /// A number looked up in memory.
        case lookUp
        /// Shown beside.
        case other
    }

    /// What it is.
    var subject: Subject
    /// Its name for people.
    var name: String
    /// How many were done at a time.
    var count: Int
    /// Seconds for all of them: the median of the rounds.
    var seconds: Double
    /// The rounds.
    var rounds: [Double]

    /// The rounds of one thing.
    init(_ subject: Subject, _ name: String, count: Int = 1, _ rounds: [Double]) {
        self.subject = subject
        self.name = name
        self.count = count
        self.rounds = rounds
        seconds = median(rounds)
    }

    /// Microseconds each.
    var microsecondsEach: Double { seconds / Double(count) * 1e6 }
    /// How many a second.
    var perSecond: Double { Double(count) / seconds }
}
