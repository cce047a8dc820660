import BenchmarkSupport

/// What is measured.
enum Operation: String, Codable, CaseIterable {
    /// One action on a connected call, by turns: mute, unmute, hold, resume, a digit.
    case transaction
    /// A call from its start until both can speak.
    case setUp
    /// The end of a connected call.
    case end
    /// Set up and ended.
    case call
    /// A standing call, chosen at random, ended and set up anew: what it has is in no cache any more.
    case turnover

    /// Its name for people.
    var name: String {
        switch self {
        case .transaction: "transaction"
        case .setUp: "set-up"
        case .end: "end"
        case .call: "set-up and end"
        case .turnover: "a standing call ended, set up anew"
        }
    }
}

/// One operation with so many calls standing beside.
struct Measurement: Codable {
    /// What was done.
    var operation: Operation
    /// Calls that lived meanwhile.
    var standing: Int
    /// Microseconds each, by the monotonic clock: the median of the slices.
    var microsecondsEach: Double
    /// CPU microseconds each: the median of the slices.
    var cpuMicrosecondsEach: Double
    /// How many of it are done in a second, by the monotonic clock.
    var perSecond: Double
    /// How many of it one core does in a second of its time: what others took of the machine meanwhile is not in it.
    var perSecondOfOneCore: Double
    /// Calls of the allocator for each; nil where they could not be counted.
    var allocationsEach: Double?
    /// The slices, each a number of the operations one after another.
    var slices: [Span]

    /// The slices of one operation.
    init(_ operation: Operation, standing: Int, _ slices: [Span]) {
        self.operation = operation
        self.standing = standing
        self.slices = slices
        microsecondsEach = median(slices.map(\.microsecondsEach))
        cpuMicrosecondsEach = median(slices.map(\.cpuMicrosecondsEach))
        perSecond = 1_000_000 / microsecondsEach
        perSecondOfOneCore = 1_000_000 / cpuMicrosecondsEach
    }
}
