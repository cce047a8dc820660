import HubAccountData
import HubEngine
import Testing

/// Do Not Disturb by the week's timetable and by the device (row CK-13).
struct QuietHoursTests {
    private var world = MemoryWorld()
    private let alice = Handle.generic("alice")

    private static let night = QuietHours(days: [.monday, .tuesday], from: 22 * 60, to: 7 * 60)
    private static let lunch = QuietHours(days: [.friday], from: 12 * 60, to: 13 * 60)
    private static let sunday = QuietHours(days: [.sunday], from: 0, to: 0)
    private static let late = QuietHours(days: [.saturday], from: 20 * 60, to: 20 * 60)

    private static let moments: [(QuietHours, QuietHours.Weekday, String, Bool)] = [
        (lunch, .friday, "11:59", false), (lunch, .friday, "12:00", true), (lunch, .friday, "12:59", true),
        (lunch, .friday, "13:00", false), (lunch, .thursday, "12:30", false), (lunch, .saturday, "12:30", false),
        // Over midnight: it is the evening's day that is named.
        (night, .monday, "21:59", false), (night, .monday, "22:00", true), (night, .monday, "23:59", true),
        (night, .tuesday, "00:00", true), (night, .tuesday, "06:59", true), (night, .tuesday, "07:00", false),
        (night, .wednesday, "06:59", true), (night, .wednesday, "22:00", false), (night, .monday, "06:59", false),
        // Over the end of the week.
        (QuietHours(days: [.sunday], from: 22 * 60, to: 7 * 60), .monday, "06:59", true),
        (QuietHours(days: [.sunday], from: 22 * 60, to: 7 * 60), .sunday, "06:59", false),
        (QuietHours(days: [.sunday], from: 22 * 60, to: 7 * 60), .saturday, "23:00", false),
        // From a time to the same is a whole day.
        (sunday, .sunday, "00:00", true), (sunday, .sunday, "23:59", true), (sunday, .monday, "00:00", false),
        (sunday, .saturday, "23:59", false), (late, .saturday, "19:59", false), (late, .saturday, "20:00", true),
        (late, .sunday, "19:59", true), (late, .sunday, "20:00", false),
        // Until midnight.
        (QuietHours(days: [.friday], from: 18 * 60, to: 0), .friday, "23:59", true),
        (QuietHours(days: [.friday], from: 18 * 60, to: 0), .saturday, "00:00", false),
    ]

    @Test(arguments: moments.indices)
    func `quiet hours start on their days and may end on the next day (CK-13)`(index: Int) {
        let (hours, day, text, isWithin) = Self.moments[index]
        #expect(hours.contains(.at(day, text)) == isWithin, "\(hours): \(day) \(text)")
    }

    @Test mutating func `quiet hours apply by the user's clock only (CK-13)`() throws {
        let update = SettingsUpdate(quietHours: [Self.night, Self.lunch], timeZone: "Asia/Seoul")
        world.localTimes = ["": .at(.monday, "12:00"), "Asia/Seoul": .at(.monday, "20:00")]
        #expect(try world.ask(.setSettings(update)).changed == [.settings])
        #expect(!world.screeningData(of: alice).doNotDisturb)
        for (day, time, isQuiet) in [
            (QuietHours.Weekday.monday, "22:00", true), (.tuesday, "06:59", true), (.tuesday, "07:00", false),
            (.friday, "12:30", true), (.friday, "13:30", false),
        ] {
            world.localTimes["Asia/Seoul"] = .at(day, time)
            #expect(world.screeningData(of: alice).doNotDisturb == isQuiet, "\(day) \(time)")
        }
        #expect(try world.ask(.setSettings(SettingsUpdate(doNotDisturb: true))).changed == [.settings])
        #expect(world.screeningData(of: alice).doNotDisturb, "whatever the hour")
        try world.ask(.setSettings(SettingsUpdate(doNotDisturb: false, quietHours: [])))
        world.localTimes["Asia/Seoul"] = .at(.monday, "22:00")
        #expect(!world.screeningData(of: alice).doNotDisturb)
    }

    @Test mutating func `quiet hours that are skipped apply again from the date on, and other ones at once (CK-13)`()
        throws
    {
        let end = Instant(nanoseconds: 1_000)
        try world.ask(.setSettings(SettingsUpdate(quietHours: [Self.night], quietHoursSkippedUntil: end)))
        for (date, isQuiet) in [(0, false), (999, false), (1_000, true), (Int64.max, true)] {
            let time = LocalTime.at(.monday, "23:00")
            world.localTimes[""] = LocalTime(time.weekday, minute: time.minute, date: Instant(nanoseconds: date))
            #expect(world.screeningData(of: alice).doNotDisturb == isQuiet, "\(date)")
        }
        world.localTimes[""] = .at(.monday, "23:00")
        try world.ask(.setSettings(SettingsUpdate(doNotDisturb: true)))
        #expect(world.screeningData(of: alice).doNotDisturb, "the switch is not skipped")
        try world.ask(.setSettings(SettingsUpdate(doNotDisturb: false, quietHours: [Self.night])))
        #expect(!world.screeningData(of: alice).doNotDisturb, "they are the same")
        try world.ask(.setSettings(SettingsUpdate(quietHours: [Self.night, Self.lunch])))
        #expect(world.screeningData(of: alice).doNotDisturb)
    }

