import CallSystem
public import Foundation
import HubEngine

/// The configuration of a provider: its limits, what its calls can do, and how the system shows them.
///
/// A provider copies it in both directions. A change of the copy that ``CXProvider/configuration`` returns takes effect
/// on that provider.
open class CXProviderConfiguration: NSObject, NSCopying, @unchecked Sendable {
    private struct Values {
        var localizedName: String?
        var ringtoneSound: String?
        var iconTemplateImageData: Data?
        var maximumCallGroups = 2
        var maximumCallsPerCallGroup = 5
        var includesCallsInRecents = true
        var supportsVideo = false
        var supportedHandleTypes: Set<CXHandle.HandleType> = []
        var supportsAudioTranslation = false
    }

    private let values: Locked<Values>
    /// The closure that is called after each change, on a provider's copy.
    private let changed: (@Sendable (CXProviderConfiguration) -> Void)?

    /// Creates a configuration with the defaults.
    public override init() {
        values = Locked(Values())
        changed = nil
    }

    /// Creates a configuration with a name of the provider.
    ///
    /// - Parameter localizedName: The name to show for the provider; systems since iOS 14 show the app's name instead.
    public init(localizedName: String) {
        values = Locked(Values(localizedName: localizedName))
        changed = nil
    }

    /// Copies a configuration, with a receiver of later changes of the copy.
    init(copying other: CXProviderConfiguration, changed: (@Sendable (CXProviderConfiguration) -> Void)? = nil) {
        values = Locked(other.values.withLock { $0 })
        self.changed = changed
    }

    private func set<Value>(_ path: WritableKeyPath<Values, Value>, _ value: Value) {
        values.withLock { $0[keyPath: path] = value }
        changed?(self)
    }

    /// The name of the provider.
    open var localizedName: String? { values.withLock { $0.localizedName } }

    /// The name of the ringtone's file in the app's bundle; nil: the system's ringtone.
    open var ringtoneSound: String? {
        get { values.withLock { $0.ringtoneSound } }
        set { set(\.ringtoneSound, newValue) }
    }

    /// The PNG data of the icon, a mask of 40 by 40 points; nil: none.
    open var iconTemplateImageData: Data? {
        get { values.withLock { $0.iconTemplateImageData } }
        set { set(\.iconTemplateImageData, newValue) }
    }

    /// The maximum number of call groups; a call in no group counts as one (default 2).
    open var maximumCallGroups: Int {
        get { values.withLock { $0.maximumCallGroups } }
        set { set(\.maximumCallGroups, newValue) }
    }

    /// The maximum number of calls in a group (default 5).
    open var maximumCallsPerCallGroup: Int {
        get { values.withLock { $0.maximumCallsPerCallGroup } }
        set { set(\.maximumCallsPerCallGroup, newValue) }
    }

    /// Indicates that the calls are written to Recents (default true).
    open var includesCallsInRecents: Bool {
        get { values.withLock { $0.includesCallsInRecents } }
        set { set(\.includesCallsInRecents, newValue) }
    }

    /// Indicates that the provider has calls with video (default false).
    open var supportsVideo: Bool {
        get { values.withLock { $0.supportsVideo } }
        set { set(\.supportsVideo, newValue) }
    }

    /// The types of handles that can be called; empty, the default: all.
    open var supportedHandleTypes: Set<CXHandle.HandleType> {
        get { values.withLock { $0.supportedHandleTypes } }
        set { set(\.supportedHandleTypes, newValue) }
    }

    /// Indicates that the provider's calls can be translated (default false).
    open var supportsAudioTranslation: Bool {
        get { values.withLock { $0.supportsAudioTranslation } }
        set { set(\.supportsAudioTranslation, newValue) }
    }

    /// Returns a configuration with the same values.
    open func copy(with zone: NSZone? = nil) -> Any { CXProviderConfiguration(copying: self) }

    /// The values that the hub has a use for.
    var engineConfiguration: ProviderConfiguration {
        let values = values.withLock { $0 }
        var configuration = ProviderConfiguration()
        configuration.localizedName = values.localizedName
        configuration.ringtoneSound = values.ringtoneSound
        configuration.maximumCallGroups = max(values.maximumCallGroups, 1)
        configuration.maximumCallsPerCallGroup = max(values.maximumCallsPerCallGroup, 1)
        configuration.includesCallsInRecents = values.includesCallsInRecents
        configuration.supportsVideo = values.supportsVideo
        let types = Set(values.supportedHandleTypes.map(\.rawValue))
        configuration.supportedHandleTypes = Handle.HandleType.allCases.filter { types.contains($0.rawValue) }
        return configuration
    }
}
