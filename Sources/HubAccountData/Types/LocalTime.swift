public import HubEngine

/// The local time of a time zone, as quiet hours need it: weekday, minute and date.
public struct LocalTime: Hashable, Sendable {
    /// The day of the week.
    public var weekday: QuietHours.Weekday
    /// The minutes since that day's midnight, 0 to 1,439.
    public var minute: Int
    /// The date, in nanoseconds since 1970.
    public var date: Instant

    /// Creates a time from its parts.
    public init(_ weekday: QuietHours.Weekday, minute: Int, date: Instant = Instant(nanoseconds: 0)) {
        self.weekday = weekday
        self.minute = minute
        self.date = date
    }

    /// Returns the local time in a time zone of the tz database; nil: there is no zone of that name.
    ///
    /// The empty name is the hub's own zone. Supplied by the driver: the engine reads no clock.
    public typealias Clock = (_ timeZone: String) -> LocalTime?
}
