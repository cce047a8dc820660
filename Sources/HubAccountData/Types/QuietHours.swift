/// A weekly period in which Do Not Disturb is on for an account (row CK-13).
public struct QuietHours: Hashable, Sendable {
    /// A day of the week.
    public enum Weekday: String, Hashable, Sendable, CaseIterable {
        /// The first day, as ISO 8601 counts them.
        case monday
        /// The second day.
        case tuesday
        /// The third day.
        case wednesday
        /// The fourth day.
        case thursday
        /// The fifth day.
        case friday
        /// The sixth day.
        case saturday
        /// The seventh day.
        case sunday
    }

    /// The days on which the period begins.
    public var days: Set<Weekday>
    /// The beginning of the period: minutes after midnight, 0 to 1,439.
    public var from: Int
    /// The end of the period, 0 to 1,439; on the next day unless it is after `from`.
    public var to: Int

    /// Creates a period from its parts.
    public init(days: Set<Weekday>, from: Int, to: Int) {
        self.days = days
        self.from = from
        self.to = to
    }

    /// Indicates that a time is within the period.
    ///
    /// - Parameter time: The local time in the user's time zone.
    /// - Returns: True if Do Not Disturb is on.
    public func contains(_ time: LocalTime) -> Bool {
        let beginsToday = days.contains(time.weekday)
        if from < to { return beginsToday && (from..<to).contains(time.minute) }
        return beginsToday && time.minute >= from || days.contains(time.weekday.previous) && time.minute < to
    }
}

extension QuietHours.Weekday {
    /// The day before.
    var previous: Self {
        let all = Self.allCases
        guard let index = all.firstIndex(of: self) else { return self }
        return all[(index + all.count - 1) % all.count]
    }
}
