import CUV
import Foundation
import HubEngine

/// The clocks that a ``HubClock`` reads: the machine's; a subclass has others.
package class TimeSource: @unchecked Sendable {
    /// The clocks of the machine.
    static let system = TimeSource()

    /// The count of a monotonic clock, in nanoseconds; its zero is arbitrary.
    var uptimeNanoseconds: UInt64 { uv_hrtime() }

    /// The date by the wall clock, which may be set while the hub runs.
    var date: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    /// The name of the machine's time zone in the tz database; empty: as the system has it.
    var timeZone: String { "" }

    init() {}
}
