import Foundation
import HubAccountData
import HubEngine
import Testing

@testable import HubServer

/// Local times in time zones, by which quiet hours are evaluated (CK-13).
struct WallClockTests {
    @Test(arguments: [
        // Berlin's time goes from 1:59 to 3:00 on March's last Sunday, and from 2:59 back to 2:00 on October's.
        ("2026-03-29T00:59:59Z", "Europe/Berlin", QuietHours.Weekday.sunday, "01:59"),
        ("2026-03-29T01:00:00Z", "Europe/Berlin", .sunday, "03:00"),
        ("2026-10-25T00:30:00Z", "Europe/Berlin", .sunday, "02:30"),
        ("2026-10-25T01:30:00Z", "Europe/Berlin", .sunday, "02:30"),
        ("2026-10-25T02:00:00Z", "Europe/Berlin", .sunday, "03:00"),
        // Zones of half and quarter hours, and either side of midnight and of the week's end.
        ("2026-11-22T18:14:59Z", "Asia/Kathmandu", .sunday, "23:59"),
        ("2026-11-22T18:15:00Z", "Asia/Kathmandu", .monday, "00:00"),
        ("2026-11-23T04:59:00Z", "America/New_York", .sunday, "23:59"),
        ("2026-11-23T05:00:00Z", "America/New_York", .monday, "00:00"),
        // Kiritimati is a day ahead of Honolulu, at the same hour.
        ("2026-11-21T09:30:00Z", "Pacific/Honolulu", .friday, "23:30"),
        ("2026-11-21T09:30:00Z", "Pacific/Kiritimati", .saturday, "23:30"),
        ("1969-12-31T23:59:59Z", "UTC", .wednesday, "23:59"),
        ("1970-01-01T00:00:00Z", "UTC", .thursday, "00:00"),
    ])
    func `day and time are those of the time zone, including daylight saving time`(
        date: String,
        zone: String,
        day: QuietHours.Weekday,
        time: String
    ) throws {
        let date = try #require(ISO8601DateFormatter().date(from: date))
        let shown = try #require(WallClock.time(in: zone, at: date))
        let parts = time.split(separator: ":").compactMap { Int($0) }
        let instant = Instant(nanoseconds: Int64(date.timeIntervalSince1970) * 1_000_000_000)
        #expect(shown == LocalTime(day, minute: parts[0] * 60 + parts[1], date: instant))
    }

    @Test func `without a zone the hub's time applies, and an unknown zone has none`() {
        #expect(WallClock.time(in: "") != nil)
        for zone in ["Europe/Atlantis", "Berlin", "/etc/passwd", "x"] { #expect(WallClock.time(in: zone) == nil) }
    }
}
