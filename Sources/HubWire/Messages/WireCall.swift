public import HubEngine

/// A call as the wire shows it to its owner: the members of the engine's `CallSnapshot`, one for one.
///
/// A type of its own only because `CallSnapshot` and its like can be made by the engine alone, and a client must make
/// one of what it receives.
public struct WireCall: Hashable, Sendable {
    /// Names the call.
    public var uuid: CallUUID
    /// Whether the owner placed it.
    public var isOutgoing: Bool
    /// Where it is in its life.
    public var state: CallSnapshot.State
    /// Whether it has been connected, even if it has ended since.
    public var hasConnected: Bool
    /// The other party.
    public var remoteHandle: Handle
    /// The name to show for the other party.
    public var localizedCallerName: String
    /// Where that name comes from.
    public var nameSource: CallSnapshot.NameSource
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
    /// When the invitation was sent, or the call began to ring.
    public var startedAt: Instant?
    /// When both could speak.
    public var connectedAt: Instant?
    /// When it ended.
    public var endedAt: Instant?
    /// Why it ended; nil while it lives and after a local hang-up.
    public var endedReason: EndReason?
    /// The finer cause, where there is one.
    public var cause: EndCause?
    /// The transactions that an incoming call offers while it rings.
    public var choices: [WireChoice]

    /// Whether it is over.
    public var hasEnded: Bool { state == .ended }
}

/// One way to deal with a call that rings: a transaction ready to be requested.
public struct WireChoice: Hashable, Sendable {
    /// Which button.
    public var name: Choice.Name
    /// What it does, in order.
    public var actions: [ActionRequest]
}

/// One activation of a device's audio session.
public struct WireAudioSession: Hashable, Sendable {
    /// Names this activation.
    public var id: AudioSessionUUID
    /// The SSRC (RFC 3550) that the device sends with while it lasts.
    public var ssrc: UInt32
    /// The calls it is for.
    public var calls: [CallUUID]
    /// The group it is for, if it is.
    public var group: GroupUUID?
}

/// Somebody whose packets a client hears.
public struct WireAudioSource: Hashable, Sendable {
    /// The SSRC that the packets carry.
    public var ssrc: UInt32
    /// The listener's call on which they are heard.
    public var callUUID: CallUUID
    /// Who speaks.
    public var handle: Handle
    /// The name to show.
    public var name: String
}

/// A transaction that is not yet complete.
public struct WirePendingTransaction: Hashable, Sendable {
    /// Names it.
    public var uuid: TransactionUUID
    /// All its actions, in order.
    public var actions: [Action]
}

extension WireCall {
    /// The engine's snapshot, as it is.
    public init(_ snapshot: CallSnapshot) {
        self.init(
            uuid: snapshot.uuid,
            isOutgoing: snapshot.isOutgoing,
            state: snapshot.state,
            hasConnected: snapshot.hasConnected,
            remoteHandle: snapshot.remoteHandle,
            localizedCallerName: snapshot.localizedCallerName,
            nameSource: snapshot.nameSource,
            isMuted: snapshot.isMuted,
            isOnHold: snapshot.isOnHold,
            group: snapshot.group,
            hasVideo: snapshot.hasVideo,
            capabilities: snapshot.capabilities,
            remoteIsRinging: snapshot.remoteIsRinging,
            remoteIsOnHold: snapshot.remoteIsOnHold,
            startedAt: snapshot.startedAt,
            connectedAt: snapshot.connectedAt,
            endedAt: snapshot.endedAt,
            endedReason: snapshot.endedReason,
            cause: snapshot.cause,
            choices: snapshot.choices.map { WireChoice(name: $0.name, actions: $0.actions) }
        )
    }
}

extension WireAudioSession {
    /// The engine's audio session, as it is.
    public init(_ session: AudioSession) {
        self.init(id: session.id, ssrc: session.ssrc, calls: session.calls, group: session.group)
    }
}

extension WireAudioSource {
    /// The engine's audio source, as it is.
    public init(_ source: AudioSource) {
        self.init(ssrc: source.ssrc, callUUID: source.callUUID, handle: source.handle, name: source.name)
    }
}

extension WirePendingTransaction {
    /// The engine's pending transaction, as it is.
    public init(_ transaction: PendingTransaction) {
        self.init(uuid: transaction.uuid, actions: transaction.actions)
    }
}
