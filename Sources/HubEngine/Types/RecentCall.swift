/// An entry of Recents, made at the end of a call, one for each account that took part.
///
/// See callkit-semantics.md 2.11 and row CK-71.
public struct RecentCall: Hashable, Sendable {
    /// The outcome of a call.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// The call was connected.
        case answered
        /// An incoming call was not answered.
        case missed
        /// The callee declined.
        case declined
        /// An outgoing call was never connected, whichever party ended it.
        case cancelled
        /// Nobody answered an outgoing call in time.
        case unanswered
        /// An error, an unknown handle, or no device online.
        case failed
        /// The call was answered elsewhere (decision D9).
        ///
        /// Stored only if the call's end was reported so; otherwise shown to the devices that did not have the call.
        case answeredElsewhere
    }

    /// The entry's identifier.
    public var id: RecentUUID
    /// The other party's handle, by which it can be called again (pitfall P17).
    public var handle: Handle
    /// The name that was shown.
    public var name: String
    /// The invitation by which the other party has joined; nil if it is not a guest.
    public var invitation: InvitationID?
    /// The name of that invitation, where the guest has given a name of their own; nil: none.
    public var invitationName: String?
    /// True if the account's user placed the call.
    public var isOutgoing: Bool
    /// The outcome of the call.
    public var outcome: Outcome
    /// True if the call did not ring because of Do Not Disturb (decision D9).
    public var isSilenced: Bool
    /// The device identifiers of the devices that had the call connected or declined it.
    public var devices: [String]
    /// The time when the call set-up began, or the call began to ring.
    public var startedAt: Instant
    /// The time when the call was connected; nil: never.
    public var connectedAt: Instant?
    /// The time when the call ended.
    public var endedAt: Instant
    /// True if it was a video call.
    public var hasVideo: Bool
    /// The `localizedName` of the provider that the call was of, at most 256 bytes; nil: it had none.
    public var provider: String?
    /// True if nobody knows the other party: `handle` is a placeholder, and cannot be called.
    public var isUnknown: Bool

    /// Creates an entry from its parts.
    public init(
        id: RecentUUID,
        handle: Handle,
        name: String,
        invitation: InvitationID? = nil,
        invitationName: String? = nil,
        isOutgoing: Bool,
        outcome: Outcome,
        isSilenced: Bool = false,
        devices: [String] = [],
        startedAt: Instant,
        connectedAt: Instant? = nil,
        endedAt: Instant,
        hasVideo: Bool = false,
        provider: String? = nil,
        isUnknown: Bool = false
    ) {
        self.id = id
        self.handle = handle
        self.name = name
        self.invitation = invitation
        self.invitationName = invitationName
        self.isOutgoing = isOutgoing
        self.outcome = outcome
        self.isSilenced = isSilenced
        self.devices = devices
        self.startedAt = startedAt
        self.connectedAt = connectedAt
        self.endedAt = endedAt
        self.hasVideo = hasVideo
        self.provider = provider
        self.isUnknown = isUnknown
    }
}

extension RecentCall {
    /// The key of the one entry that calls of an invitation's guests share, so that they cannot displace other entries.
    package struct InvitationEntryKey: Hashable, Sendable {
        /// The invitation.
        package let invitation: InvitationID
        /// The calls' common outcome.
        package let outcome: Outcome
    }

    /// The key of the entry that the call shares with others of its invitation's guests; nil: it has an entry of its
    /// own.
    ///
    /// A connected call has an entry of its own, and so has a call to a guest.
    package var invitationEntryKey: InvitationEntryKey? {
        guard let invitation, !isOutgoing else { return nil }
        return switch outcome {
        case .missed, .declined, .failed: InvitationEntryKey(invitation: invitation, outcome: outcome)
        case .answered, .answeredElsewhere, .cancelled, .unanswered: nil
        }
    }
}
