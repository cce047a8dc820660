import HubAccountData
import HubEngine
import Testing

/// The presence of a person, by the devices, Do Not Disturb and quiet hours.
final class PresenceTests {
    private var world = MemoryWorld()

    /// Thursday, 1 January 2026, 00:00 UTC.
    private static let start = Instant(nanoseconds: 1_767_225_600_000_000_000)

    private static func date(days: Int = 0, _ hour: Int, _ minute: Int = 0, seconds: Int = 0) -> Instant {
        start + .seconds(days * 86_400 + hour * 3_600 + minute * 60 + seconds)
    }

    /// A calendar of UTC, and of "Test/Summer", an hour ahead of UTC, which goes to two hours after `start` + 3 days
    /// and 1 hour, and back 7 days later.
    private static var calendar: LocalCalendar {
        LocalCalendar { zone, date in
            guard zone == "" || zone == "Test/Summer" else { return nil }
            let offset = zone == "" ? 0 : changes[0] <= date && date < changes[1] ? 7_200 : 3_600
            let local = Int(date.since(start) / .seconds(1)) + offset
            return LocalTime(QuietHours.Weekday.allCases[(local / 86_400 + 3) % 7], minute: local % 86_400 / 60)
        } nextClockChange: { zone, date in
            zone == "" ? nil : changes.first { $0 > date }
        }
    }

    private static let changes = [start + .seconds(3 * 86_400 + 3_600), start + .seconds(10 * 86_400 + 3_600)]

    private func presence(_ devices: [PresentDevice], at date: Instant = start) -> DatedPresence {
        world.accountData.presence(of: "bob", on: devices, at: date, Self.calendar)
    }

    private func set(_ update: SettingsUpdate, device: String = "desk") throws {
        try world.ask(.setSettings(update), device: device)
    }

    private let desk = PresentDevice(deviceID: "desk")
    private let mobile = PresentDevice(deviceID: "mobile")

    @Test func `without a device that could ring a person is offline`() {
        #expect(presence([]).presence == .offline)
        #expect(presence([desk]).presence == .free)
    }

    @Test func `a call on any device counts, and comes before being away`() {
        let busy = PresentDevice(deviceID: "desk", isOnCall: true, isAway: true)
        #expect(presence([mobile, busy]).presence == .onCall)
        #expect(presence([busy]).presence == .onCall)
    }

    @Test func `a person is away when all devices are`() {
        let (first, second) = (
            PresentDevice(deviceID: "desk", isAway: true), PresentDevice(deviceID: "mobile", isAway: true)
        )
        #expect(presence([first, second]).presence == .away)
        #expect(presence([first, mobile]).presence == .free)
    }

    @Test func `Do Not Disturb comes before a call, but not before being offline`() throws {
        try set(SettingsUpdate(doNotDisturb: true))
        #expect(presence([PresentDevice(deviceID: "desk", isOnCall: true)]).presence == .doNotDisturb(until: nil))
        #expect(presence([]).presence == .offline)
    }

    @Test func `a device's Do Not Disturb counts when all present devices have it`() throws {
        try set(SettingsUpdate(deviceDoNotDisturb: true))
        #expect(presence([desk, mobile]).presence == .free)
        #expect(presence([desk]).presence == .doNotDisturb(until: nil))
        try set(SettingsUpdate(deviceDoNotDisturb: true), device: "mobile")
        #expect(presence([desk, mobile]).presence == .doNotDisturb(until: nil))
    }

    @Test func `quiet hours say until when, and the next change is known before and within them`() throws {
        let thursday = QuietHours(days: [.thursday], from: 22 * 60, to: 7 * 60)
        try set(SettingsUpdate(quietHours: [thursday]))
        let (begin, end) = (Self.date(22), Self.date(days: 1, 7))
        #expect(presence([desk]) == DatedPresence(.free, changesAt: begin))
        #expect(presence([desk], at: Self.date(21, 59, seconds: 59)) == DatedPresence(.free, changesAt: begin))
        #expect(presence([desk], at: begin) == DatedPresence(.doNotDisturb(until: end), changesAt: end))
        let late = Self.date(days: 1, 6, 59, seconds: 30)
        #expect(presence([desk], at: late) == DatedPresence(.doNotDisturb(until: end), changesAt: end))
        #expect(presence([desk], at: end) == DatedPresence(.free, changesAt: Self.date(days: 7, 22)))
        try set(SettingsUpdate(doNotDisturb: true))
        #expect(presence([desk], at: begin).presence == .doNotDisturb(until: nil), "the switch has no end")
    }

    @Test func `skipped quiet hours do not count, and the next change is the first after them`() throws {
        let thursday = QuietHours(days: [.thursday], from: 22 * 60, to: 7 * 60)
        let end = Self.date(days: 1, 7)
        try set(SettingsUpdate(quietHours: [thursday], quietHoursSkippedUntil: end))
        let next = DatedPresence(.free, changesAt: Self.date(days: 7, 22))
        #expect(presence([desk], at: Self.date(23)) == next)
        #expect(presence([desk], at: end) == next)
        let midnight = Self.date(days: 1, 0)
        try set(SettingsUpdate(quietHoursSkippedUntil: midnight))
        #expect(presence([desk], at: Self.date(23)) == DatedPresence(.free, changesAt: midnight))
        #expect(presence([desk], at: midnight) == DatedPresence(.doNotDisturb(until: end), changesAt: end))
    }

    @Test func `quiet hours that follow one another have the end of the last`() throws {
        try set(
            SettingsUpdate(quietHours: [
                QuietHours(days: [.thursday], from: 20 * 60, to: 0), QuietHours(days: [.friday], from: 0, to: 9 * 60),
                QuietHours(days: [.friday], from: 8 * 60, to: 10 * 60),
            ])
        )
        let end = Self.date(days: 1, 10)
        #expect(presence([desk], at: Self.date(21)).presence == .doNotDisturb(until: end))
    }

    @Test func `quiet hours of the whole week have no end`() throws {
        let always = QuietHours(days: Set(QuietHours.Weekday.allCases), from: 600, to: 600)
        try set(SettingsUpdate(quietHours: [always]))
        #expect(presence([desk], at: Self.date(days: 2, 5)) == DatedPresence(.doNotDisturb(until: nil)))
    }

    @Test(arguments: [(3, 0, 4), (10, 0, 5), (11, 1, 5)])
    func `the end of quiet hours follows the clock when it is changed within them`(
        day: Int,
        utcHour: Int,
        endHour: Int
    ) throws {
        // From 01:00 to 06:00 by a clock that is put from 02:00 to 03:00 on day 3, and from 03:00 to 02:00 on day 10.
        let night = QuietHours(days: Set(QuietHours.Weekday.allCases), from: 60, to: 360)
        world.localTimes["Test/Summer"] = LocalTime(.monday, minute: 0)
        try set(SettingsUpdate(quietHours: [night], timeZone: "Test/Summer"))
        let found = presence([desk], at: Self.date(days: day, utcHour, 30))
        #expect(found.presence == .doNotDisturb(until: Self.date(days: day, endHour)))
    }

    @Test func `a time zone that is no longer known counts as the hub's own`() throws {
        // Known when it was set, and no longer in the calendar.
        world.localTimes["Gone/Away"] = LocalTime(.monday, minute: 0)
        let lunch = QuietHours(days: [.thursday], from: 720, to: 780)
        try set(SettingsUpdate(quietHours: [lunch], timeZone: "Gone/Away"))
        #expect(presence([desk], at: Self.date(12)).presence == .doNotDisturb(until: Self.date(13)))
    }
}
