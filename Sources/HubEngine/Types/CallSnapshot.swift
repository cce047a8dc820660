/// A call as its owner sees it (protocol.md, The call object): CXCall's five fields, and those for a user interface.
public struct CallSnapshot: Hashable, Sendable {
    /// The states of a call in the protocol.
    public enum State: String, Hashable, Sendable {
        /// Requested; the start action is not yet fulfilled.
        case starting
        /// The other party is being reached or its device rings, or an answer is not yet fulfilled.
        case connecting
        /// An incoming call rings.
        case ringing
        /// The call is connected.
        case connected
        /// The call's owner holds it.
        case held
        /// The call is over; this is its last snapshot.
        case ended
    }

    /// The source of the shown name (row CK-15).
    public enum NameSource: String, Hashable, Sendable {
        /// The caller's client gave it.
        case caller
        /// The owner's contacts.
        case contact
        /// The caller directory.
        case directory
        /// The handle itself.
        case handle
        /// None: a participant who does not want to be named (row CH-01), or a caller of whom nothing is known.
        case hidden
        /// The guest of an invitation gave it, if the invitation lets guests.
        case guest
    }

    /// The call's identifier.
    public var uuid: CallUUID
    /// True if the owner placed the call.
    public var isOutgoing: Bool
    /// The stage of the call's life.
    public var state: State
    /// True if the call has been connected, even if it has ended since.
    public var hasConnected: Bool
    /// The other party's handle.
    public var remoteHandle: Handle
    /// The name to show for the other party.
    public var localizedCallerName: String
    /// The source of that name.
    public var nameSource: NameSource
    /// The title of the call directory that the name is from; nil: it has none, or the name is from elsewhere.
    public var directoryTitle: String?
    /// The invitation by which the other party has joined; nil if it is not a guest.
    public var invitation: InvitationID?
    /// The name of that invitation, where the guest has given a name of their own; nil: none.
    public var invitationName: String?
    /// True while the owner's audio is not forwarded.
    public var isMuted: Bool
    /// True while the owner holds the call.
    public var isOnHold: Bool
    /// The call's group; nil: none.
    public var group: GroupUUID?
    /// True if the call has video.
    public var hasVideo: Bool
    /// The operations that the call supports.
    public var capabilities: CallCapabilities
    /// True while an outgoing call's callee is reported to ring.
    public var remoteIsRinging: Bool
    /// True while the other party holds the call.
    public var remoteIsOnHold: Bool
    /// True while the owner has the call translated (row CK-82).
    public var isTranslating: Bool
    /// The program that translates the call, as the owner's client has said; nil: not said, or it is not translated.
    public var translationEngine: TranslationEngine?
    /// True if the owner's device, not the hub, carries the audio (row CK-68).
    public var isExternal: Bool
    /// True if the call rings, began to while this device was disconnected, and was then its only call (row CK-80).
    public var mustReport: Bool
    /// The time when an outgoing call's set-up began, or an incoming call began to ring.
    public var startedAt: Instant?
    /// The time when the hub began to reach an outgoing call's callee (row CK-27).
    public var startedConnectingAt: Instant?
    /// The time when the call was connected.
    public var connectedAt: Instant?
    /// The time when the call ended.
    public var endedAt: Instant?
    /// The reason why the call ended; nil during the call and after a local hang-up.
    public var endedReason: EndReason?
    /// The finer cause of the end, if there is one.
    public var cause: EndCause?
    /// The transactions to choose from while an incoming call rings; otherwise empty (row CK-38).
    public var choices: [Choice]

    /// The other people in the conversation of a group, besides the owner and the other party (row CH-01).
    public var participants: [CallParticipant]
    /// The user who has connected the call with its present other party; nil: nobody has (rules CH-05 and CH-06).
    public var transferor: CallParticipant?
    /// The transfer that has failed, on a call that came back to its transferor; nil: it did not (rule CH-06).
    public var returned: ReturnedTransfer?
    /// The text with which the callee has declined; only in the last snapshot of the caller's call (row CH-02).
    public var message: String?

    /// True if the call is over.
    public var hasEnded: Bool { state == .ended }

    package init(
        uuid: CallUUID,
        isOutgoing: Bool,
        state: State,
        hasConnected: Bool,
        remoteHandle: Handle,
        localizedCallerName: String,
        nameSource: NameSource,
        directoryTitle: String? = nil,
        invitation: InvitationID? = nil,
        invitationName: String? = nil,
        isMuted: Bool,
        isOnHold: Bool,
        group: GroupUUID?,
        hasVideo: Bool,
        capabilities: CallCapabilities,
        remoteIsRinging: Bool,
        remoteIsOnHold: Bool,
        isTranslating: Bool,
        translationEngine: TranslationEngine? = nil,
        isExternal: Bool,
        mustReport: Bool,
        startedAt: Instant?,
        startedConnectingAt: Instant?,
        connectedAt: Instant?,
        endedAt: Instant?,
        endedReason: EndReason?,
        cause: EndCause?,
        choices: [Choice],
        participants: [CallParticipant] = [],
        transferor: CallParticipant? = nil,
        returned: ReturnedTransfer? = nil,
        message: String? = nil
    ) {
        self.uuid = uuid
        self.isOutgoing = isOutgoing
        self.state = state
        self.hasConnected = hasConnected
        self.remoteHandle = remoteHandle
        self.localizedCallerName = localizedCallerName
        self.nameSource = nameSource
        self.directoryTitle = directoryTitle
        self.invitation = invitation
        self.invitationName = invitationName
        self.isMuted = isMuted
        self.isOnHold = isOnHold
        self.group = group
        self.hasVideo = hasVideo
        self.capabilities = capabilities
        self.remoteIsRinging = remoteIsRinging
        self.remoteIsOnHold = remoteIsOnHold
        self.isTranslating = isTranslating
        self.translationEngine = translationEngine
        self.isExternal = isExternal
        self.mustReport = mustReport
        self.startedAt = startedAt
        self.startedConnectingAt = startedConnectingAt
        self.connectedAt = connectedAt
        self.endedAt = endedAt
        self.endedReason = endedReason
        self.cause = cause
        self.choices = choices
        self.participants = participants
        self.transferor = transferor
        self.returned = returned
        self.message = message
    }
}

extension CallSnapshot {
    /// Indicates that a transfer has given the call another other party since an earlier state (rules CH-05 and CH-06).
    public func wasTransferred(since before: CallSnapshot) -> Bool {
        if transferor != before.transferor || returned != before.returned { return true }
        return (transferor != nil || returned != nil) && remoteHandle != before.remoteHandle
    }
}

/// One way to handle a ringing call: a transaction ready to be requested (callkit-semantics.md 2.5).
public struct Choice: Hashable, Sendable {
    /// The choices' names: the buttons of an incoming call.
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

    /// The choice's name.
    public var name: Name
    /// The actions of the transaction, in order.
    public var actions: [ActionRequest]

    package init(name: Name, actions: [ActionRequest]) {
        self.name = name
        self.actions = actions
    }
}
