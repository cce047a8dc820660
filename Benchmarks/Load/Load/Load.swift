import BenchmarkSupport

/// An amount of traffic: the number of calls and each client's packets a second.
struct Load: Codable, Equatable {
    /// Calls at once, of two clients each.
    var calls: Int
    /// Packets that each client sends in a second, 1 to 50.
    var packetsPerSecond: Int

    /// Reads `1000`, or `1000@25` for fewer than `usual` packets a second.
    init(_ text: String, _ option: String, usual: Int) throws(BenchmarkError) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        calls = try number(parts[0], option, 1...8000)
        packetsPerSecond = parts.count == 2 ? try number(parts[1], option, 1...50) : usual
    }

    /// A load of that size.
    init(calls: Int, packetsPerSecond: Int) {
        self.calls = calls
        self.packetsPerSecond = packetsPerSecond
    }

    /// Packets that all clients together send in a second.
    var packetsInAll: Int { 2 * calls * packetsPerSecond }

    /// The load in the syntax of the option, such as `1000@25`.
    var text: String { "\(calls)@\(packetsPerSecond)" }
}
