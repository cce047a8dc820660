/// A live conversation with both its parties, as an administrator sees it.
public struct ConversationSummary: Hashable, Sendable {
    /// One party of a conversation.
    public struct Party: Hashable, Sendable {
        /// The account's name; nil for an external or built-in party, and while it is not known.
        public var account: String?
        /// The handle by which this party is reached.
        public var handle: Handle
        /// The sessions of the devices that have the call, ringing ones included.
        public var sessions: [SessionID]

        /// Creates a party from its parts.
        public init(account: String?, handle: Handle, sessions: [SessionID]) {
            self.account = account
            self.handle = handle
            self.sessions = sessions
        }
    }

    /// The identifier to pass to `Event.endConversation`.
    public var id: ConversationID
    /// The state of the conversation; `held` if either party holds it.
    public var state: CallSnapshot.State
    /// The calling party.
    public var caller: Party
    /// The called party.
    public var callee: Party
    /// The time when the invitation was sent, or ringing began; nil: not yet.
    public var startedAt: Instant?
    /// The time when the conversation was connected; nil: not yet.
    public var connectedAt: Instant?
}

extension Engine {
    /// All live conversations, in no particular order.
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
