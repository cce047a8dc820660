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
            devices.isEmpty && !conversation.callerSeesRinging ? .connecting : .ringing
        case .connected: caller?.isOnHold == true || callees.contains(where: \.isOnHold) ? .held : .connected
        }
    }
}
