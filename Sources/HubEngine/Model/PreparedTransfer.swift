/// A transfer that was accepted: its conversations, and what was looked up for them.
///
/// If a conversation is another one when the transfer is performed, its other party has changed meanwhile.
struct PreparedTransfer {
    /// The conversation of the transferred call.
    let conversation: ConversationID
    /// The conversation to be joined with; nil: a handle is called.
    var joined: Joined?

    /// The target of an attended transfer.
    struct Joined {
        /// The target's conversation with the transferor.
        let conversation: ConversationID
        /// The target, and its data about the transferee; nil: not looked up yet.
        let callee: Conversation.Callee?
        /// The target's names in the transferee's data.
        let names: KnownNames
    }
}
