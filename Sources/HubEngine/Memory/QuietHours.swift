/// A stretch of the week in which an account's user does not want to be disturbed, every week (row CK-13).
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

    /// The days on which it begins.
    public var days: Set<Weekday>
    /// When it begins: minutes after midnight, 0 to 1,439.
    public var from: Int
    /// When it is over, 0 to 1,439; where that is not after `from`, it is the next day's.
    public var to: Int

    /// A stretch of its parts.
    public init(days: Set<Weekday>, from: Int, to: Int) {
        self.days = days
        self.from = from
        self.to = to
    }

    /// Whether a moment is within it.
    ///
    /// - Parameter time: What the clock shows where the user is.
    /// - Returns: Whether the user is not to be disturbed.
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
