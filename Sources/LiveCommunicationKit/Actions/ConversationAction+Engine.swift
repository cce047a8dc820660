import CallSystem
import Foundation
import HubEngine

extension ConversationAction {
    /// Makes the object for an action of the system; nil: there is no such action.
    static func make(_ action: Action) -> ConversationAction? {
        let (uuid, conversation) = (action.uuid.uuid, action.callUUID.uuid)
        switch action.kind {
        case .start(let handle, let isVideo, _, _):
            let handles = [Handle(handle)]
            return StartConversationAction(uuid: uuid, conversation: conversation, handles: handles, isVideo: isVideo)
        case .answer: return JoinConversationAction(uuid: uuid, conversation: conversation)
        case .end, .endHere, .decline: return EndConversationAction(uuid: uuid, conversation: conversation)
        case .setHeld(let isOnHold):
            return PauseConversationAction(uuid: uuid, conversation: conversation, isPaused: isOnHold)
        case .setMuted(let isMuted):
            return MuteConversationAction(uuid: uuid, conversation: conversation, isMuted: isMuted)
        case .setGroup(let other?):
            return MergeConversationAction(uuid: uuid, conversation: conversation, with: other.uuid)
        case .setGroup(nil): return UnmergeConversationAction(uuid: uuid, conversation: conversation)
        case .playDTMF(let digits, let type):
            let tone = PlayToneAction.Tone(type)
            return PlayToneAction(uuid: uuid, conversation: conversation, digits: digits, tone: tone)
        case .setTranslating(let isTranslating, let local, let remote):
            return SetTranslatingAction(
                uuid: uuid,
                conversation: conversation,
                isTranslating: isTranslating,
                localLanguage: Locale.Language(identifier: local ?? ""),
                remoteLanguage: Locale.Language(identifier: remote ?? "")
            )
        default: return nil
        }
    }

    /// The action as the call system knows it; nil: it is of no kind, or for several participants.
    var engineAction: Action? {
        engineKind.map { Action(uuid: ActionUUID(uuid), callUUID: CallUUID(conversationUUID), kind: $0) }
    }
}

/// The actions that a manager performs together.
final class ActionList: PerformableTransaction {
    let actions: [ConversationAction]

    init(_ actions: [ConversationAction]) {
        self.actions = actions
    }

    var performableActions: [any PerformableAction] { actions }
}
