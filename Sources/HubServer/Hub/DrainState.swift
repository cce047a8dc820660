import HubEngine

/// The progress of a graceful stop: new calls are refused, current ones end at a deadline.
struct DrainState {
    /// True if the hub is about to stop, when all sessions have ended.
    private(set) var isDraining = false
    /// The deadline at which the remaining calls are ended.
    private(set) var ends = Instant(nanoseconds: 0)

    /// Begins to drain, or changes the time.
    mutating func begin(until end: Instant) {
        isDraining = true
        ends = end
    }

    /// Returns the seconds, rounded up, until the hub has stopped.
    func secondsLeft(at now: Instant) -> Int64 {
        Int64((max(.zero, ends.since(now)) / .seconds(1)).rounded(.up)) + 1
    }
}
