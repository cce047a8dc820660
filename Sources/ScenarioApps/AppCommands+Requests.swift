import CallKit
import CallSystem
import Foundation
import HubEngine
import ScenarioKit

extension AppCommands {
    /// Requests the actions of a step by the command for it.
    ///
    /// - Parameter actions: The actions, with the app's UUIDs of calls.
    /// - Throws: The error of the command; `AppProgress.Refusal` if there is no command for the actions.
    func request(_ actions: [ActionRequest]) async throws {
        if try await requestByCommand(actions) { return }
        let names = actions.map(\.commandName)
        guard let transaction else {
            let isOne = actions.count == 1
            let missing = isOne ? "no command \(names.joined())" : "no command transaction, for several actions"
            let other = isOne ? ", or have the user of its device do it, as in \"app's screen: …\"" : ""
            throw AppProgress.Refusal(sentence: "it has \(missing); give it one in its AppCommands\(other)")
        }
        var objects: [CXAction] = []
        for action in actions {
            guard let object = action.callKitAction else {
                throw AppProgress.Refusal(sentence: "CallKit has no action \(action.commandName)")
            }
            objects.append(object)
        }
        try await transaction(objects)
    }

    /// Changes the name of the provider by the command for it.
    ///
    /// - Parameter name: The name.
    /// - Throws: The error of the command; `AppProgress.Refusal` if there is none.
    func rename(to name: String) async throws {
        guard let rename else {
            throw AppProgress.Refusal(sentence: "it has no command rename; give it one in its AppCommands")
        }
        try await rename(name)
    }

    /// Shows another icon by the command for it.
    ///
    /// - Parameter icon: The PNG data; nil: none.
    /// - Throws: The error of the command; `AppProgress.Refusal` if there is none.
    func show(icon: Data?) async throws {
        guard let showIcon else {
            throw AppProgress.Refusal(sentence: "it has no command showIcon; give it one in its AppCommands")
        }
        try await showIcon(icon)
    }

    /// Requests actions by a command of their own; false: there is none.
    private func requestByCommand(_ actions: [ActionRequest]) async throws -> Bool {
        if actions.count == 2, let swap, case .setHeld(true) = actions[0].kind, case .setHeld(false) = actions[1].kind {
            try await swap(actions[0].call, actions[1].call)
            return true
        }
        guard let action = actions.first, actions.count == 1 else { return false }
        switch action.kind {
        case .start(let handle, let isVideo, _, _):
            guard let start else { return false }
            try await start(CXHandle(type: handle.callKitType, value: handle.value), isVideo)
        case .answer:
            guard let answer else { return false }
            try await answer(action.call)
        case .end:
            guard let end else { return false }
            try await end(action.call)
        case .setHeld(let isOnHold):
            guard let hold else { return false }
            try await hold(action.call, isOnHold)
        case .setMuted(let isMuted):
            guard let mute else { return false }
            try await mute(action.call, isMuted)
        case .setGroup(let other):
            guard let group else { return false }
            try await group(action.call, other?.uuid)
        case .playDTMF(let digits, _):
            guard let dtmf else { return false }
            try await dtmf(action.call, digits)
        default: return false
        }
        return true
    }
}

extension ActionRequest {
    fileprivate var call: UUID { callUUID.uuid }

    /// The name of the command that requests the action.
    fileprivate var commandName: String {
        switch kind {
        case .start: "start"
        case .answer: "answer"
        case .end, .endHere, .decline: "end"
        case .setHeld: "hold"
        case .setMuted: "mute"
        case .setGroup: "group"
        case .playDTMF: "dtmf"
        case .pull: "pull"
        case .transfer: "transfer"
        case .setTranslating: "transaction, for translations"
        case .unknown: "for this action"
        }
    }

    /// CallKit's object for the action; nil: CallKit has no such action.
    fileprivate var callKitAction: CXAction? {
        switch kind {
        case .start(let handle, let isVideo, _, _):
            let start = CXStartCallAction(call: call, handle: CXHandle(type: handle.callKitType, value: handle.value))
            start.isVideo = isVideo
            return start
        case .answer: return CXAnswerCallAction(call: call)
        case .end: return CXEndCallAction(call: call)
        case .setHeld(let isOnHold): return CXSetHeldCallAction(call: call, onHold: isOnHold)
        case .setMuted(let isMuted): return CXSetMutedCallAction(call: call, muted: isMuted)
        case .setGroup(let other): return CXSetGroupCallAction(call: call, callUUIDToGroupWith: other?.uuid)
        case .playDTMF(let digits, let type):
            let type = CXPlayDTMFCallAction.ActionType(rawValue: type.rawValue) ?? .singleTone
            return CXPlayDTMFCallAction(call: call, digits: digits, type: type)
        case .setTranslating(let isOn, let local, let remote):
            return CXSetTranslatingCallAction(
                call: call,
                isTranslating: isOn,
                localLanguage: local ?? "",
                remoteLanguage: remote ?? ""
            )
        case .endHere, .decline, .pull, .transfer, .unknown: return nil
        }
    }
}

extension Handle {
    fileprivate var callKitType: CXHandle.HandleType {
        switch type {
        case .phoneNumber: .phoneNumber
        case .emailAddress: .emailAddress
        default: .generic
        }
    }
}
