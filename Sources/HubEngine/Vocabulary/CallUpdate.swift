/// CXCallUpdate: only what is new or changed; nil leaves the call's value alone (row CK-16).
public struct CallUpdate: Hashable, Sendable {
    /// The other party.
    public var remoteHandle: Handle?
    /// A name that overrides the one the hub would show.
    public var localizedCallerName: String?
    /// Whether the call can be held alone or swapped.
    public var supportsHolding: Bool?
    /// Whether the call can be merged.
    public var supportsGrouping: Bool?
    /// Whether the call can be taken out of a group.
    public var supportsUngrouping: Bool?
    /// Whether digits can be keyed.
    public var supportsDTMF: Bool?
    /// Whether the call has video.
    public var hasVideo: Bool?

    /// An update that changes nothing.
    public init() {}
}

/// What can be done with a call; the defaults are decision D11 (row CK-17).
public struct CallCapabilities: Hashable, Sendable {
    /// Whether the call can be held alone or swapped.
    public var supportsHolding = true
    /// Whether the call can be merged.
    public var supportsGrouping = true
    /// Whether the call can be taken out of a group.
    public var supportsUngrouping = true
    /// Whether digits can be keyed.
    public var supportsDTMF = true

    /// The defaults.
    public init() {}

    /// Changes what the update names.
    mutating func apply(_ update: CallUpdate) {
        supportsHolding = update.supportsHolding ?? supportsHolding
        supportsGrouping = update.supportsGrouping ?? supportsGrouping
        supportsUngrouping = update.supportsUngrouping ?? supportsUngrouping
        supportsDTMF = update.supportsDTMF ?? supportsDTMF
    }
}

extension CallUpdate {
    /// The name that is to be shown; an empty one is none, so that what the hub itself knows is shown.
    var givenName: String? {
        localizedCallerName.flatMap { $0.isEmpty ? nil : $0 }
    }
}
