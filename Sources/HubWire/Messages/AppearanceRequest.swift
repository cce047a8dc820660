public import HubAccountData

/// A request about the icons and ringtones of an account's providers (docs/protocol.md, Icons and ringtones).
///
/// The server handles it, not the engine.
public enum AppearanceRequest: Hashable, Sendable {
    /// `provider.setAppearance`.
    case set(icon: ProviderMediaChange<ProviderIcon>, ringtone: ProviderMediaChange<ProviderRingtone>)
    /// `provider.list`.
    case list
    /// `provider.media`, with the hash of an icon or a ringtone.
    case media(hash: String)
}

/// A provider of an account, as the account's devices show it.
public struct ListedProvider: Hashable, Sendable {
    /// The identifier and name of its device; nil: it is not signed in.
    public var device: SessionOpenRequest.Device?
    /// The `localizedName` of its configuration; nil: it has none, or one that is too long.
    public var name: String?
    /// The hash of its icon; nil: it has none.
    public var iconHash: String?
    /// The `ringtoneSound` of its configuration; nil: it has none, or one that is too long.
    public var ringtoneSound: String?
    /// The hash of its ringtone's sound; nil: the hub has none.
    public var ringtoneHash: String?

    /// Creates a provider without icon and ringtone.
    public init(device: SessionOpenRequest.Device? = nil, name: String? = nil) {
        (self.device, self.name) = (device, name)
    }
}
