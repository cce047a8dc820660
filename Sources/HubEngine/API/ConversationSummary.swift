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
    /// The time when the call set-up began, or ringing began; nil: not yet.
    public var startedAt: Instant?
    /// The time when the conversation was connected; nil: not yet.
    public var connectedAt: Instant?
}
