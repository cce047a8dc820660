/// What an account's user has set (protocol.md 9).
public struct AccountSettings: Hashable, Sendable {
    /// Whether calls are kept from ringing; contacts may be exempt (row CK-13).
    public var doNotDisturb = false
    /// The name that others are shown; empty: none is set, and they are shown what they know themselves.
    public var displayName = ""

    /// Nothing set.
    public init() {}
}

/// A change of an account's settings; what is nil stays as it is.
public struct SettingsUpdate: Hashable, Sendable {
    /// See `AccountSettings.doNotDisturb`.
    public var doNotDisturb: Bool?
    /// See `AccountSettings.displayName`.
    public var displayName: String?

    /// A change of its parts.
    public init(doNotDisturb: Bool? = nil, displayName: String? = nil) {
        self.doNotDisturb = doNotDisturb
        self.displayName = displayName
    }
}

extension AccountSettings {
    /// Takes a change over; false where it changes nothing.
    mutating func apply(_ update: SettingsUpdate) -> Bool {
        let before = self
        doNotDisturb = update.doNotDisturb ?? doNotDisturb
        displayName = update.displayName ?? displayName
        return self != before
    }
}
