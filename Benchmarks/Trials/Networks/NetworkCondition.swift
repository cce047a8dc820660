import BenchmarkSupport

/// How a network between two hosts is.
struct NetworkCondition: Encodable, Sendable {
    /// One way, each way.
    var delayMilliseconds = 0
    /// Of a hundred IP packets, each way, one by one.
    var lossPercent = 0
    /// Each way, IP headers included; nil: as much as comes.
    var kilobitsPerSecond: Int?
    /// For so long nothing passes, in the middle of the call.
    var outageSeconds = 0

    /// Those of the table.
    static let all = [
        NetworkCondition(),
        NetworkCondition(delayMilliseconds: 20),
        NetworkCondition(delayMilliseconds: 80),
        NetworkCondition(delayMilliseconds: 150),
        NetworkCondition(delayMilliseconds: 20, lossPercent: 1),
        NetworkCondition(delayMilliseconds: 20, lossPercent: 3),
        NetworkCondition(delayMilliseconds: 80, lossPercent: 1),
        NetworkCondition(delayMilliseconds: 80, lossPercent: 3),
        NetworkCondition(delayMilliseconds: 20, kilobitsPerSecond: 128),
        NetworkCondition(delayMilliseconds: 20, outageSeconds: 2),
        NetworkCondition(delayMilliseconds: 20, outageSeconds: 10),
    ]

    /// In a few words.
    var name: String {
        var words = ["\(delayMilliseconds) ms"]
        if lossPercent > 0 { words.append("\(lossPercent) % lost") }
        if let kilobitsPerSecond { words.append("\(kilobitsPerSecond) kbit/s") }
        if outageSeconds > 0 { words.append("\(outageSeconds) s outage") }
        return words.joined(separator: ", ")
    }
}
