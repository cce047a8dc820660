/// The limits of subscriptions to people's presence, and of the work at a time.
public struct PresenceLimits: Hashable, Sendable {
    /// The minimum time between two notifications to a session.
    ///
    /// Shorter: changes are seen sooner; more messages while many people change.
    public var interval: Duration = .seconds(1)
    /// The approximate maximum size of a notification in bytes; further changes wait for the next one.
    ///
    /// More: a watcher of hundreds is up to date sooner after all of them have changed; a slow connection falls behind.
    public var maximumNotificationBytes = 32_768
    /// The maximum size of all watched handles in bytes, each spelling once.
    ///
    /// More: more strangers' handles can be watched; more memory.
    public var maximumHandleBytes = 64 << 20
    /// The maximum number of people that are described, and of changes that are sent, before other work goes on.
    ///
    /// More: a change of thousands at once is sent sooner; audio waits longer meanwhile.
    public var maximumPeopleAtOnce = 128
    /// The pause before the rest of such work.
    public var pause: Duration = .milliseconds(5)
    /// The maximum time after which quiet hours are looked at again.
    ///
    /// Shorter: a wall clock that was set is noticed sooner; more work.
    public var maximumClockInterval: Duration = .seconds(900)
    /// The maximum number of notifications of one change for which its cause is charged.
    ///
    /// More: being watched by many costs a user more; less: a user who changes all the time is stopped later.
    public var maximumChargesPerChange = 5_000

    /// Creates the default limits.
    public init() {}
}
