/// A change of the icon and the ringtone that a device's provider shows on the screens of its account.
public struct AppearanceChange: Hashable, Sendable {
    /// An icon or a ringtone; the run makes one of each name.
    public enum Media: Hashable, Sendable {
        /// The one of this name.
        case named(String)
        /// None: the present one is removed.
        case nothing
    }

    /// The icon; nil: it is unchanged.
    public var icon: Media?
    /// The ringtone; nil: it is unchanged.
    public var ringtone: Media?

    /// Creates a change from its parts.
    public init(icon: Media? = nil, ringtone: Media? = nil) {
        (self.icon, self.ringtone) = (icon, ringtone)
    }
}

/// An expected provider of an account.
public struct ProviderMatcher: Hashable, Sendable {
    /// The device whose provider it is.
    public enum Device: Hashable, Sendable {
        /// Any device of the party that is signed in.
        case present
        /// The party's device of this name.
        case named(String)
        /// One that has left.
        case former
    }

    /// An expected icon or ringtone.
    public enum Media: Hashable, Sendable {
        /// The one of this name.
        case named(String)
        /// Any.
        case any
    }

    /// The name of the provider; nil: it has none.
    public var name: String?
    /// The device whose provider it is.
    public var device: Device
    /// The icon; nil: it has none.
    public var icon: Media?
    /// The ringtone; nil: it has none.
    public var ringtone: Media?

    /// Creates an expected provider from its parts.
    public init(_ name: String?, on device: Device = .present, icon: Media? = nil, ringtone: Media? = nil) {
        (self.name, self.device, self.icon, self.ringtone) = (name, device, icon, ringtone)
    }
}
