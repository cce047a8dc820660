import CallSystem
import HubEngine

extension CXAction {
    /// Makes the object for an action of the system; nil: CallKit has no such action.
    static func make(_ action: Action) -> CXAction? {
        let (uuid, call) = (action.uuid.uuid, action.callUUID.uuid)
        switch action.kind {
        case .start(let handle, let isVideo, let contact, _):
            let start = CXStartCallAction(uuid: uuid, call: call, handle: CXHandle(handle))
            (start.isVideo, start.contactIdentifier) = (isVideo, contact)
            return start
        case .answer: return CXAnswerCallAction(uuid: uuid, call: call)
        case .end, .endHere, .decline: return CXEndCallAction(uuid: uuid, call: call)
        case .setHeld(let isOnHold): return CXSetHeldCallAction(uuid: uuid, call: call, onHold: isOnHold)
        case .setMuted(let isMuted): return CXSetMutedCallAction(uuid: uuid, call: call, muted: isMuted)
        case .setGroup(let other):
            return CXSetGroupCallAction(uuid: uuid, call: call, callUUIDToGroupWith: other?.uuid)
        case .playDTMF(let digits, let type):
            let type = CXPlayDTMFCallAction.ActionType(rawValue: type.rawValue) ?? .singleTone
            return CXPlayDTMFCallAction(uuid: uuid, call: call, digits: digits, type: type)
        case .setTranslating(let isTranslating, let local, let remote):
            return CXSetTranslatingCallAction(
                uuid: uuid,
                call: call,
                isTranslating: isTranslating,
                localLanguage: local ?? "",
                remoteLanguage: remote ?? ""
            )
        default: return nil
        }
    }
}
