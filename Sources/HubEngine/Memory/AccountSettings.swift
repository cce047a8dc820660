/// What an account's user has set (protocol.md 9).
public struct AccountSettings: Hashable, Sendable {
    /// Whether calls are kept from ringing; contacts may be exempt (row CK-13).
    public var doNotDisturb = false
    /// When they are, every week, whatever `doNotDisturb` says.
    public var quietHours: [QuietHours] = []
    /// Where the user's clock is, as the tz database names it (`Europe/Berlin`); empty: the hub's own.
    public var timeZone = ""
    /// The devices that do not want to be disturbed, by their own names for themselves.
    public var quietDevices: Set<String> = []
    /// The name that others are shown; empty: none is set, and they are shown what they know themselves.
    public var displayName = ""

    /// Nothing set.
    public init() {}
}

/// A change of an account's settings; what is nil stays as it is.
public struct SettingsUpdate: Hashable, Sendable {
    /// See `AccountSettings.doNotDisturb`.
    public var doNotDisturb: Bool?
    /// See `AccountSettings.quietHours`.
    public var quietHours: [QuietHours]?
    /// See `AccountSettings.timeZone`.
    public var timeZone: String?
    /// Whether the device that asks is among `AccountSettings.quietDevices`.
    public var deviceDoNotDisturb: Bool?
    /// See `AccountSettings.displayName`.
    public var displayName: String?

    /// A change of its parts.
    public init(
        doNotDisturb: Bool? = nil,
        quietHours: [QuietHours]? = nil,
        timeZone: String? = nil,
        deviceDoNotDisturb: Bool? = nil,
        displayName: String? = nil
    ) {
        self.doNotDisturb = doNotDisturb
        self.quietHours = quietHours
        self.timeZone = timeZone
        self.deviceDoNotDisturb = deviceDoNotDisturb
        self.displayName = displayName
    }
}

extension AccountSettings {
    /// Whether the user does not want to be disturbed now.
    ///
    /// A zone that was known once and is not any more is the hub's own.
    func isQuiet(_ clock: LocalTime.Clock) -> Bool {
        if doNotDisturb { return true }
        guard !quietHours.isEmpty, let time = clock(timeZone) ?? clock("") else { return false }
        return quietHours.contains { $0.contains(time) }
    }

    /// Takes a change over; false where it changes nothing.
    ///
    /// - Parameters:
    ///   - update: The change.
    ///   - device: Who asks for it.
    ///   - limits: How many devices may be quiet.
    ///   - clock: What time zones there are.
    /// - Returns: Whether anything is different now.
    /// - Throws: Where too many devices are quiet, or there is no such time zone.
    mutating func apply(
        _ update: SettingsUpdate,
        by device: String,
        limits: MemoryLimits,
        clock: LocalTime.Clock
    ) throws(MemoryRefusal) -> Bool {
        if let zone = update.timeZone, !zone.isEmpty, clock(zone) == nil {
            throw .invalidArgument(
                "params.timeZone is \"\(zone)\"; it must be a time zone that the hub knows, such as \"Europe/Berlin\""
            )
        }
        let before = self
        doNotDisturb = update.doNotDisturb ?? doNotDisturb
        quietHours = update.quietHours ?? quietHours
        timeZone = update.timeZone ?? timeZone
        displayName = update.displayName ?? displayName
        if update.deviceDoNotDisturb == true {
            guard quietDevices.count < limits.maximumListEntries || quietDevices.contains(device) else {
                throw .tooMany("\(quietDevices.count) devices are quiet; let one of them be disturbed first")
            }
            quietDevices.insert(device)
        } else if update.deviceDoNotDisturb == false {
            quietDevices.remove(device)
        }
        return self != before
    }
}
