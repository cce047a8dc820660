public import HubEngine

/// The settings of an account's user (protocol.md, Account data).
public struct AccountSettings: Hashable, Sendable {
    /// True while Do Not Disturb is on: only calls of exempt contacts ring (row CK-13).
    public var doNotDisturb = false
    /// The weekly times at which Do Not Disturb is on, in addition to `doNotDisturb`.
    public var quietHours: [QuietHours] = []
    /// The date before which the quiet hours do not apply; nil: none.
    public var quietHoursSkippedUntil: Instant?
    /// The user's time zone as a name of the tz database (`Europe/Berlin`); empty: the hub's own.
    public var timeZone = ""
    /// The device identifiers of the devices on which Do Not Disturb is on.
    public var quietDevices: Set<String> = []
    /// The display name that others are shown; empty: none is set, and others are shown the names that they have.
    public var displayName = ""
    /// True if the user is named to the other members of groups, false to be shown there as nobody.
    public var isNamedInGroups = true
    /// True if others may find the account and see its presence; nil: as by default for the account.
    public var isListed: Bool?
    /// True if a transfer may connect the user with a stranger: a caller whose shown handle is in no contact.
    public var acceptsTransferredStrangers = true
    /// The sound that the user's held parties receive (rule CH-09).
    public var holdAudio = HoldAudioChoice.hub
    /// The hash of the user's own photo, by which clients store it; nil: there is none.
    public var photoHash: String?

    /// Creates the default settings: nothing set.
    public init() {}
}

/// A change of an account's settings; nil leaves a setting as it is.
public struct SettingsUpdate: Hashable, Sendable {
    /// See `AccountSettings.doNotDisturb`.
    public var doNotDisturb: Bool?
    /// See `AccountSettings.quietHours`.
    public var quietHours: [QuietHours]?
    /// See `AccountSettings.quietHoursSkippedUntil`; other quiet hours without it apply at once.
    public var quietHoursSkippedUntil: Instant?
    /// See `AccountSettings.timeZone`.
    public var timeZone: String?
    /// True to put the requesting device into `AccountSettings.quietDevices`, false to remove it.
    public var deviceDoNotDisturb: Bool?
    /// See `AccountSettings.displayName`.
    public var displayName: String?
    /// See `AccountSettings.isNamedInGroups`.
    public var isNamedInGroups: Bool?
    /// See `AccountSettings.isListed`.
    public var isListed: Bool?
    /// See `AccountSettings.acceptsTransferredStrangers`.
    public var acceptsTransferredStrangers: Bool?
    /// See `AccountSettings.holdAudio`.
    public var holdAudio: HoldAudioChoice?
    /// The change of the user's own photo.
    public var photo = PhotoChange.keep
    /// The hash of a new photo (`AccountDataRequest.settingPhotoHash`), and otherwise ignored.
    public var photoHash: String?

    /// Creates a change from its parts.
    public init(
        doNotDisturb: Bool? = nil,
        quietHours: [QuietHours]? = nil,
        quietHoursSkippedUntil: Instant? = nil,
        timeZone: String? = nil,
        deviceDoNotDisturb: Bool? = nil,
        displayName: String? = nil,
        isNamedInGroups: Bool? = nil,
        isListed: Bool? = nil,
        acceptsTransferredStrangers: Bool? = nil,
        holdAudio: HoldAudioChoice? = nil,
        photo: PhotoChange = .keep
    ) {
        self.doNotDisturb = doNotDisturb
        self.quietHours = quietHours
        self.quietHoursSkippedUntil = quietHoursSkippedUntil
        self.timeZone = timeZone
        self.deviceDoNotDisturb = deviceDoNotDisturb
        self.displayName = displayName
        self.isNamedInGroups = isNamedInGroups
        self.isListed = isListed
        self.acceptsTransferredStrangers = acceptsTransferredStrangers
        self.holdAudio = holdAudio
        self.photo = photo
    }
}

extension AccountSettings {
    /// Indicates that Do Not Disturb is on now, by the switch or by the quiet hours.
    ///
    /// A time zone that is no longer known counts as the hub's own.
    func isQuiet(_ clock: LocalTime.Clock) -> Bool {
        if doNotDisturb { return true }
        guard !quietHours.isEmpty, let time = clock(timeZone) ?? clock("") else { return false }
        if let quietHoursSkippedUntil, time.date < quietHoursSkippedUntil { return false }
        return quietHours.contains { $0.contains(time) }
    }

    /// Applies a change; false if it changes nothing.
    ///
    /// - Parameters:
    ///   - update: The change.
    ///   - device: The device identifier of the requesting device.
    ///   - limits: The limits; `maximumListEntries` is that of quiet devices.
    ///   - clock: The local time in a time zone, nil for an unknown zone.
    /// - Returns: True if a setting has changed.
    /// - Throws: `tooMany` if too many devices are quiet, `invalidArgument` for an unknown time zone.
    mutating func apply(
        _ update: SettingsUpdate,
        by device: String,
        limits: AccountDataLimits,
        clock: LocalTime.Clock
    ) throws(AccountDataError) -> Bool {
        if let zone = update.timeZone, !zone.isEmpty, clock(zone) == nil {
            throw .invalidArgument(
                "params.timeZone is \"\(zone)\"; it must be a time zone of the hub's tz database, such as \"Europe/Berlin\""
            )
        }
        let before = self
        doNotDisturb = update.doNotDisturb ?? doNotDisturb
        quietHours = update.quietHours ?? quietHours
        quietHoursSkippedUntil =
            update.quietHoursSkippedUntil ?? (quietHours == before.quietHours ? quietHoursSkippedUntil : nil)
        timeZone = update.timeZone ?? timeZone
        displayName = update.displayName ?? displayName
        isNamedInGroups = update.isNamedInGroups ?? isNamedInGroups
        isListed = update.isListed ?? isListed
        acceptsTransferredStrangers = update.acceptsTransferredStrangers ?? acceptsTransferredStrangers
        holdAudio = update.holdAudio ?? holdAudio
        switch update.photo {
        case .keep: break
        case .remove: photoHash = nil
        case .replace: photoHash = update.photoHash
        }
        if update.deviceDoNotDisturb == true {
            guard quietDevices.count < limits.maximumListEntries || quietDevices.contains(device) else {
                throw .tooMany("\(quietDevices.count) devices are quiet; switch Do Not Disturb off on one first")
            }
            quietDevices.insert(device)
        } else if update.deviceDoNotDisturb == false {
            quietDevices.remove(device)
        }
        return self != before
    }
}
