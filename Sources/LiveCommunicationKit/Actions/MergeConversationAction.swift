import CallSystem
public import Foundation
import HubEngine

/// The merge of two conversations into one.
public final class MergeConversationAction: ConversationAction, @unchecked Sendable {
    /// The UUID of the other conversation.
    public let conversationUUIDToMergeWith: UUID

    /// Creates the merge of two conversations.
    ///
    /// - Parameters:
    ///   - conversationUUID: The UUID of the conversation.
    ///   - conversationUUIDToMergeWith: The UUID of the other one.
    public convenience init(conversationUUID: UUID, conversationUUIDToMergeWith: UUID) {
        self.init(uuid: UUID(), conversation: conversationUUID, with: conversationUUIDToMergeWith)
    }

    init(uuid: UUID, conversation: UUID, with other: UUID) {
        conversationUUIDToMergeWith = other
        super.init(uuid: uuid, conversation: conversation)
    }

    override var engineKind: ActionKind? { .setGroup(with: CallUUID(conversationUUIDToMergeWith)) }
}

/// The separation of a conversation from those that it was merged with.
public final class UnmergeConversationAction: ConversationAction, @unchecked Sendable {
    /// Creates the separation of a conversation.
    ///
    /// - Parameter conversationUUID: The UUID of the conversation.
    public init(conversationUUID: UUID) {
        super.init(uuid: UUID(), conversation: conversationUUID)
    }

    init(uuid: UUID, conversation: UUID) {
        super.init(uuid: uuid, conversation: conversation)
    }

    override var engineKind: ActionKind? { .setGroup(with: nil) }
}
