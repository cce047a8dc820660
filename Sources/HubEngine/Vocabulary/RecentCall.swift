/// An entry of Recents, made at the end of a call, one for each account that had part in it (callkit.md 2.11; row CK-71).
public struct RecentCall: Hashable, Sendable {
    /// How it came out.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// Both could speak.
        case answered
        /// An incoming call that nobody took.
        case missed
        /// The callee declined.
        case declined
        /// An outgoing call that was never connected, whoever gave up.
        case cancelled
        /// An error, an unknown handle, nobody there.
        case failed
        /// Answered elsewhere (decision D9): kept where a call's end was reported so, else only told to devices that had not the call.
        case answeredElsewhere
    }

    /// Names the entry.
    public var id: RecentUUID
    /// The other party, so that it can be called again (pitfall P17).
    public var handle: Handle
    /// The name that was shown.
    public var name: String
    /// The link by which the other party has come; nil: it is no link's guest.
    public var link: CallLinkID?
    /// Whether the account's user placed it.
    public var isOutgoing: Bool
    /// How it came out.
    public var outcome: Outcome
    /// Whether Do Not Disturb kept it from ringing (decision D9).
    public var isSilenced: Bool
    /// The devices, by their own names for themselves, that had the call connected or declined it.
    public var devices: [String]
    /// When the invitation was sent, or it began to ring.
    public var startedAt: Instant
    /// When both could speak.
    public var connectedAt: Instant?
    /// When it ended.
    public var endedAt: Instant

    /// An entry of its parts.
    public init(
        id: RecentUUID,
        handle: Handle,
        name: String,
        link: CallLinkID? = nil,
        isOutgoing: Bool,
        outcome: Outcome,
        isSilenced: Bool = false,
        devices: [String] = [],
        startedAt: Instant,
        connectedAt: Instant? = nil,
        endedAt: Instant
    ) {
        self.id = id
        self.handle = handle
        self.name = name
        self.link = link
        self.isOutgoing = isOutgoing
        self.outcome = outcome
        self.isSilenced = isSilenced
        self.devices = devices
        self.startedAt = startedAt
        self.connectedAt = connectedAt
        self.endedAt = endedAt
    }
}

extension RecentCall {
    /// The calls of a link's guests that are one entry of Recents, so that guests cannot push others out.
    package struct LinkLine: Hashable, Sendable {
        /// The link.
        package let link: CallLinkID
        /// The outcome that they have in common.
        package let outcome: Outcome
    }

    /// The entry that the call shares with others of its link's guests; nil: it has one of its own.
    ///
    /// A call in which somebody spoke has its own, and so has one to a guest.
    package var linkLine: LinkLine? {
        guard let link, !isOutgoing else { return nil }
        return switch outcome {
        case .missed, .declined, .failed: LinkLine(link: link, outcome: outcome)
        case .answered, .answeredElsewhere, .cancelled: nil
        }
    }
}