    @Test mutating func `without a time zone the hub's applies, and an unknown one is refused (CK-13)`() throws {
        world.localTimes = ["": .at(.monday, "23:00"), "Asia/Seoul": .at(.tuesday, "08:00")]
        try world.ask(.setSettings(SettingsUpdate(quietHours: [Self.night])))
        #expect(world.screeningData(of: alice).doNotDisturb)
        let wrong = SettingsUpdate(doNotDisturb: true, timeZone: "Asia/Soul")
        #expect(world.refusal(.setSettings(wrong)) == .invalidArgument)
        guard case .settings(let settings) = try world.ask(.getSettings).reply else { return }
        #expect(!settings.doNotDisturb, "nothing of it is set")
        try world.ask(.setSettings(SettingsUpdate(timeZone: "Asia/Seoul")))
        #expect(!world.screeningData(of: alice).doNotDisturb)
        world.localTimes["Asia/Seoul"] = nil
        #expect(world.screeningData(of: alice).doNotDisturb, "a zone that is no more is the hub's own")
        #expect(world.refusal(.setSettings(SettingsUpdate(timeZone: ""))) == nil)
        world.localTimes = [:]
        #expect(!world.screeningData(of: alice).doNotDisturb, "the local time is unknown")
    }

    @Test mutating func `the hub's zone is named where quiet hours are in it, and nowhere else (CK-13)`() throws {
        let requester = AccountDataRequester(
            account: "bob",
            device: "desk",
            session: MemoryWorld.session(1),
            hubTimeZone: "Asia/Seoul"
        )
        for (update, name) in [
            (SettingsUpdate(), nil), (SettingsUpdate(quietHours: [Self.night]), "Asia/Seoul"),
            (SettingsUpdate(timeZone: "UTC"), nil), (SettingsUpdate(timeZone: ""), "Asia/Seoul"),
            (SettingsUpdate(quietHours: []), nil),
        ] as [(SettingsUpdate, String?)] {
            for request in [AccountDataRequest.setSettings(update), .getSettings] {
                let result = try world.accountData.handle(request, from: requester, at: world.now) { _ in
                    .at(.monday, "12:00")
                }
                guard case .settings(let settings) = result.reply else { return #expect(Bool(false)) }
                #expect(settings.hubTimeZone == name)
            }
        }
    }

    @Test mutating func `a changed setting stores the settings as a whole`() throws {
        let requester = AccountDataRequester(account: "bob", device: "desk", session: MemoryWorld.session(1))
        let update = SettingsUpdate(quietHours: [Self.lunch], deviceDoNotDisturb: true)
        let changes = try world.accountData.plannedChanges(.setSettings(update), from: requester, at: world.now) { _ in
            nil
        }
        var expected = AccountSettings()
        (expected.quietHours, expected.quietDevices) = ([Self.lunch], ["desk"])
        #expect(changes == [.settings(expected)])
        try world.ask(.setSettings(update))
        #expect(
            try world.accountData.plannedChanges(.setSettings(update), from: requester, at: world.now) { _ in nil }
                == []
        )
        var kept = StoredAccountData(name: "bob")
        kept.settings = expected
        var again = MemoryWorld()
        again.accountData.restore(kept)
        #expect(again.screeningData(of: alice).quietDevices == ["desk"])
    }

    @Test mutating func `a device sets Do Not Disturb for itself and sees no other device's (CK-13)`() throws {
        let update = SettingsUpdate(deviceDoNotDisturb: true)
        #expect(try world.ask(.setSettings(update), device: "desk").changed == [.settings])
        #expect(try world.ask(.setSettings(update), device: "desk").changed.isEmpty)
        #expect(try world.ask(.setSettings(update), device: "phone").changed == [.settings])
        #expect(world.screeningData(of: alice).quietDevices == ["desk", "phone"])
        #expect(!world.screeningData(of: alice).doNotDisturb)
        try world.ask(.setSettings(SettingsUpdate(deviceDoNotDisturb: false)), device: "phone")
        #expect(world.screeningData(of: alice).quietDevices == ["desk"])
        for (device, isQuiet) in [("desk", true), ("phone", false)] {
            guard case .settings(let settings) = try world.ask(.getSettings, device: device).reply else { return }
            #expect(settings.deviceDoNotDisturb == isQuiet)
        }
        world.accountData.limits.maximumListEntries = 1
        #expect(world.refusal(.setSettings(update)) == nil, "it is among them already")
        let requester = AccountDataRequester(account: "bob", device: "tablet", session: MemoryWorld.session(1))
        let refusal = #expect(throws: AccountDataError.self) {
            try world.accountData.handle(.setSettings(update), from: requester, at: world.now) { _ in nil }
        }
        #expect(refusal?.code == .tooMany)
    }
}

extension LocalTime {
    /// A day and a time like `"22:00"`.
    fileprivate static func at(_ day: QuietHours.Weekday, _ text: String) -> LocalTime {
        let parts = text.split(separator: ":").compactMap { Int($0) }
        return LocalTime(day, minute: parts[0] * 60 + parts[1])
    }
}
