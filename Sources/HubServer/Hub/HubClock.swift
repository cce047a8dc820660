import CUV
import Foundation
import HubEngine

/// The hub's clock: never goes back, and its instants are dates as well (nanoseconds since 1970).
///
/// The date is read once; from then on the monotonic clock counts, so that setting the system clock moves no deadline.
/// A simulated hub uses simulated time instead. Trivial: copying it counts no references.
struct HubClock: Sendable {
    private let offset: Int64
    private let virtual: Unmanaged<VirtualTime>?

    /// Makes a clock of the machine's time.
    init() {
        virtual = nil
        offset = Int64(Date().timeIntervalSince1970 * 1_000_000_000) &- Int64(truncatingIfNeeded: uv_hrtime())
    }

    /// Makes a clock of simulated time.
    ///
    /// - Parameter time: The simulated time; must outlive the clock.
    init(_ time: VirtualTime) {
        virtual = .passUnretained(time)
        offset = time.start.nanoseconds
    }

    /// The count of the monotonic clock, in nanoseconds.
    var ticks: UInt64 { virtual?._withUnsafeGuaranteedRef(\.ticks) ?? uv_hrtime() }

    /// Returns the local time in a zone, see `WallClock`; with simulated time, the hub's own zone is UTC.
    func wallTime(in zone: String) -> LocalTime? {
        guard let virtual else { return WallClock.time(in: zone) }
        let date = Double(virtual._withUnsafeGuaranteedRef(\.wallTime).nanoseconds) / 1_000_000_000
        return WallClock.time(in: zone.isEmpty ? "UTC" : zone, at: Date(timeIntervalSince1970: date))
    }

    /// The date by the wall clock, which may be set while the hub runs.
    private var date: Instant {
        if let virtual { return virtual._withUnsafeGuaranteedRef(\.wallTime) }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    /// Returns the instant at which the wall clock reaches a date, unless that clock is set meanwhile.
    func instant(ofDate date: Instant) -> Instant { now + date.since(self.date) }

    /// Returns the date that the wall clock shows at an instant, unless it is set meanwhile.
    func date(of instant: Instant) -> Instant { date + instant.since(now) }

    var now: Instant { instant(at: ticks) }

    func instant(at monotonicNanoseconds: UInt64) -> Instant {
        Instant(nanoseconds: Int64(truncatingIfNeeded: monotonicNanoseconds) &+ offset)
    }

    /// Returns the monotonic clock's count at an instant; 0 for the past.
    func monotonicNanoseconds(at instant: Instant) -> UInt64 {
        let (difference, overflow) = instant.nanoseconds.subtractingReportingOverflow(offset)
        return overflow ? (instant.nanoseconds < 0 ? 0 : .max) : UInt64(max(0, difference))
    }
}
