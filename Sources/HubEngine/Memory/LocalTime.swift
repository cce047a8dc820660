/// What the clock on the wall shows somewhere: all that quiet hours ask of the time.
public struct LocalTime: Hashable, Sendable {
    /// The day.
    public var weekday: QuietHours.Weekday
    /// Minutes after that day's midnight, 0 to 1,439.
    public var minute: Int

    /// A time of its parts.
    public init(_ weekday: QuietHours.Weekday, minute: Int) {
        self.weekday = weekday
        self.minute = minute
    }

    /// What the clock shows now in a time zone, by the name that the tz database has for it; nil: there is none of that name.
    ///
    /// The empty name is that of the hub's own. Whoever drives the memory answers: in here no clock is read.
    public typealias Clock = (_ timeZone: String) -> LocalTime?
}
