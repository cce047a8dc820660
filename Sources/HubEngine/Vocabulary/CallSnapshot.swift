/// A call as its owner sees it (protocol.md 5): CXCall's five fields, and what a phone needs to draw it.
public struct CallSnapshot: Hashable, Sendable {
    /// The states by which the wire names a call's life.
    public enum State: String, Hashable, Sendable {
        /// Requested; the start action is not yet fulfilled.
        case starting
        /// The other side is being reached or rings, or an answer is not yet fulfilled.
        case connecting
        /// An incoming call rings.
        case ringing
        /// Both can speak.
        case connected
        /// Held by its owner.
        case held
        /// Over; this is the last snapshot of the call.
        case ended
    }

    /// Where the shown name comes from (row CK-15).
    public enum NameSource: String, Hashable, Sendable {
        /// The caller's client gave it.
        case caller
        /// The owner's contacts.
        case contact
        /// The caller directory.
        case directory
        /// The handle itself.
        case handle
    }

    /// Names the call.
    public var uuid: CallUUID
    /// Whether the owner placed it.
    public var isOutgoing: Bool
    /// Where it is in its life.
    public var state: State
    /// Whether it has been connected, even if it has ended since.
    public var hasConnected: Bool
    /// The other party.
    public var remoteHandle: Handle
    /// The name to show for the other party.
    public var localizedCallerName: String
    /// Where that name comes from.
    public var nameSource: NameSource
    /// The link by which the other party has come; nil: it is no link's guest.
    public var link: CallLinkID?
    /// Whether the owner's sound is kept back.
    public var isMuted: Bool
    /// Whether the owner holds it.
    public var isOnHold: Bool
    /// The group it is in.
    public var group: GroupUUID?
    /// Whether it has video.
    public var hasVideo: Bool
    /// What can be done with it.
    public var capabilities: CallCapabilities
    /// An outgoing call: whether a device of the callee rings.
    public var remoteIsRinging: Bool
    /// Whether the other party holds it.
    public var remoteIsOnHold: Bool
    /// Whether the owner has it translated (row CK-82).
    public var isTranslating: Bool
    /// Whether its sound is carried by the owner's device and not by the hub (row CK-68).
    public var isExternal: Bool
    /// A ringing call: whether it began to ring while this device was away, and nothing else keeps the user busy (row CK-80).
    public var mustReport: Bool
    /// Outgoing: when the invitation was sent.
    ///
    /// Incoming: when it began to ring.
    public var startedAt: Instant?
    /// Outgoing: when the other side began to be reached (row CK-27).
    public var startedConnectingAt: Instant?
    /// When both could speak.
    public var connectedAt: Instant?
    /// When it ended.
    public var endedAt: Instant?
    /// Why it ended; nil while it lives and after a local hang-up.
    public var endedReason: EndReason?
    /// The finer cause, where there is one.
    public var cause: EndCause?
    /// The transactions that an incoming call offers while it rings; otherwise empty (row CK-38).
    public var choices: [Choice]

    /// Whether it is over.
    public var hasEnded: Bool { state == .ended }

    package init(
        uuid: CallUUID,
        isOutgoing: Bool,
        state: State,
        hasConnected: Bool,
        remoteHandle: Handle,
        localizedCallerName: String,
        nameSource: NameSource,
        link: CallLinkID? = nil,
        isMuted: Bool,
        isOnHold: Bool,
        group: GroupUUID?,
        hasVideo: Bool,
        capabilities: CallCapabilities,
        remoteIsRinging: Bool,
        remoteIsOnHold: Bool,
        isTranslating: Bool,
        isExternal: Bool,
        mustReport: Bool,
        startedAt: Instant?,
        startedConnectingAt: Instant?,
        connectedAt: Instant?,
        endedAt: Instant?,
        endedReason: EndReason?,
        cause: EndCause?,
        choices: [Choice]
    ) {
        self.uuid = uuid
        self.isOutgoing = isOutgoing
        self.state = state
        self.hasConnected = hasConnected
        self.remoteHandle = remoteHandle
        self.localizedCallerName = localizedCallerName
        self.nameSource = nameSource
        self.link = link
        self.isMuted = isMuted
        self.isOnHold = isOnHold
        self.group = group
        self.hasVideo = hasVideo
        self.capabilities = capabilities
        self.remoteIsRinging = remoteIsRinging
        self.remoteIsOnHold = remoteIsOnHold
        self.isTranslating = isTranslating
        self.isExternal = isExternal
        self.mustReport = mustReport
        self.startedAt = startedAt
        self.startedConnectingAt = startedConnectingAt
        self.connectedAt = connectedAt
        self.endedAt = endedAt
        self.endedReason = endedReason
        self.cause = cause
        self.choices = choices
    }
}

/// One way to deal with a call that rings: a transaction ready to be requested (callkit.md 2.5).
public struct Choice: Hashable, Sendable {
    /// The names of the buttons.
    public enum Name: String, Hashable, Sendable {
        /// Answer; no other call is in the way.
        case accept
        /// Do not answer.
        case decline
        /// Hold the active call, then answer.
        case holdAndAccept
        /// End the active call, then answer.
        case endAndAccept
        /// End the held call, hold the active one, then answer.
        case endHeldAndAccept
    }

    /// Which button.
    public var name: Name
    /// What it does, in order.
    public var actions: [ActionRequest]

    package init(name: Name, actions: [ActionRequest]) {
        self.name = name
        self.actions = actions
    }
}
