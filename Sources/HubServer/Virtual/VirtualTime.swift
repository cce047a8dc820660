import HubEngine

/// A clock that is told the time: it stands still in between.
///
/// One thread's, like the virtual hub that it belongs to.
final class VirtualTime: @unchecked Sendable {
    /// What it showed at first.
    let start: Instant
    /// Nanoseconds since then.
    private(set) var ticks: UInt64 = 0
    /// How much the clocks on the walls are fast; what is counted does not go by them.
    var wallError: Duration = .zero

    /// A clock that shows a date.
    init(start: Instant) {
        self.start = start
    }

    /// What it shows.
    var now: Instant { Instant(nanoseconds: start.nanoseconds &+ Int64(clamping: ticks)) }

    /// What the clocks on the walls show.
    var wallTime: Instant { now + wallError }

    /// Goes on to a moment; never back.
    func advance(to instant: Instant) {
        ticks = max(ticks, UInt64(max(0, instant.nanoseconds &- start.nanoseconds)))
    }
}
