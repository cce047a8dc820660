public import Foundation
import HubEngine

/// The start of an outgoing conversation.
public final class StartConversationAction: ConversationAction, @unchecked Sendable {
    /// The handles of the participants; a conversation of the hub has one.
    public let handles: [LiveCommunicationKit.Handle]
    /// Indicates that the conversation has video.
    public let isVideo: Bool

    /// Creates the start of a conversation.
    ///
    /// - Parameters:
    ///   - conversationUUID: The UUID of the conversation.
    ///   - handles: The handles of the participants.
    ///   - isVideo: True for a conversation with video.
    public convenience init(conversationUUID: UUID, handles: [LiveCommunicationKit.Handle], isVideo: Bool) {
        self.init(uuid: UUID(), conversation: conversationUUID, handles: handles, isVideo: isVideo)
    }

    init(uuid: UUID, conversation: UUID, handles: [LiveCommunicationKit.Handle], isVideo: Bool) {
        (self.handles, self.isVideo) = (handles, isVideo)
        super.init(uuid: uuid, conversation: conversation)
    }

    /// Reports that the conversation was started.
    ///
    /// - Parameter dateStarted: The time at which the invitation was sent.
    public func fulfill(dateStarted: Date) {
        fulfill(at: dateStarted)
    }

    override var engineKind: ActionKind? {
        guard handles.count == 1, let handle = handles.first else { return nil }
        return .start(handle: handle.engineHandle, isVideo: isVideo, contactIdentifier: nil)
    }
}
