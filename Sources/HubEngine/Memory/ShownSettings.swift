/// An account's settings, as one of its devices is told of them: which of the others are quiet is no business of its.
public struct ShownSettings: Hashable, Sendable {
    /// See `AccountSettings.doNotDisturb`.
    public var doNotDisturb = false
    /// See `AccountSettings.quietHours`.
    public var quietHours: [QuietHours] = []
    /// See `AccountSettings.timeZone`.
    public var timeZone = ""
    /// Whether the device that asks does not want to be disturbed.
    public var deviceDoNotDisturb = false
    /// See `AccountSettings.displayName`.
    public var displayName = ""

    /// Nothing set.
    public init() {}

    /// What a device is told.
    init(_ settings: AccountSettings, for device: String) {
        doNotDisturb = settings.doNotDisturb
        quietHours = settings.quietHours
        timeZone = settings.timeZone
        deviceDoNotDisturb = settings.quietDevices.contains(device)
        displayName = settings.displayName
    }
}
