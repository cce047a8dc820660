/// One party's leg of a conversation, on one device: the counterpart of a CXCall.
///
/// An ended call is removed.
struct Call {
    let uuid: CallUUID
    let session: SessionID
    var conversation: ConversationID
    let isOutgoing: Bool
    var state: CallState
    /// The other party, as the call's owner sees it.
    private var party: CopyOnWrite<Party>
    var capabilities = CallCapabilities()
    var hasVideo: Bool
    /// Kept over hold, swap and answer (pitfall P18).
    var isMuted = false
    var isTranslating = false
    /// The program that translates the call, as its client has said; nil: not said, or it is not translated.
    var translationEngine: TranslationEngine?
    /// True if it began to ring while the device was disconnected (row CK-80).
    var mustReport = false
    /// The call's group, shared with at least one other call of the device; nil: none.
    var group: GroupUUID?
    var startedAt: Instant?
    var startedConnectingAt: Instant?
    /// The choices last sent to the owner; sent again when they change.
    var choices: [Choice] = []
    /// The last state sent to observers on other devices; nil: none yet.
    private var lastObserved: CopyOnWrite<ObservedCall>?

    init(
        uuid: CallUUID,
        session: SessionID,
        conversation: ConversationID,
        isOutgoing: Bool,
        state: CallState,
        remoteHandle: Handle,
        overridingName: String? = nil,
        guestName: String? = nil,
        names: KnownNames = KnownNames(),
        invitation: InvitationID? = nil,
        invitationName: String? = nil,
        capabilities: CallCapabilities = CallCapabilities(),
        hasVideo: Bool
    ) {
        self.uuid = uuid
        self.session = session
        self.conversation = conversation
        self.isOutgoing = isOutgoing
        self.state = state
        party = CopyOnWrite(
            Party(
                handle: remoteHandle,
                overridingName: overridingName,
                guestName: guestName,
                names: names,
                invitation: invitation,
                invitationName: invitationName
            )
        )
        self.capabilities = capabilities
        self.hasVideo = hasVideo
    }
}

/// The other party of a call, and those beside it.
private struct Party {
    var handle: Handle
    var overridingName: String?
    var guestName: String?
    var names: KnownNames
    var invitation: InvitationID?
    var invitationName: String?
    /// The user who has transferred the call; nil: nobody has.
    var transferor: CallParticipant?
    /// The transfer that has failed, of a call that came back; nil: it did not.
    var returned: ReturnedTransfer?
    /// True if nothing is known of the party: the handle is a placeholder.
    var isUnknown = false
    var participants: [CallParticipant] = []
}

extension Call {
    var remoteHandle: Handle {
        get { party.value.handle }
        set { party.value.handle = newValue }
    }

    /// The name that a client has given; it takes precedence over all others (row CK-15).
    var overridingName: String? {
        get { party.value.overridingName }
        set { party.value.overridingName = newValue }
    }

    /// The name that the other party has given as the guest of an invitation; nil: none.
    var guestName: String? { party.value.guestName }

    /// The other party's names in the data of the call's owner.
    var names: KnownNames {
        get { party.value.names }
        set { party.value.names = newValue }
    }

    /// True if the call was reported without a handle: `remoteHandle` is a placeholder.
    var isUnknown: Bool {
        get { party.value.isUnknown }
        set { party.value.isUnknown = newValue }
    }

    /// The user who has connected the call with its present other party; nil: nobody has (rules CH-05 and CH-06).
    var transferor: CallParticipant? {
        get { party.value.transferor }
        set { party.value.transferor = newValue }
    }

    /// The transfer that has failed, of a call that came back to the transferor; nil: it did not (rule CH-06).
    var returned: ReturnedTransfer? {
        get { party.value.returned }
        set { party.value.returned = newValue }
    }

    /// Replaces the other party, and all that was known of it.
    mutating func setRemoteParty(_ handle: Handle, names: KnownNames = KnownNames(), transferor: CallParticipant?) {
        let participants = participants
        party = CopyOnWrite(Party(handle: handle, names: names, transferor: transferor, participants: participants))
    }

    /// Replaces the other party by the caller of a conversation, as its callee knows them.
    mutating func setRemoteParty(_ callee: Conversation.Callee, transferor: CallParticipant?) {
        let participants = participants
        party = CopyOnWrite(
            Party(
                handle: callee.callerHandle,
                overridingName: callee.callerName,
                guestName: callee.callerGuestName,
                names: callee.names,
                invitation: callee.callerInvitation,
                invitationName: callee.callerInvitationName,
                transferor: transferor,
                participants: participants
            )
        )
    }

    /// The invitation by which the other party has joined; nil if it is not a guest.
    var invitation: InvitationID? { party.value.invitation }

    /// The name of that invitation, where the guest has given a name of their own; nil: none.
    var invitationName: String? { party.value.invitationName }

    /// The participants last sent to the owner; sent again when they change (row CH-01).
    var participants: [CallParticipant] {
        get { party.value.participants }
        set { party.value.participants = newValue }
    }

    var observed: ObservedCall? {
        get { lastObserved?.value }
        set { lastObserved = newValue.map { CopyOnWrite($0) } }
    }
}

/// The stage of a call's life.
enum CallState: Hashable {
    /// Outgoing; the start action is not fulfilled yet.
    ///
    /// Can transition to:
    /// - `connecting` when it is fulfilled.
    case starting
    /// Outgoing; the callee is looked up, rings or has not fulfilled its answer.
    ///
    /// Can transition to:
    /// - `connected` when a device of the callee fulfils its answer, at once with a built-in party, or, for an external
    ///   call, when the client reports it.
    case connecting
    /// Incoming; the device rings.
    ///
    /// Can transition to:
    /// - `answering` when its answer action is performed.
    case ringing
    /// Incoming; this device answers, and the action is not fulfilled yet.
    ///
    /// Can transition to:
    /// - `connected` when it is fulfilled.
    case answering
    /// Connected; media flows unless one of the parties holds.
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

    /// True if the call has the device's focus and audio session: one call of a device has, or one group.
    var hasFocus: Bool {
        switch self {
        case .connecting, .connected(_, isOnHold: false): true
        case .starting, .ringing, .answering, .connected(_, isOnHold: true): false
        }
    }

    /// True if the call has the user's attention or is about to: calls being placed or answered count too.
    var hasAttention: Bool {
        switch self {
        case .starting, .connecting, .answering, .connected(_, isOnHold: false): true
        case .ringing, .connected(_, isOnHold: true): false
        }
    }

    /// The phase of the call in the transaction rules.
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
        overridingName ?? guestName ?? names.contact ?? names.directory ?? remoteHandle.value
    }

    /// The source of that name.
    var nameSource: CallSnapshot.NameSource {
        if overridingName != nil { return .caller }
        if guestName != nil { return .guest }
        if names.contact != nil { return .contact }
        if names.directory != nil { return .directory }
        return isUnknown ? .hidden : .handle
    }
}

/// The end of a call, as its owner sees it.
struct CallEnd {
    /// The reason; nil for a local hang-up.
    var reason: EndReason?
    var cause: EndCause?
    var date: Instant
    /// The text of the callee who has declined; nil: none.
    var message: String?

    static func local(at date: Instant) -> CallEnd { CallEnd(reason: nil, cause: nil, date: date) }
    static func failed(_ cause: EndCause, at date: Instant) -> CallEnd {
        CallEnd(reason: .failed, cause: cause, date: date)
    }
}
