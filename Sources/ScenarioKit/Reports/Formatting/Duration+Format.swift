/// The formatting of durations in reports.
extension Duration {
    /// The duration in seconds with three decimal places: `1.204`.
    var inSeconds: String { seconds(positions: 3) }

    /// The duration in words: `42 ms`, `1.2 s`, `3 min 20 s`.
    var inWords: String {
        let milliseconds = wholeMilliseconds
        if milliseconds < 1_000 { return "\(milliseconds) ms" }
        if milliseconds < 60_000 { return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s" }
        return "\(milliseconds / 60_000) min \(milliseconds % 60_000 / 1_000) s"
    }

    /// The duration in milliseconds, rounded down; limited to 10^15, so that sums do not overflow.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let bounded = min(max(seconds, 0), 1_000_000_000_000)
        return Int(bounded) * 1_000 + Int(max(attoseconds, 0) / 1_000_000_000_000_000)
    }

    /// Returns the duration in seconds with 1 to 9 decimal places, rounded down.
    func seconds(positions: Int) -> String {
        let (seconds, attoseconds) = components
        let nanoseconds = String(max(attoseconds, 0) / 1_000_000_000)
        let padded = String(repeating: "0", count: max(9 - nanoseconds.count, 0)) + nanoseconds
        return "\(max(seconds, 0)).\(padded.prefix(min(max(positions, 1), 9)))"
    }
}
