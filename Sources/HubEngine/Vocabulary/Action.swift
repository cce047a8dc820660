/// One thing that a user wants done to a call: CXCallAction and its subclasses (callkit.md 1.7).
public struct Action: Hashable, Sendable {
    /// Names this action; made by the client or, where it gave none, by the hub.
    public var uuid: ActionUUID
    /// The call it is about.
    public var callUUID: CallUUID
    /// What is to be done.
    public var kind: ActionKind

    /// An action of its three parts.
    public init(uuid: ActionUUID, callUUID: CallUUID, kind: ActionKind) {
        self.uuid = uuid
        self.callUUID = callUUID
        self.kind = kind
    }
}

/// What an action does, with what it needs to know.
///
/// The rare and large cases are kept apart (`indirect`), since actions are copied all the time.
public enum ActionKind: Hashable, Sendable {
    /// CXStartCallAction: place a call to `handle`.
    ///
    /// `isExternal`: the client itself carries the call, and reports how far it comes (row CK-68).
    indirect case start(handle: Handle, isVideo: Bool, contactIdentifier: String?, isExternal: Bool = false)
    /// CXAnswerCallAction: answer a ringing call.
    case answer
    /// CXEndCallAction: hang up, or decline a ringing call on all devices of the account.
    case end
    /// The same, but a call that rings goes on ringing on the account's other devices.
    case endHere
    /// CXSetHeldCallAction: hold or resume.
    case setHeld(Bool)
    /// CXSetMutedCallAction: stop or go on sending one's own sound.
    case setMuted(Bool)
    /// CXSetGroupCallAction: merge with the named call, or leave the group.
    case setGroup(with: CallUUID?)
    /// CXPlayDTMFCallAction: key digits.
    case playDTMF(digits: String, type: DTMFType)
    /// The hub's own: move a call that lives on another device of the account to this one.
    case pull
    /// CXSetTranslatingCallAction (iOS 26).
    indirect case setTranslating(Bool, localLanguage: String?, remoteLanguage: String?)
    /// An action of a type that there is not: always refused, in its turn (callkit.md 2.1).
    case unknown(type: String)
}

/// CXPlayDTMFCallAction.ActionType with Apple's raw values.
public enum DTMFType: Int, Hashable, Sendable, CaseIterable {
    /// A key tapped.
    case singleTone = 1
    /// The digits after a `,`: played after a pause of some seconds.
    case softPause = 2
    /// The digits after a `;`: played when the user says so.
    case hardPause = 3
}

/// The name of an action's class, without its contents: what `provider.pending` filters by.
public enum ActionType: String, Hashable, Sendable, CaseIterable {
    // The cases are the wire's names for the cases of `ActionKind`.
    /// See `ActionKind.start`.
    case start
    /// See `ActionKind.answer`.
    case answer
    /// See `ActionKind.end`.
    case end
    /// See `ActionKind.setHeld`.
    case setHeld
    /// See `ActionKind.setMuted`.
    case setMuted
    /// See `ActionKind.setGroup`.
    case setGroup
    /// See `ActionKind.playDTMF`.
    case playDTMF
    /// See `ActionKind.pull`.
    case pull
    /// See `ActionKind.setTranslating`.
    case setTranslating
}

extension ActionKind {
    /// The wire's name of its type.
    public var typeName: String {
        if case .unknown(let type) = self { type } else { type?.rawValue ?? "" }
    }

    /// Which class of action this is; nil for one that there is not.
    public var type: ActionType? {
        switch self {
        case .start: .start
        case .answer: .answer
        case .end, .endHere: .end
        case .setHeld: .setHeld
        case .setMuted: .setMuted
        case .setGroup: .setGroup
        case .playDTMF: .playDTMF
        case .pull: .pull
        case .setTranslating: .setTranslating
        case .unknown: nil
        }
    }
}

/// Who wanted an action done.
public enum ActionOrigin: String, Hashable, Sendable {
    /// The device's user, by `transaction.request`.
    case user
    /// The hub, to keep a rule (for example: at most one call is active).
    case system
}

/// An action as a client asks for it: its own name is optional on the wire.
public struct ActionRequest: Hashable, Sendable {
    /// The client's name for the action; nil: the hub makes one.
    public var uuid: ActionUUID?
    /// The call it is about.
    public var callUUID: CallUUID
    /// What is to be done.
    public var kind: ActionKind

    /// A request for an action.
    public init(uuid: ActionUUID? = nil, callUUID: CallUUID, kind: ActionKind) {
        self.uuid = uuid
        self.callUUID = callUUID
        self.kind = kind
    }
}
