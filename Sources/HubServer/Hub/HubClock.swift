import CUV
import Foundation
import HubEngine

/// The hub's clock: never goes back, and its instants are dates as well (nanoseconds since 1970).
///
/// The date is read once; from then on the monotonic clock counts, so that a corrected system clock moves no deadline. A
/// virtual hub is told the time instead. Trivial: copying it counts no references.
struct HubClock: Sendable {
    private let offset: Int64
    private let virtual: Unmanaged<VirtualTime>?

    /// The machine's.
    init() {
        virtual = nil
        offset = Int64(Date().timeIntervalSince1970 * 1_000_000_000) &- Int64(truncatingIfNeeded: uv_hrtime())
    }

    /// One that is told the time.
    ///
    /// - Parameter time: Outlives the clock.
    init(_ time: VirtualTime) {
        virtual = .passUnretained(time)
        offset = time.start.nanoseconds
    }

    /// The monotonic clock's own count, in nanoseconds.
    var ticks: UInt64 { virtual?._withUnsafeGuaranteedRef(\.ticks) ?? uv_hrtime() }

    /// What the clocks on the walls show in a zone, see `WallClock`; where time is virtual, the hub's own zone is UTC.
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

    /// The instant at which a date of the wall clock is reached, unless that clock is set meanwhile.
    func instant(ofDate date: Instant) -> Instant { now + date.since(self.date) }

    /// The date that the wall clock shows at an instant, unless it is set meanwhile.
    func date(of instant: Instant) -> Instant { date + instant.since(now) }

    var now: Instant { instant(at: ticks) }

    func instant(at monotonicNanoseconds: UInt64) -> Instant {
        Instant(nanoseconds: Int64(truncatingIfNeeded: monotonicNanoseconds) &+ offset)
    }

    /// The loop's own count for an instant; what is past is 0.
    func monotonicNanoseconds(at instant: Instant) -> UInt64 {
        let (difference, overflow) = instant.nanoseconds.subtractingReportingOverflow(offset)
        return overflow ? (instant.nanoseconds < 0 ? 0 : .max) : UInt64(max(0, difference))
    }
}
