public import Foundation
import HubEngine

/// The pause of a conversation's sound and video, or their resumption.
public final class PauseConversationAction: ConversationAction, @unchecked Sendable {
    /// True to pause, false to resume.
    public let isPaused: Bool

    /// Creates the pause of a conversation, or its resumption.
    ///
    /// - Parameters:
    ///   - conversationUUID: The UUID of the conversation.
    ///   - isPaused: True to pause, false to resume.
    public convenience init(conversationUUID: UUID, isPaused: Bool) {
        self.init(uuid: UUID(), conversation: conversationUUID, isPaused: isPaused)
    }

    init(uuid: UUID, conversation: UUID, isPaused: Bool) {
        self.isPaused = isPaused
        super.init(uuid: uuid, conversation: conversation)
    }

    override var engineKind: ActionKind? { .setHeld(isPaused) }
}
