/// A living conversation, as whoever runs the hub sees it: both parties at once.
public struct ConversationSummary: Hashable, Sendable {
    /// One side of it.
    public struct Party: Hashable, Sendable {
        /// The account; nil: somebody outside, a party of the hub's own, or not known yet.
        public var account: String?
        /// How this side is reached.
        public var handle: Handle
        /// The devices that have the call, those on which it rings included.
        public var sessions: [SessionID]

        /// A party of its parts.
        public init(account: String?, handle: Handle, sessions: [SessionID]) {
            self.account = account
            self.handle = handle
            self.sessions = sessions
        }
    }

    /// Names it, for `Event.endConversation`.
    public var id: ConversationID
    /// How far it has come; `held` where either side holds it.
    public var state: CallSnapshot.State
    /// Who called.
    public var caller: Party
    /// Who was called.
    public var callee: Party
    /// When the invitation was sent, or it began to ring; nil: not yet.
    public var startedAt: Instant?
    /// When both could speak; nil: not yet.
    public var connectedAt: Instant?
}

extension Engine {
    /// The conversations that live, in no order that means anything.
    public var conversationSummaries: [ConversationSummary] {
        conversations.keys.compactMap { id in conversations[id].map { summary(of: $0, id) } }
    }

    private func summary(of conversation: Conversation, _ id: ConversationID) -> ConversationSummary {
        let caller = conversation.caller.flatMap { calls[$0] }
        let callees = conversation.callees.compactMap { calls[$0] }
        return ConversationSummary(
            id: id,
            state: state(of: conversation, caller: caller, callees: callees),
            caller: ConversationSummary.Party(
                account: caller.flatMap { accountName(of: $0.session) },
                handle: caller.map { shownHandle(of: $0.session) } ?? conversation.handle,
                sessions: caller.map { [$0.session] } ?? []
            ),
            callee: ConversationSummary.Party(
                account: conversation.callee?.account,
                handle: caller == nil ? shownHandle(of: callees.first?.session) : conversation.handle,
                sessions: callees.map(\.session)
            ),
            startedAt: (caller ?? callees.first)?.startedAt,
            connectedAt: (caller ?? callees.first)?.connectedAt
        )
    }

    private func state(of conversation: Conversation, caller: Call?, callees: [Call]) -> CallSnapshot.State {
        switch conversation.phase {
        case .starting: .starting
        case .inviting, .answering: .connecting
        case .ringing(_, let devices):
            devices.isEmpty && !conversation.isRingingForTheCaller ? .connecting : .ringing
        case .connected: caller?.isOnHold == true || callees.contains(where: \.isOnHold) ? .held : .connected
        }
    }
}
