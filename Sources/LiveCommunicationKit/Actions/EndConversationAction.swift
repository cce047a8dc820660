public import Foundation
import HubEngine

/// The end of a conversation for the local participant, or the refusal of an incoming one.
public final class EndConversationAction: ConversationAction, @unchecked Sendable {
    /// Creates the end of a conversation.
    ///
    /// - Parameter conversationUUID: The UUID of the conversation.
    public init(conversationUUID: UUID) {
        super.init(uuid: UUID(), conversation: conversationUUID)
    }

    init(uuid: UUID, conversation: UUID) {
        super.init(uuid: uuid, conversation: conversation)
    }

    /// Reports that the conversation was ended.
    ///
    /// - Parameter dateEnded: The time of the end.
    public func fulfill(dateEnded: Date) {
        fulfill(at: dateEnded)
    }

    override var engineKind: ActionKind? { .end }
}
