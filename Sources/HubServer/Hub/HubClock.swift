import CUV
import Foundation
import HubEngine

/// The hub's clock: never goes back, and its instants are dates as well (nanoseconds since 1970).
///
/// The date is read once; from then on the monotonic clock counts, so that a corrected system clock moves no deadline.
struct HubClock {
    private let offset: Int64

    init() {
        offset = Int64(Date().timeIntervalSince1970 * 1_000_000_000) &- Int64(truncatingIfNeeded: uv_hrtime())
    }

    /// The monotonic clock's own count, in nanoseconds.
    var ticks: UInt64 { uv_hrtime() }

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
