import HubEngine

/// The progress of the hub's stop: no new calls, and the end of those there are.
struct DrainState {
    /// True if the hub is about to stop, when all sessions have ended.
    private(set) var isDraining = false
    /// The time at which the last call ends at the latest.
    private(set) var ends = Instant(nanoseconds: 0)

    /// Begins to drain, or changes the time.
    mutating func begin(until end: Instant) {
        isDraining = true
        ends = end
    }

    /// Returns the seconds, rounded up, after which the hub will be gone.
    func secondsLeft(at now: Instant) -> Int64 {
        Int64((max(.zero, ends.since(now)) / .seconds(1)).rounded(.up)) + 1
    }
}
