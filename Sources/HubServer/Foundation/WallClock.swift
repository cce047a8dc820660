import Foundation
import HubAccountData
import HubEngine

/// The local time by the machine's tz database, for quiet hours (row CK-13).
///
/// It uses the system clock and not `HubClock`, as users expect quiet hours by the corrected system time.
enum WallClock {
    /// Returns the local time in a zone; nil: there is no such zone.
    ///
    /// - Parameters:
    ///   - zone: A name of the tz database; empty: the hub's own zone.
    ///   - date: The date to convert.
    /// - Returns: The local time, summer time included.
    static func time(in zone: String, at date: Date = Date()) -> LocalTime? {
        guard let zone = zone.isEmpty ? TimeZone.current : TimeZone(identifier: zone) else { return nil }
        let seconds = Int(date.timeIntervalSince1970.rounded(.down)) + zone.secondsFromGMT(for: date)
        let (days, second) = Self.divide(seconds, by: 86_400)
        // January 1, 1970 was a Thursday, which has index 3.
        let (_, weekday) = Self.divide(days + 3, by: 7)
        return LocalTime(QuietHours.Weekday.allCases[weekday], minute: second / 60, date: Instant(date))
    }

    /// Returns the first date after another at which the clocks of a zone are changed; nil: they never are.
    ///
    /// - Parameters:
    ///   - zone: A name of the tz database; empty: the hub's own zone.
    ///   - date: The date after which the change is.
    /// - Returns: The date of the change.
    static func nextClockChange(in zone: String, after date: Date) -> Date? {
        (zone.isEmpty ? TimeZone.current : TimeZone(identifier: zone))?.nextDaylightSavingTimeTransition(after: date)
    }

    /// Returns quotient and remainder; the remainder is never negative, also before 1970.
    private static func divide(_ number: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
        let remainder = (number % divisor + divisor) % divisor
        return ((number - remainder) / divisor, remainder)
    }
}
