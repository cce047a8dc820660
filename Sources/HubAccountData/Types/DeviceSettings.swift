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
    /// The name of the hub's own time zone, where the quiet hours are in it; nil: they are not, or it has no name.
    public var hubTimeZone: String?
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
    /// See `AccountSettings.holdAudio`.
    public var holdAudio = HoldAudioChoice.hub
    /// See `AccountSettings.photoHash`.
    public var photoHash: String?

    /// Creates the default settings: nothing set.
    public init() {}

    /// Creates the view of the settings from the device of a client.
    init(_ settings: AccountSettings, for requester: AccountDataRequester) {
        doNotDisturb = settings.doNotDisturb
        quietHours = settings.quietHours
        quietHoursSkippedUntil = settings.quietHoursSkippedUntil
        timeZone = settings.timeZone
        hubTimeZone = timeZone.isEmpty && !quietHours.isEmpty ? requester.hubTimeZone : nil
        deviceDoNotDisturb = settings.quietDevices.contains(requester.device)
        displayName = settings.displayName
        isNamedInGroups = settings.isNamedInGroups
        isListed = settings.isListed ?? requester.isListedByDefault
        acceptsTransferredStrangers = settings.acceptsTransferredStrangers
        holdAudio = settings.holdAudio
        photoHash = settings.photoHash
    }
}
