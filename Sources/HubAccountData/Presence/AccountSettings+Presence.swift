public import HubEngine

/// A signed-in device on which calls can ring, as a person's presence depends on it.
public struct PresentDevice: Hashable, Sendable {
    /// The device identifier.
    public var deviceID: String
    /// True if the device has a connected or held call.
    public var isOnCall: Bool
    /// True if the device has reported that its user is away.
    public var isAway: Bool

    /// Creates a device from its parts.
    public init(deviceID: String, isOnCall: Bool = false, isAway: Bool = false) {
        self.deviceID = deviceID
        self.isOnCall = isOnCall
        self.isAway = isAway
    }
}

/// A person's presence at a date, and when it changes without an event.
public struct DatedPresence: Hashable, Sendable {
    /// The presence.
    public var presence: Presence
    /// The date of the next beginning or end of quiet hours; nil: there are none.
    public var changesAt: Instant?

    /// Creates a presence that may change at a date.
    public init(_ presence: Presence, changesAt: Instant? = nil) {
        self.presence = presence
        self.changesAt = changesAt
    }
}

extension AccountSettings {
    /// Returns the presence of the account's user.
    ///
    /// It tells a caller first what would become of a call: without a device it fails, with Do Not Disturb it does not
    /// ring, on a call it waits.
    ///
    /// - Parameters:
    ///   - devices: The account's devices on which calls can ring, those in their grace period included.
    ///   - date: The date by the wall clock.
    ///   - calendar: The local times of time zones.
    /// - Returns: The presence, and when it changes by the quiet hours.
    func presence(of devices: [PresentDevice], at date: Instant, _ calendar: LocalCalendar) -> DatedPresence {
        let quiet = quietState(at: date, calendar)
        return DatedPresence(presence(of: devices, quiet), changesAt: quiet.changesAt)
    }

    private func presence(of devices: [PresentDevice], _ quiet: QuietState) -> Presence {
        if devices.isEmpty { return .offline }
        if doNotDisturb || devices.allSatisfy({ quietDevices.contains($0.deviceID) }) {
            return .doNotDisturb(until: nil)
        }
        if quiet.isQuiet { return .doNotDisturb(until: quiet.changesAt) }
        if devices.contains(where: \.isOnCall) { return .onCall }
        return devices.allSatisfy(\.isAway) ? .away : .free
    }
}

extension AccountDataTable {
    /// Returns the presence of an account's user, see `Presence`.
    ///
    /// - Parameters:
    ///   - account: The name of the account.
    ///   - devices: Its devices on which calls can ring, those in their grace period included.
    ///   - date: The date by the wall clock.
    ///   - calendar: The local times of time zones.
    /// - Returns: The presence, and when it changes by the quiet hours.
    public func presence(
        of account: String,
        on devices: [PresentDevice],
        at date: Instant,
        _ calendar: LocalCalendar
    ) -> DatedPresence {
        (settings(of: account) ?? AccountSettings()).presence(of: devices, at: date, calendar)
    }
}
