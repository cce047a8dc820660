import BenchmarkSupport

/// The properties of a network between two hosts.
struct NetworkCondition: Encodable, Sendable {
    /// The one-way delay in each direction.
    var delayMilliseconds = 0
    /// The share of IP packets lost in each direction, in percent, independently of one another.
    var lossPercent = 0
    /// The rate in each direction, IP headers included; nil: no limit.
    var kilobitsPerSecond: Int?
    /// The length of an outage in the middle of the call, in seconds.
    var outageSeconds = 0

    /// The conditions of the table.
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

    /// The condition in a few words.
    var name: String {
        var words = ["\(delayMilliseconds) ms"]
        if lossPercent > 0 { words.append("\(lossPercent) % lost") }
        if let kilobitsPerSecond { words.append("\(kilobitsPerSecond) kbit/s") }
        if outageSeconds > 0 { words.append("\(outageSeconds) s outage") }
        return words.joined(separator: ", ")
    }
}
