/// One party's leg of a conversation, on one device: what a CXCall stands for.
///
/// An ended call is no call any more.
struct Call {
    let uuid: CallUUID
    let session: SessionID
    let conversation: ConversationID
    let isOutgoing: Bool
    var state: CallState
    /// Who is at the other end, as the owner knows it.
    private var party: Shared<Party>
    var capabilities = CallCapabilities()
    var hasVideo: Bool
    /// Kept over hold, swap and answer (pitfall P18).
    var isMuted = false
    var isTranslating = false
    /// Whether it began to ring while the device was away (row CK-80).
    var mustReport = false
    /// The group it is in; two calls of a device share one, or more do, never one alone.
    var group: GroupUUID?
    var startedAt: Instant?
    var startedConnectingAt: Instant?
    /// The choices that the owner was last told of; told again when they change.
    var choices: [Choice] = []
    /// What observers on other devices were last told; nil: nothing yet.
    private var lastObserved: Shared<ObservedCall>?

    init(
        uuid: CallUUID,
        session: SessionID,
        conversation: ConversationID,
        isOutgoing: Bool,
        state: CallState,
        remoteHandle: Handle,
        givenName: String? = nil,
        names: KnownNames = KnownNames(),
        link: CallLinkID? = nil,
        capabilities: CallCapabilities = CallCapabilities(),
        hasVideo: Bool
    ) {
        self.uuid = uuid
        self.session = session
        self.conversation = conversation
        self.isOutgoing = isOutgoing
        self.state = state
        party = Shared(Party(handle: remoteHandle, givenName: givenName, names: names, link: link))
        self.capabilities = capabilities
        self.hasVideo = hasVideo
    }
}

/// Who is at the other end of a call.
private struct Party {
    var handle: Handle
    var givenName: String?
    var names: KnownNames
    let link: CallLinkID?
}

extension Call {
    var remoteHandle: Handle {
        get { party.value.handle }
        set { party.value.handle = newValue }
    }

    /// A name that a client gave: it goes before all others (row CK-15).
    var givenName: String? {
        get { party.value.givenName }
        set { party.value.givenName = newValue }
    }

    /// What the owner knows the other party by.
    var names: KnownNames {
        get { party.value.names }
        set { party.value.names = newValue }
    }

    /// The link by which the other party has come; nil: it is no link's guest.
    var link: CallLinkID? { party.value.link }

    var observed: ObservedCall? {
        get { lastObserved?.value }
        set { lastObserved = newValue.map { Shared($0) } }
    }
}

/// Where a call is in its life.
enum CallState: Hashable {
    /// Outgoing; the start action is not fulfilled yet.
    ///
    /// Can transition to:
    /// - `connecting` when it is fulfilled.
    case starting
    /// Outgoing; the callee is looked up, rings or has not fulfilled its answer.
    ///
    /// Can transition to:
    /// - `connected` when a device of the callee fulfils its answer, at once with a built-in party, or when the client reports it
    ///   of an external call.
    case connecting
    /// Incoming; the device rings.
    ///
    /// Can transition to:
    /// - `answering` when its answer action is performed.
    case ringing
    /// Incoming; this device answers, the action is not fulfilled yet.
    ///
    /// Can transition to:
    /// - `connected` when it is.
    case answering
    /// Both can speak unless one of them holds.
    ///
    /// Can transition to:
    /// - itself with the other value of `isOnHold`.
    case connected(since: Instant, isOnHold: Bool)
}

extension CallState {
    var isConnected: Bool {
        if case .connected = self { true } else { false }
    }

    var isOnHold: Bool {
        if case .connected(_, isOnHold: true) = self { true } else { false }
    }

    /// Whether it is what the device's user is busy with: one call of a device is, or one group, and it has the audio session.
    var hasFocus: Bool {
        switch self {
        case .connecting, .connected(_, isOnHold: false): true
        case .starting, .ringing, .answering, .connected(_, isOnHold: true): false
        }
    }

    /// Whether the user is busy with it or about to be: what is being placed or answered counts too.
    var hasAttention: Bool {
        switch self {
        case .starting, .connecting, .answering, .connected(_, isOnHold: false): true
        case .ringing, .connected(_, isOnHold: true): false
        }
    }

    /// How the transaction rules see it.
    var phase: CallPhase {
        switch self {
        case .starting, .connecting: .outgoing
        case .ringing: .ringing
        case .answering: .answering
        case .connected(_, isOnHold: false): .active
        case .connected(_, isOnHold: true): .held
        }
    }
}

extension Call {
    var isOnHold: Bool {
        get { state.isOnHold }
        set {
            guard case .connected(let since, _) = state else { return }
            state = .connected(since: since, isOnHold: newValue)
        }
    }

    var isConnected: Bool { state.isConnected }

    var connectedAt: Instant? {
        if case .connected(let since, _) = state { since } else { nil }
    }

    var hasFocus: Bool { state.hasFocus }

    var phase: CallPhase { state.phase }

    /// The name to show for the other party (row CK-15).
    var shownName: String {
        givenName ?? names.contact ?? names.directory ?? remoteHandle.value
    }

    /// Where that name comes from.
    var nameSource: CallSnapshot.NameSource {
        if givenName != nil { return .caller }
        if names.contact != nil { return .contact }
        return names.directory == nil ? .handle : .directory
    }
}

/// How a call ended for its owner.
struct CallEnd {
    /// Nil: a local hang-up.
    var reason: EndReason?
    var cause: EndCause?
    var date: Instant

    static func local(at date: Instant) -> CallEnd { CallEnd(reason: nil, cause: nil, date: date) }
    static func failed(_ cause: EndCause, at date: Instant) -> CallEnd {
        CallEnd(reason: .failed, cause: cause, date: date)
    }
}
