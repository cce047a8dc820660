public import HubEngine

/// The local times of time zones at any date, for the beginning and the end of quiet hours.
///
/// Supplied by the driver; dates are those of the wall clock, in nanoseconds since 1970.
public struct LocalCalendar {
    /// Returns the local time in a zone at a date; nil: there is no zone of that name; empty: the hub's own zone.
    public var localTime: (_ zone: String, _ date: Instant) -> LocalTime?
    /// Returns the first date after another at which the clocks of a zone are changed; nil: they never are.
    public var nextClockChange: (_ zone: String, _ after: Instant) -> Instant?

    /// Creates a calendar from its functions.
    public init(
        localTime: @escaping (_ zone: String, _ date: Instant) -> LocalTime?,
        nextClockChange: @escaping (_ zone: String, _ after: Instant) -> Instant?
    ) {
        self.localTime = localTime
        self.nextClockChange = nextClockChange
    }
}

/// The state of an account's quiet hours at a date.
struct QuietState: Hashable {
    /// True if Do Not Disturb is on by the quiet hours.
    var isQuiet: Bool
    /// The date at which that changes; nil: never.
    var changesAt: Instant?
}

extension AccountSettings {
    /// Returns the state of the quiet hours at a date, and when it changes.
    ///
    /// A time zone that is no longer known counts as the hub's own.
    func quietState(at date: Instant, _ calendar: LocalCalendar) -> QuietState {
        guard let end = quietHoursSkippedUntil, date < end else { return weeklyState(at: date, calendar) }
        let then = weeklyState(at: end, calendar)
        return QuietState(isQuiet: false, changesAt: then.isQuiet ? end : then.changesAt)
    }

    private func weeklyState(at date: Instant, _ calendar: LocalCalendar) -> QuietState {
        guard !quietHours.isEmpty else { return QuietState(isQuiet: false) }
        let zone = calendar.localTime(timeZone, date) == nil ? "" : timeZone
        guard let begin = calendar.localTime(zone, date) else { return QuietState(isQuiet: false) }
        let isQuiet = quietHours.contains { $0.contains(begin) }
        var (from, time) = (date, begin)
        // Where the clocks are changed on the way, the rest is counted from there.
        for _ in 0..<Self.maximumClockChanges {
            let end = minutesUntilChange(from: time, isQuiet).map { from.startOfMinute + .seconds(60 * $0) }
            guard let change = calendar.nextClockChange(zone, from), change > from, change < end ?? .distantFuture,
                let changed = calendar.localTime(zone, change)
            else { return QuietState(isQuiet: isQuiet, changesAt: end) }
            if quietHours.contains(where: { $0.contains(changed) }) != isQuiet {
                return QuietState(isQuiet: isQuiet, changesAt: change)
            }
            if end == nil { return QuietState(isQuiet: isQuiet) }
            (from, time) = (change, changed)
        }
        return QuietState(isQuiet: isQuiet, changesAt: from)
    }

    /// Returns the minutes from a local minute to the first one of the other state; nil: there is none.
    private func minutesUntilChange(from time: LocalTime, _ isQuiet: Bool) -> Int? {
        let edges = Set(quietHours.flatMap { [$0.from, $0.to] }).union([0]).sorted()
        var day = time.weekday
        for days in 0...7 {
            for minute in edges {
                let distance = days * 1_440 + minute - time.minute
                guard distance > 0 else { continue }
                let there = LocalTime(day, minute: minute)
                if quietHours.contains(where: { $0.contains(there) }) != isQuiet { return distance }
            }
            day = day.next
        }
        return nil
    }

    /// The number of clock changes after which the search for the end of quiet hours goes on later.
    ///
    /// More: exact in a zone that changes its clocks every day; the clocks of today's zones are changed twice a year.
    private static let maximumClockChanges = 4
}

extension Instant {
    /// A time after all others.
    static let distantFuture = Instant(nanoseconds: .max)

    /// The beginning of the minute.
    var startOfMinute: Instant {
        let rest = nanoseconds % Self.minute
        return Instant(nanoseconds: nanoseconds &- (rest < 0 ? rest &+ Self.minute : rest))
    }

    private static let minute: Int64 = 60_000_000_000
}

extension QuietHours.Weekday {
    /// The day after.
    var next: Self {
        let all = Self.allCases
        guard let index = all.firstIndex(of: self) else { return self }
        return all[(index + 1) % all.count]
    }
}
