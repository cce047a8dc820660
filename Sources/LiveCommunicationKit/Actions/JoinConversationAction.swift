public import Foundation
import HubEngine

/// The answer to an incoming conversation.
public final class JoinConversationAction: ConversationAction, @unchecked Sendable {
    /// Creates the answer to a conversation.
    ///
    /// - Parameter conversationUUID: The UUID of the conversation.
    public init(conversationUUID: UUID) {
        super.init(uuid: UUID(), conversation: conversationUUID)
    }

    init(uuid: UUID, conversation: UUID) {
        super.init(uuid: uuid, conversation: conversation)
    }

    /// Reports that the local participant has joined.
    ///
    /// - Parameter dateConnected: The time since which the participants can talk.
    public func fulfill(dateConnected: Date) {
        fulfill(at: dateConnected)
    }

    override var engineKind: ActionKind? { .answer }
}
