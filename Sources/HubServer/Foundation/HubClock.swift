import Foundation
import HubAccountData
package import HubEngine

/// The hub's monotonic clock, whose instants are dates as well (nanoseconds since 1970).
///
/// The date is read once; from then on the monotonic clock counts, so that setting the system clock moves no deadline.
/// Trivial: copying it counts no references.
package struct HubClock: Sendable {
    private let offset: Int64
    private let source: Unmanaged<TimeSource>

    /// Makes a clock of the machine's time.
    init() {
        self.init(.system)
    }

    /// Makes a clock that reads a source.
    ///
    /// - Parameter source: The source; must outlive the clock.
    package init(_ source: TimeSource) {
        self.source = .passUnretained(source)
        offset = source.date.nanoseconds &- Int64(truncatingIfNeeded: source.uptimeNanoseconds)
    }

    /// The count of the monotonic clock, in nanoseconds.
    var uptimeNanoseconds: UInt64 { source._withUnsafeGuaranteedRef(\.uptimeNanoseconds) }

    /// Returns the local time in a zone, see `WallClock`; an empty name is the zone of the source.
    func localTime(in zone: String) -> LocalTime? {
        let date = Double(self.date.nanoseconds) / 1_000_000_000
        let own = source._withUnsafeGuaranteedRef(\.timeZone)
        return WallClock.time(in: zone.isEmpty ? own : zone, at: Date(timeIntervalSince1970: date))
    }

    /// The name of the hub's own time zone in the tz database.
    var timeZone: String {
        let own = source._withUnsafeGuaranteedRef(\.timeZone)
        return own.isEmpty ? TimeZone.current.identifier : own
    }

    /// The local times of time zones at any date.
    var calendar: LocalCalendar {
        let own = source._withUnsafeGuaranteedRef(\.timeZone)
        return LocalCalendar { zone, date in
            WallClock.time(in: zone.isEmpty ? own : zone, at: Date(date))
        } nextClockChange: { zone, date in
            WallClock.nextClockChange(in: zone.isEmpty ? own : zone, after: Date(date)).map { Instant($0) }
        }
    }

    /// The date by the wall clock, which may be set while the hub runs.
    var date: Instant { source._withUnsafeGuaranteedRef(\.date) }

    /// Returns the instant at which the wall clock reaches a date, unless that clock is set meanwhile.
    func instant(ofDate date: Instant) -> Instant { now + date.since(self.date) }

    /// Returns the date that the wall clock shows at an instant, unless it is set meanwhile.
    func date(of instant: Instant) -> Instant { date + instant.since(now) }

    package var now: Instant { instant(at: uptimeNanoseconds) }

    package func instant(at monotonicNanoseconds: UInt64) -> Instant {
        Instant(nanoseconds: Int64(truncatingIfNeeded: monotonicNanoseconds) &+ offset)
    }

    /// Returns the monotonic clock's count at an instant; 0 for the past.
    func monotonicNanoseconds(at instant: Instant) -> UInt64 {
        let (difference, overflow) = instant.nanoseconds.subtractingReportingOverflow(offset)
        return overflow ? (instant.nanoseconds < 0 ? 0 : .max) : UInt64(max(0, difference))
    }
}

extension Date {
    fileprivate init(_ instant: Instant) {
        self.init(timeIntervalSince1970: Double(instant.nanoseconds) / 1_000_000_000)
    }
}

extension Instant {
    /// Converts a date, rounded to milliseconds; one out of range becomes the first or last instant.
    init(_ date: Date) {
        let nanoseconds = (date.timeIntervalSince1970 * 1_000).rounded() * 1_000_000
        self.init(nanoseconds: Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max))
    }
}
