/// The local time of a time zone, as quiet hours need it: weekday and minute.
public struct LocalTime: Hashable, Sendable {
    /// The day of the week.
    public var weekday: QuietHours.Weekday
    /// The minutes since that day's midnight, 0 to 1,439.
    public var minute: Int

    /// Creates a time from its parts.
    public init(_ weekday: QuietHours.Weekday, minute: Int) {
        self.weekday = weekday
        self.minute = minute
    }

    /// Returns the local time in a time zone of the tz database; nil: there is no zone of that name.
    ///
    /// The empty name is the hub's own zone. Supplied by the driver: the engine reads no clock.
    public typealias Clock = (_ timeZone: String) -> LocalTime?
}
