public import Foundation
import HubEngine

/// New and changed data of a call.
///
/// A property that is never assigned leaves that of the call as it is: that differs from false and nil.
open class CXCallUpdate: NSObject, NSCopying, @unchecked Sendable {
    private var assigned = Assigned()

    private struct Assigned {
        var remoteHandle: CXHandle??
        var localizedCallerName: String??
        var supportsHolding: Bool?
        var supportsGrouping: Bool?
        var supportsUngrouping: Bool?
        var supportsDTMF: Bool?
        var hasVideo: Bool?
    }

    /// Creates an update that changes nothing.
    public override init() {}

    /// The handle of the other party.
    open var remoteHandle: CXHandle? {
        get { assigned.remoteHandle ?? nil }
        set { assigned.remoteHandle = .some(newValue) }
    }

    /// The name to show in place of the one that the system finds for the handle; nil: the system's.
    open var localizedCallerName: String? {
        get { assigned.localizedCallerName ?? nil }
        set { assigned.localizedCallerName = .some(newValue) }
    }

    /// Indicates that the call can be held, alone or for another call; a call can by default.
    open var supportsHolding: Bool {
        get { assigned.supportsHolding ?? true }
        set { assigned.supportsHolding = newValue }
    }

    /// Indicates that the call can be merged with others; a call can by default.
    open var supportsGrouping: Bool {
        get { assigned.supportsGrouping ?? true }
        set { assigned.supportsGrouping = newValue }
    }

    /// Indicates that the call can be taken out of a group; a call can by default.
    open var supportsUngrouping: Bool {
        get { assigned.supportsUngrouping ?? true }
        set { assigned.supportsUngrouping = newValue }
    }

    /// Indicates that the call can play DTMF tones; a call can by default.
    open var supportsDTMF: Bool {
        get { assigned.supportsDTMF ?? true }
        set { assigned.supportsDTMF = newValue }
    }

    /// Indicates that the call has video.
    open var hasVideo: Bool {
        get { assigned.hasVideo ?? false }
        set { assigned.hasVideo = newValue }
    }

    /// Returns an update with the same assigned properties.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CXCallUpdate()
        copy.assigned = assigned
        return copy
    }

    /// The assigned properties, as the call system takes them.
    var engineUpdate: CallUpdate {
        var update = CallUpdate()
        update.remoteHandle = (assigned.remoteHandle ?? nil).map { Handle($0) }
        // Without a name the system's own is shown again.
        update.localizedCallerName = assigned.localizedCallerName.map { $0 ?? "" }
        update.supportsHolding = assigned.supportsHolding
        update.supportsGrouping = assigned.supportsGrouping
        update.supportsUngrouping = assigned.supportsUngrouping
        update.supportsDTMF = assigned.supportsDTMF
        update.hasVideo = assigned.hasVideo
        return update
    }
}

extension Handle {
    /// Converts a handle of an app.
    init(_ handle: CXHandle) {
        self.init(type: HandleType(rawValue: handle.type.rawValue) ?? .generic, value: handle.value)
    }
}

extension CXHandle {
    /// Converts a handle of the hub.
    convenience init(_ handle: Handle) {
        self.init(type: HandleType(rawValue: handle.type.rawValue) ?? .generic, value: handle.value)
    }
}
