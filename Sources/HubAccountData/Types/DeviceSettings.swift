public import HubEngine

/// An account's settings, as one of its devices sees them: without the other devices' Do Not Disturb.
public struct DeviceSettings: Hashable, Sendable {
    /// See `AccountSettings.doNotDisturb`.
    public var doNotDisturb = false
    /// See `AccountSettings.quietHours`.
    public var quietHours: [QuietHours] = []
    /// See `AccountSettings.quietHoursSkippedUntil`.
    public var quietHoursSkippedUntil: Instant?
    /// See `AccountSettings.timeZone`.
    public var timeZone = ""
    /// True if Do Not Disturb is on for the requesting device.
    public var deviceDoNotDisturb = false
    /// See `AccountSettings.displayName`.
    public var displayName = ""
    /// See `AccountSettings.isNamedInGroups`.
    public var isNamedInGroups = true
    /// True if others may find the account and see its presence.
    public var isListed = true
    /// See `AccountSettings.acceptsTransferredStrangers`.
    public var acceptsTransferredStrangers = true
    /// See `AccountSettings.photoHash`.
    public var photoHash: String?

    /// Creates the default settings: nothing set.
    public init() {}

    /// Creates a device's view of the settings, by its identifier and the default of `isListed` for the account.
    init(_ settings: AccountSettings, for device: String, isListedByDefault: Bool) {
        doNotDisturb = settings.doNotDisturb
        quietHours = settings.quietHours
        quietHoursSkippedUntil = settings.quietHoursSkippedUntil
        timeZone = settings.timeZone
        deviceDoNotDisturb = settings.quietDevices.contains(device)
        displayName = settings.displayName
        isNamedInGroups = settings.isNamedInGroups
        isListed = settings.isListed ?? isListedByDefault
        acceptsTransferredStrangers = settings.acceptsTransferredStrangers
        photoHash = settings.photoHash
    }
}
