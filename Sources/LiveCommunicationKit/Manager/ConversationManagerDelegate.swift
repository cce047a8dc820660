public import AVFAudio

/// The methods by which a manager has an app perform actions, and tells it of changes; called on the main queue.
public protocol ConversationManagerDelegate: AnyObject {
    /// A conversation has changed.
    func conversationManager(_ manager: ConversationManager, conversationChanged conversation: Conversation)
    /// The manager has begun.
    func conversationManagerDidBegin(_ manager: ConversationManager)
    /// All conversations are gone.
    func conversationManagerDidReset(_ manager: ConversationManager)
    /// Performs an action, which is then fulfilled or failed.
    func conversationManager(_ manager: ConversationManager, perform action: ConversationAction)
    /// An action was not completed in time and has failed.
    func conversationManager(_ manager: ConversationManager, timedOutPerforming action: ConversationAction)
    /// The audio session is active: capture and playout begin.
    func conversationManager(_ manager: ConversationManager, didActivate audioSession: AVAudioSession)
    /// The audio session is no longer active: capture and playout end.
    func conversationManager(_ manager: ConversationManager, didDeactivate audioSession: AVAudioSession)
}
