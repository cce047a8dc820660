import HubEngine

/// A simulated clock: it stands still until it is advanced.
///
/// For one thread, that of its simulated hub.
final class VirtualTime: @unchecked Sendable {
    /// The time at the start.
    let start: Instant
    /// The nanoseconds since the start.
    private(set) var ticks: UInt64 = 0
    /// The error of the wall clock, positive if it is fast; counted durations do not depend on it.
    var wallError: Duration = .zero

    /// Creates a clock that starts at a date.
    init(start: Instant) {
        self.start = start
    }

    /// The time without the error of the wall clock.
    var now: Instant { Instant(nanoseconds: start.nanoseconds &+ Int64(clamping: ticks)) }

    /// The time of the wall clock.
    var wallTime: Instant { now + wallError }

    /// Advances the clock to an instant; an earlier one has no effect.
    func advance(to instant: Instant) {
        ticks = max(ticks, UInt64(max(0, instant.nanoseconds &- start.nanoseconds)))
    }
}
