public import Foundation
import HubEngine

/// The mute or unmute of a conversation.
public final class MuteConversationAction: ConversationAction, @unchecked Sendable {
    /// True to mute, false to unmute.
    public let isMuted: Bool

    /// Creates the mute or unmute of a conversation.
    ///
    /// - Parameters:
    ///   - conversationUUID: The UUID of the conversation.
    ///   - isMuted: True to mute, false to unmute.
    public convenience init(conversationUUID: UUID, isMuted: Bool) {
        self.init(uuid: UUID(), conversation: conversationUUID, isMuted: isMuted)
    }

    init(uuid: UUID, conversation: UUID, isMuted: Bool) {
        self.isMuted = isMuted
        super.init(uuid: uuid, conversation: conversation)
    }

    override var engineKind: ActionKind? { .setMuted(isMuted) }
}
