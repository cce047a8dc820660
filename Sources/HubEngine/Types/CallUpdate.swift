/// The new and changed fields of a call (CXCallUpdate); nil leaves the call's value as it is (row CK-16).
public struct CallUpdate: Hashable, Sendable {
    /// The other party's handle.
    public var remoteHandle: Handle?
    /// A name that overrides the one the hub would show.
    public var localizedCallerName: String?
    /// True if the call can be held alone or swapped.
    public var supportsHolding: Bool?
    /// True if the call can be merged.
    public var supportsGrouping: Bool?
    /// True if the call can be taken out of a group.
    public var supportsUngrouping: Bool?
    /// True if DTMF digits can be played on the call.
    public var supportsDTMF: Bool?
    /// True if the call has video.
    public var hasVideo: Bool?

    /// Creates an update that changes nothing.
    public init() {}
}

/// The operations that a call supports; the defaults are decision D11 (row CK-17).
public struct CallCapabilities: Hashable, Sendable {
    /// True if the call can be held alone or swapped.
    public var supportsHolding = true
    /// True if the call can be merged.
    public var supportsGrouping = true
    /// True if the call can be taken out of a group.
    public var supportsUngrouping = true
    /// True if DTMF digits can be played on the call.
    public var supportsDTMF = true

    /// Creates the default capabilities: all.
    public init() {}

    /// Applies the capabilities that the update names.
    mutating func apply(_ update: CallUpdate) {
        supportsHolding = update.supportsHolding ?? supportsHolding
        supportsGrouping = update.supportsGrouping ?? supportsGrouping
        supportsUngrouping = update.supportsUngrouping ?? supportsUngrouping
        supportsDTMF = update.supportsDTMF ?? supportsDTMF
    }
}

extension CallUpdate {
    /// The name to show; nil if it is empty, so that the hub's own choice is shown.
    var overridingName: String? {
        localizedCallerName.flatMap { $0.isEmpty ? nil : $0 }
    }
}
