public import Foundation
import HubEngine

/// The begin or the end of the translation of a conversation.
public final class SetTranslatingAction: ConversationAction, @unchecked Sendable {
    /// The engines that translate.
    public enum TranslationEngine: Hashable, Sendable {
        /// The system's.
        case `default`
        /// The app's.
        case custom
    }

    /// True to translate, false to stop.
    public let isTranslating: Bool
    /// The language of the local participant.
    public let localLanguage: Locale.Language
    /// The language of the remote participants.
    public let remoteLanguage: Locale.Language

    /// Creates the begin or the end of a translation.
    ///
    /// - Parameters:
    ///   - conversationID: The UUID of the conversation.
    ///   - isTranslating: True to translate, false to stop.
    ///   - localLanguage: The language of the local participant.
    ///   - remoteLanguage: The language of the remote participants.
    public convenience init(
        conversationID: UUID,
        isTranslating: Bool,
        localLanguage: Locale.Language,
        remoteLanguage: Locale.Language
    ) {
        self.init(
            uuid: UUID(),
            conversation: conversationID,
            isTranslating: isTranslating,
            localLanguage: localLanguage,
            remoteLanguage: remoteLanguage
        )
    }

    init(
        uuid: UUID,
        conversation: UUID,
        isTranslating: Bool,
        localLanguage: Locale.Language,
        remoteLanguage: Locale.Language
    ) {
        self.isTranslating = isTranslating
        (self.localLanguage, self.remoteLanguage) = (localLanguage, remoteLanguage)
        super.init(uuid: uuid, conversation: conversation)
    }

    /// Reports that the translation has begun or ended.
    ///
    /// - Parameter translationEngine: The engine that translates.
    public func fulfill(using translationEngine: TranslationEngine) {
        fulfill(at: nil, using: translationEngine == .custom ? .custom : .standard)
    }

    override var engineKind: ActionKind? {
        .setTranslating(
            isTranslating,
            localLanguage: localLanguage.minimalIdentifier,
            remoteLanguage: remoteLanguage.minimalIdentifier
        )
    }
}
