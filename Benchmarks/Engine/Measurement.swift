import BenchmarkSupport

/// The operations that are measured.
enum Operation: String, Codable, CaseIterable {
    /// One action on a connected call, in rotation: mute, unmute, hold, resume, a digit.
    case transaction
    /// A call from its start until both ends are connected.
    case setUp
    /// The end of a connected call.
    case end
    /// A call set up and ended.
    case call
    /// A standing call, chosen at random, ended and set up anew, so that its data is in no cache any more.
    case turnover

    /// The name in tables.
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

/// The figures of one operation beside a number of standing calls.
struct Measurement: Codable {
    /// The operation measured.
    var operation: Operation
    /// The number of calls that stood meanwhile.
    var standing: Int
    /// Microseconds an operation, by the monotonic clock: the median of the slices.
    var microsecondsEach: Double
    /// CPU microseconds an operation: the median of the slices.
    var cpuMicrosecondsEach: Double
    /// Operations a second, by the monotonic clock.
    var perSecond: Double
    /// Operations in a second of one core's CPU time, which leaves out the time that other programs took.
    var perSecondOfOneCore: Double
    /// Calls of the allocator an operation; nil if they could not be counted.
    var allocationsEach: Double?
    /// The slices, each with its number of operations and their times.
    var slices: [RepetitionCost]

    /// The figures of one operation's slices.
    init(_ operation: Operation, standing: Int, _ slices: [RepetitionCost]) {
        self.operation = operation
        self.standing = standing
        self.slices = slices
        microsecondsEach = median(slices.map(\.microsecondsEach))
        cpuMicrosecondsEach = median(slices.map(\.cpuMicrosecondsEach))
        perSecond = 1_000_000 / microsecondsEach
        perSecondOfOneCore = 1_000_000 / cpuMicrosecondsEach
    }
}
