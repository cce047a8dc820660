/// A device's provider configuration: CXProviderConfiguration, with CallKit's defaults.
///
/// See callkit-semantics.md 1.4 and rows CK-01 to CK-03.
public struct ProviderConfiguration: Hashable, Sendable {
    /// The maximum number of groups of calls on the device, a single call being one; at least 1.
    public var maximumCallGroups = 2
    /// The maximum number of calls in one group; at least 1.
    public var maximumCallsPerCallGroup = 5
    /// True if the device's calls are written to Recents.
    public var includesCallsInRecents = true
    /// True if the device takes video calls.
    public var supportsVideo = false
    /// The types of handle that may be called; empty: all (decision D15).
    ///
    /// In the order of `HandleType`, each once.
    public var supportedHandleTypes: [Handle.HandleType] = []
    /// The name of the ringtone; nil: the client's own.
    public var ringtoneSound: String?
    /// The display name of the provider.
    public var localizedName: String?

    /// Creates a configuration with CallKit's defaults.
    public init() {}
}
