import AVFoundation
import Foundation
import LiveCommunicationKit

/// Each symbol of LiveCommunicationKit, used once, written as for an iPhone.
@MainActor
final class Conversations: NSObject {
    let manager: ConversationManager
    private let delegate = WholeConversationDelegate()

    override init() {
        var configuration = ConversationManager.Configuration(
            ringtoneName: "Ringtone.caf",
            iconTemplateImageData: Data(),
            maximumConversationGroups: 1,
            maximumConversationsPerConversationGroup: 1,
            includesConversationInRecents: false,
            supportsVideo: true,
            supportedHandleTypes: [.generic, .phoneNumber, .emailAddress]
        )
        configuration = ConversationManager.Configuration(
            ringtoneName: configuration.ringtoneName,
            iconTemplateImageData: configuration.iconTemplateImageData,
            maximumConversationGroups: configuration.maximumConversationGroups,
            maximumConversationsPerConversationGroup: configuration.maximumConversationsPerConversationGroup,
            includesConversationInRecents: configuration.includesConversationInRecents,
            supportsVideo: configuration.supportsVideo,
            supportedHandleTypes: configuration.supportedHandleTypes,
            supportsAudioTranslation: configuration.supportsAudioTranslation
        )
        manager = ConversationManager(configuration: configuration)
        super.init()
        manager.delegate = delegate
        _ = manager.configuration.supportsVideo
    }

    func report(_ uuid: UUID) async throws {
        var member = Handle(type: .phoneNumber, value: "+4930123456", displayName: "Alice")
        member.displayName = "Alice A."
        var update = Conversation.Update(localMember: member)
        update.members = [member]
        update.activeRemoteMembers = [member]
        update.capabilities = [.pausing, .merging, .unmerging, .video, .playingTones]
        try await manager.reportNewIncomingConversation(uuid: uuid, update: update)
        guard let conversation = manager.conversations.first(where: { $0.uuid == uuid }) else { return }
        _ = (conversation.localMember, conversation.debugDescription)
        switch conversation.state {
        case .idle: manager.reportConversationEvent(.conversationUpdated(update), for: conversation)
        case .joining: manager.reportConversationEvent(.conversationStartedConnecting(Date()), for: conversation)
        case .joined, .paused: manager.reportConversationEvent(.conversationConnected(Date()), for: conversation)
        case .leaving, .left:
            let reasons: [Conversation.EndedReason] = [
                .failed, .remoteEnded, .unanswered, .joinedElsewhere, .declinedElsewhere,
            ]
            for reason in reasons {
                manager.reportConversationEvent(.conversationEnded(Date(), reason), for: conversation)
            }
        @unknown default: break
        }
        _ = manager.pendingConversationActions(of: JoinConversationAction.self, for: conversation)
        try await ConversationManager.reportNewIncomingVoIPPushPayload(["UUID": uuid.uuidString])
    }

    func perform(_ uuid: UUID, _ other: UUID) async throws {
        let handle = Handle(type: .generic, value: "bob")
        let english = Locale.Language(identifier: "en")
        try await manager.perform([
            StartConversationAction(conversationUUID: uuid, handles: [handle], isVideo: true),
            JoinConversationAction(conversationUUID: uuid), EndConversationAction(conversationUUID: uuid),
            MergeConversationAction(conversationUUID: uuid, conversationUUIDToMergeWith: other),
            UnmergeConversationAction(conversationUUID: uuid),
            MuteConversationAction(conversationUUID: uuid, isMuted: true),
            PauseConversationAction(conversationUUID: uuid, isPaused: true),
            PlayToneAction(conversationUUID: uuid, digits: "1", tone: .single),
            PlayToneAction(conversationUUID: uuid, digits: "1", tone: .softPause),
            PlayToneAction(conversationUUID: uuid, digits: "1", tone: .hardPause),
            SetTranslatingAction(
                conversationID: uuid,
                isTranslating: true,
                localLanguage: english,
                remoteLanguage: english
            ),
            ConversationAction(conversationUUID: uuid, timeoutDate: Date()),
        ])
        _ = manager.pendingActions.map { ($0.uuid, $0.timeoutDate) }
        manager.invalidate()
    }
}

/// A manager's delegate, written as for an iPhone.
final class WholeConversationDelegate: ConversationManagerDelegate {
    func conversationManager(_ manager: ConversationManager, conversationChanged conversation: Conversation) {}
    func conversationManagerDidBegin(_ manager: ConversationManager) {}
    func conversationManagerDidReset(_ manager: ConversationManager) {}

    func conversationManager(_ manager: ConversationManager, perform action: ConversationAction) {
        switch action {
        case let action as StartConversationAction:
            print(action.handles.map { "\($0.type) \($0.value)" }, action.isVideo)
            action.fulfill(dateStarted: Date())
        case let action as JoinConversationAction: action.fulfill(dateConnected: Date())
        case let action as EndConversationAction: action.fulfill(dateEnded: Date())
        case let action as MergeConversationAction where action.conversationUUIDToMergeWith == action.uuid:
            action.fail()
        case let action as PauseConversationAction where action.isPaused: action.fulfill()
        case let action as MuteConversationAction where action.isMuted: action.fulfill()
        case let action as PlayToneAction where action.digits == "1" && action.tone == .single: action.fulfill()
        case let action as SetTranslatingAction:
            print(action.localLanguage, action.remoteLanguage)
            action.fulfill(using: action.isTranslating ? .custom : .default)
        default:
            switch action.state {
            case .idle, .running: action.fulfill()
            case .complete: break
            case .failed(let reason): print(reason)
            @unknown default: break
            }
        }
    }

    func conversationManager(_ manager: ConversationManager, timedOutPerforming action: ConversationAction) {}
    func conversationManager(_ manager: ConversationManager, didActivate audioSession: AVAudioSession) {}
    func conversationManager(_ manager: ConversationManager, didDeactivate audioSession: AVAudioSession) {}
}
