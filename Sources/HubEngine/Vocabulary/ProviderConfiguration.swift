/// CXProviderConfiguration, with CallKit's defaults (callkit.md 1.4; rows CK-01 to CK-03).
public struct ProviderConfiguration: Hashable, Sendable {
    /// How many groups of calls, a single call being one, the device takes at a time; at least 1.
    public var maximumCallGroups = 2
    /// How many calls one group takes; at least 1.
    public var maximumCallsPerCallGroup = 5
    /// Whether the device's calls are written to Recents.
    public var includesCallsInRecents = true
    /// Whether the device takes video calls.
    public var supportsVideo = false
    /// What types of handle may be called; empty: any (decision D15).
    ///
    /// In the order of `HandleType`, each once.
    public var supportedHandleTypes: [Handle.HandleType] = []
    /// The name of the sound to ring with; nil: the client's own.
    public var ringtoneSound: String?
    /// The name under which the provider presents itself.
    public var localizedName: String?

    /// CallKit's defaults.
    public init() {}
}
