public import Foundation
import HubEngine

extension ConversationManager {
    /// The configuration of a manager: its limits, what its conversations can do, and how the system shows them.
    public struct Configuration: Hashable, Sendable {
        /// The name of the ringtone's file in the app's bundle; nil: the system's ringtone.
        public var ringtoneName: String?
        /// The PNG data of the icon; nil: none.
        public var iconTemplateImageData: Data?
        /// The maximum number of groups; a conversation that is not merged counts as one.
        public var maximumConversationGroups: Int
        /// The maximum number of merged conversations.
        public var maximumConversationsPerConversationGroup: Int
        /// Indicates that the conversations are written to Recents.
        public var includesConversationInRecents: Bool
        /// Indicates that the manager has conversations with video.
        public var supportsVideo: Bool
        /// The kinds of handles that can be called; empty: all.
        public var supportedHandleTypes: Set<LiveCommunicationKit.Handle.Kind>
        /// Indicates that the conversations can be translated.
        public var supportsAudioTranslation: Bool

        /// Creates a configuration without translation.
        ///
        /// - Parameters:
        ///   - ringtoneName: The name of the ringtone's file; nil: the system's ringtone.
        ///   - iconTemplateImageData: The PNG data of the icon; nil: none.
        ///   - maximumConversationGroups: The maximum number of groups.
        ///   - maximumConversationsPerConversationGroup: The maximum number of merged conversations.
        ///   - includesConversationInRecents: True if the conversations are written to Recents.
        ///   - supportsVideo: True if there are conversations with video.
        ///   - supportedHandleTypes: The kinds of handles that can be called; empty: all.
        public init(
            ringtoneName: String?,
            iconTemplateImageData: Data?,
            maximumConversationGroups: Int,
            maximumConversationsPerConversationGroup: Int,
            includesConversationInRecents: Bool,
            supportsVideo: Bool,
            supportedHandleTypes: Set<LiveCommunicationKit.Handle.Kind>
        ) {
            self.init(
                ringtoneName: ringtoneName,
                iconTemplateImageData: iconTemplateImageData,
                maximumConversationGroups: maximumConversationGroups,
                maximumConversationsPerConversationGroup: maximumConversationsPerConversationGroup,
                includesConversationInRecents: includesConversationInRecents,
                supportsVideo: supportsVideo,
                supportedHandleTypes: supportedHandleTypes,
                supportsAudioTranslation: false
            )
        }

        /// Creates a configuration.
        ///
        /// - Parameters:
        ///   - ringtoneName: The name of the ringtone's file; nil: the system's ringtone.
        ///   - iconTemplateImageData: The PNG data of the icon; nil: none.
        ///   - maximumConversationGroups: The maximum number of groups.
        ///   - maximumConversationsPerConversationGroup: The maximum number of merged conversations.
        ///   - includesConversationInRecents: True if the conversations are written to Recents.
        ///   - supportsVideo: True if there are conversations with video.
        ///   - supportedHandleTypes: The kinds of handles that can be called; empty: all.
        ///   - supportsAudioTranslation: True if the conversations can be translated.
        public init(
            ringtoneName: String?,
            iconTemplateImageData: Data?,
            maximumConversationGroups: Int,
            maximumConversationsPerConversationGroup: Int,
            includesConversationInRecents: Bool,
            supportsVideo: Bool,
            supportedHandleTypes: Set<LiveCommunicationKit.Handle.Kind>,
            supportsAudioTranslation: Bool
        ) {
            self.ringtoneName = ringtoneName
            self.iconTemplateImageData = iconTemplateImageData
            self.maximumConversationGroups = maximumConversationGroups
            self.maximumConversationsPerConversationGroup = maximumConversationsPerConversationGroup
            self.includesConversationInRecents = includesConversationInRecents
            self.supportsVideo = supportsVideo
            self.supportedHandleTypes = supportedHandleTypes
            self.supportsAudioTranslation = supportsAudioTranslation
        }
    }
}

extension ConversationManager.Configuration {
    /// The values that the hub has a use for.
    var engineConfiguration: ProviderConfiguration {
        var configuration = ProviderConfiguration()
        configuration.ringtoneSound = ringtoneName
        configuration.maximumCallGroups = max(maximumConversationGroups, 1)
        configuration.maximumCallsPerCallGroup = max(maximumConversationsPerConversationGroup, 1)
        configuration.includesCallsInRecents = includesConversationInRecents
        configuration.supportsVideo = supportsVideo
        configuration.supportedHandleTypes = HubEngine.Handle.HandleType.allCases.filter { type in
            supportedHandleTypes.contains { $0.engineType == type }
        }
        return configuration
    }
}
