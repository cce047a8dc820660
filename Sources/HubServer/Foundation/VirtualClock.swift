package import HubEngine

/// A simulated clock: it stands still until it is advanced.
///
/// For one thread, that of its simulated hub.
package final class VirtualClock: TimeSource, @unchecked Sendable {
    /// The time at the start.
    let start: Instant
    private var elapsed: UInt64 = 0
    /// The error of the wall clock, positive if it is fast; counted durations do not depend on it.
    package var wallClockOffset: Duration = .zero

    /// Creates a clock that starts at a date.
    package init(start: Instant) {
        self.start = start
    }

    /// The nanoseconds since the start.
    package override var uptimeNanoseconds: UInt64 { elapsed }

    /// The time of the wall clock.
    override var date: Instant { now + wallClockOffset }

    /// A zone that is the same on each machine.
    override var timeZone: String { "UTC" }

    /// The time without the error of the wall clock.
    package var now: Instant { Instant(nanoseconds: start.nanoseconds &+ Int64(clamping: uptimeNanoseconds)) }

    /// Advances the clock to an instant; an earlier one has no effect.
    package func advance(to instant: Instant) {
        elapsed = max(elapsed, UInt64(max(0, instant.nanoseconds &- start.nanoseconds)))
    }
}
