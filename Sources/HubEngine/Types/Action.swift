/// A change of a call that a user wants: CXCallAction and its subclasses (callkit-semantics.md 1.7).
public struct Action: Hashable, Sendable {
    /// The action's identifier; made by the client or, if it gave none, by the hub.
    public var uuid: ActionUUID
    /// The call that it applies to.
    public var callUUID: CallUUID
    /// The kind of change, with its arguments.
    public var kind: ActionKind

    /// Creates an action from its three parts.
    public init(uuid: ActionUUID, callUUID: CallUUID, kind: ActionKind) {
        self.uuid = uuid
        self.callUUID = callUUID
        self.kind = kind
    }
}

/// The kind of an action, with its arguments.
///
/// Rare and large cases are stored apart (`indirect`), since actions are copied often.
public enum ActionKind: Hashable, Sendable {
    /// CXStartCallAction: place a call to `handle`.
    ///
    /// `isExternal`: the client itself carries the call, and reports its progress (row CK-68).
    indirect case start(handle: Handle, isVideo: Bool, contactIdentifier: String?, isExternal: Bool = false)
    /// CXAnswerCallAction: answer a ringing call.
    case answer
    /// CXEndCallAction: hang up, or decline a ringing call on all devices of the account.
    case end
    /// Like `end`, but a ringing call goes on ringing on the account's other devices.
    case endHere
    /// `end` or, if `onlyHere`, `endHere` of a ringing call, with a text that the caller is shown.
    indirect case decline(message: String, onlyHere: Bool)
    /// CXSetHeldCallAction: hold or resume.
    case setHeld(Bool)
    /// CXSetMutedCallAction: stop or resume sending one's own audio.
    case setMuted(Bool)
    /// CXSetGroupCallAction: merge with the named call, or leave the group.
    case setGroup(with: CallUUID?)
    /// CXPlayDTMFCallAction: play DTMF digits.
    case playDTMF(digits: String, type: DTMFType)
    /// The hub's own action: move a live call from another device of the account to this one.
    case pull
    /// The hub's own action: connect the call's other party with somebody else, and leave (rules CH-05 and CH-06).
    indirect case transfer(to: TransferTarget)
    /// CXSetTranslatingCallAction (iOS 26).
    indirect case setTranslating(Bool, localLanguage: String?, remoteLanguage: String?)
    /// An action of an unknown type: always refused, in the order of the actions (callkit-semantics.md 2.1).
    case unknown(type: String)
}

/// The party that a call is transferred to.
public enum TransferTarget: Hashable, Sendable {
    /// The other party of another connected call of the device: an attended transfer.
    case call(CallUUID)
    /// The owner of a handle, who is called: a blind transfer.
    case handle(Handle)
}

/// CXPlayDTMFCallAction.ActionType with Apple's raw values.
public enum DTMFType: Int, Hashable, Sendable, CaseIterable {
    /// A single key press.
    case singleTone = 1
    /// The digits after a `,`: played after a pause of `EngineConfiguration.softPause`.
    case softPause = 2
    /// The digits after a `;`: played when the user decides.
    case hardPause = 3
}

/// CXTranslationEngine with Apple's order of cases (iOS 26): the program that translates a call.
public enum TranslationEngine: String, Hashable, Sendable, CaseIterable {
    /// The system's own.
    case standard = "default"
    /// One that the client brings.
    case custom
}

/// The class of an action, without its contents: the filter of `provider.pending`.
public enum ActionType: String, Hashable, Sendable, CaseIterable {
    // The raw values are the protocol's names for the cases of `ActionKind`.
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
    /// See `ActionKind.transfer`.
    case transfer
    /// See `ActionKind.setTranslating`.
    case setTranslating
}

extension ActionKind {
    /// The protocol's name of the action's type.
    public var typeName: String {
        if case .unknown(let type) = self { type } else { type?.rawValue ?? "" }
    }

    /// The class of the action; nil if the type is unknown.
    public var type: ActionType? {
        switch self {
        case .start: .start
        case .answer: .answer
        case .end, .endHere, .decline: .end
        case .setHeld: .setHeld
        case .setMuted: .setMuted
        case .setGroup: .setGroup
        case .playDTMF: .playDTMF
        case .pull: .pull
        case .transfer: .transfer
        case .setTranslating: .setTranslating
        case .unknown: nil
        }
    }
}

/// The originator of an action.
public enum ActionOrigin: String, Hashable, Sendable {
    /// The device's user, by `transaction.request`.
    case user
    /// The hub, to keep a rule (for example: at most one call is active).
    case system
}

/// An action in a client's request, in which the identifier is optional.
public struct ActionRequest: Hashable, Sendable {
    /// The client's identifier for the action; nil: the hub makes one.
    public var uuid: ActionUUID?
    /// The call that it applies to.
    public var callUUID: CallUUID
    /// The kind of change, with its arguments.
    public var kind: ActionKind

    /// Creates a request for an action.
    public init(uuid: ActionUUID? = nil, callUUID: CallUUID, kind: ActionKind) {
        self.uuid = uuid
        self.callUUID = callUUID
        self.kind = kind
    }
}
