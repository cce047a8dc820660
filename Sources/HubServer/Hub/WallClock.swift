import Foundation
import HubEngine

/// What the clocks on the walls show, by the machine's tz database: for quiet hours (row CK-13).
///
/// The system's clock is read, not the one that `HubClock` counts by: people go by the one that is corrected.
enum WallClock {
    /// The time in a zone; nil: there is none of that name.
    ///
    /// - Parameters:
    ///   - zone: A name of the tz database; empty: the hub's own zone.
    ///   - date: When.
    /// - Returns: What the clock shows there, summer time included.
    static func time(in zone: String, at date: Date = Date()) -> LocalTime? {
        guard let zone = zone.isEmpty ? TimeZone.current : TimeZone(identifier: zone) else { return nil }
        let seconds = Int(date.timeIntervalSince1970.rounded(.down)) + zone.secondsFromGMT(for: date)
        let (days, second) = Self.divide(seconds, by: 86_400)
        // The first of 1970 was a Thursday, the fourth day.
        let (_, weekday) = Self.divide(days + 3, by: 7)
        return LocalTime(QuietHours.Weekday.allCases[weekday], minute: second / 60)
    }

    /// Quotient and remainder; the remainder is never negative, before 1970 either.
    private static func divide(_ number: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
        let remainder = (number % divisor + divisor) % divisor
        return ((number - remainder) / divisor, remainder)
    }
}
