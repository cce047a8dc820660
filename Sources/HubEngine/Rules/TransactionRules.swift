/// A call as the transaction rules see it: a scratch copy on which a request is tried out before anything happens.
struct PlannedCall {
    var uuid: CallUUID
    var phase: CallPhase
    var capabilities: CallCapabilities
}

/// An action that a transaction will perform.
struct PlannedAction {
    var kind: ActionKind
    var callUUID: CallUUID
    var origin: ActionOrigin
    /// The client's name for it, if it gave one.
    var uuid: ActionUUID?
}

/// What the rules of callkit.md 2.2 distinguish.
enum CallPhase: Hashable {
    /// An incoming call rings.
    case ringing
    /// An incoming call is being answered.
    case answering
    /// An outgoing call that is not connected.
    case outgoing
    /// Connected and not held.
    case active
    /// Held by its owner.
    case held
}

/// The validation of a requested transaction, whole or nothing, and the actions the hub puts in to keep its own rules.
///
/// The actions are walked in order against a scratch copy (callkit.md 2.1, decision D1), so that `[end A, start B]` is legal where
/// only one call is allowed. What stands in the way of an answer, an un-hold or a start is put on hold, or ended where it
/// cannot be held (rows CK-34, CK-45, CK-46), by an action of origin `system` right before.
struct TransactionRules {
    /// The device's calls, changed as the actions would change them.
    var calls: [PlannedCall]
    let provider: ProviderConfiguration
    /// Whether a UUID is alive on the account's other devices.
    let isAliveElsewhere: (CallUUID) -> Bool
    /// What is to be performed, in order.
    private(set) var plan: [PlannedAction] = []

    init(
        calls: [PlannedCall],
        provider: ProviderConfiguration,
        isAliveElsewhere: @escaping (CallUUID) -> Bool
    ) {
        self.calls = calls
        self.provider = provider
        self.isAliveElsewhere = isAliveElsewhere
    }

    /// Tries the next requested action; the first refusal refuses the whole transaction (row CK-57).
    mutating func admit(_ request: ActionRequest, index: Int) throws(Refusal) {
        switch request.kind {
        case .start(let handle, let isVideo, _, _):
            try admitStart(request.callUUID, handle: handle, isVideo: isVideo, index: index)
        case .answer:
            try admitAnswer(request.callUUID, index: index)
        case .end:
            calls.remove(at: try place(of: request.callUUID, index: index))
        case .setHeld(true):
            try admitHold(request.callUUID, index: index)
        case .setHeld(false):
            try admitResume(request.callUUID, index: index)
        case .setMuted:
            _ = try place(of: request.callUUID, index: index)
        case .playDTMF(let digits, _):
            try admitDTMF(request.callUUID, digits: digits, index: index)
        case .setGroup, .pull, .setTranslating:
            _ = try place(of: request.callUUID, index: index)
            throw .invalid("\(request.kind.typeName) is not an action that this hub performs", index)
        case .unknown(let type):
            let known = ActionType.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("there is no action of type \"\(type.prefix(60))\"; there are \(known)", index)
        }
        plan.append(
            PlannedAction(kind: request.kind, callUUID: request.callUUID, origin: .user, uuid: request.uuid)
        )
    }

    private mutating func admitStart(
        _ uuid: CallUUID,
        handle: Handle,
        isVideo: Bool,
        index: Int
    ) throws(Refusal) {
        guard !calls.contains(where: { $0.uuid == uuid }), !isAliveElsewhere(uuid) else {
            throw Refusal(
                .requestTransaction(.callUUIDAlreadyExists),
                "a call with this callUUID lives; a start action needs a new one",
                actionIndex: index
            )
        }
        guard provider.supportedHandleTypes.isEmpty || provider.supportedHandleTypes.contains(handle.type) else {
            throw .invalid("the provider's supportedHandleTypes do not have the type of this handle", index)
        }
        guard !isVideo || provider.supportsVideo else {
            throw .invalid("isVideo is true, but the provider does not support video", index)
        }
        makeWay(for: uuid, holdingIsLimited: false)
        guard calls.count < provider.maximumCallGroups else {
            throw Refusal(
                .requestTransaction(.maximumCallGroupsReached),
                "the device has \(calls.count) calls, ringing and held ones included, and its provider takes "
                    + "\(provider.maximumCallGroups); end one first",
                actionIndex: index
            )
        }
        calls.append(PlannedCall(uuid: uuid, phase: .outgoing, capabilities: CallCapabilities()))
    }

    private mutating func admitAnswer(_ uuid: CallUUID, index: Int) throws(Refusal) {
        let phase = calls[try place(of: uuid, index: index)].phase
        guard phase == .ringing else {
            throw .invalid("only a ringing call can be answered; this one is \(phase.inWords)", index)
        }
        makeWay(for: uuid, holdingIsLimited: true)
        setPhase(.active, of: uuid)
        guard calls.count(where: { $0.phase != .ringing }) <= provider.maximumCallGroups else {
            throw Refusal(
                .requestTransaction(.maximumCallGroupsReached),
                "the provider takes \(provider.maximumCallGroups) calls; request one of the call's choices",
                actionIndex: index
            )
        }
    }

    private mutating func admitHold(_ uuid: CallUUID, index: Int) throws(Refusal) {
        let place = try place(of: uuid, index: index)
        switch calls[place].phase {
        case .held: return
        case .active where calls[place].capabilities.supportsHolding: calls[place].phase = .held
        case .active: throw .invalid("the call does not support holding", index)
        case .ringing, .answering, .outgoing:
            throw .invalid("only a connected call can be held; this one is \(calls[place].phase.inWords)", index)
        }
    }

    private mutating func admitResume(_ uuid: CallUUID, index: Int) throws(Refusal) {
        let place = try place(of: uuid, index: index)
        switch calls[place].phase {
        case .active: return
        case .held: break
        case .ringing, .answering, .outgoing:
            throw .invalid("only a held call can be resumed; this one is \(calls[place].phase.inWords)", index)
        }
        guard inTheWay(of: uuid).allSatisfy(isHoldable) else {
            throw .invalid("another call is in the way and cannot be held; end it first", index)
        }
        makeWay(for: uuid, holdingIsLimited: false)
        setPhase(.active, of: uuid)
    }

    private func admitDTMF(_ uuid: CallUUID, digits: String, index: Int) throws(Refusal) {
        let call = calls[try place(of: uuid, index: index)]
        guard call.phase == .active else {
            throw .invalid("digits can be keyed on an active call only; this one is \(call.phase.inWords)", index)
        }
        guard call.capabilities.supportsDTMF else { throw .invalid("the call does not support DTMF", index) }
        guard !digits.isEmpty, digits.allSatisfy({ "0123456789*#ABCDabcd".contains($0) }) else {
            throw .invalid("digits must be one or more of 0-9, *, # and A-D", index)
        }
    }

    /// Holds or ends what has the user's attention, before `uuid` gets it.
    ///
    /// With `holdingIsLimited`, what would leave more calls than the provider's groups is ended instead (the choices shrink,
    /// callkit.md 2.5); a start is refused for the number of its calls anyway.
    private mutating func makeWay(for uuid: CallUUID, holdingIsLimited: Bool) {
        for other in inTheWay(of: uuid) {
            let hasRoom = calls.count(where: { $0.phase != .ringing || $0.uuid == uuid }) <= provider.maximumCallGroups
            if isHoldable(other), hasRoom || !holdingIsLimited {
                setPhase(.held, of: other.uuid)
                plan.append(PlannedAction(kind: .setHeld(true), callUUID: other.uuid, origin: .system))
            } else {
                calls.removeAll { $0.uuid == other.uuid }
                plan.append(PlannedAction(kind: .end, callUUID: other.uuid, origin: .system))
            }
        }
    }

    private func inTheWay(of uuid: CallUUID) -> [PlannedCall] {
        calls.filter { call in
            guard call.uuid != uuid else { return false }
            switch call.phase {
            case .answering, .outgoing, .active: return true
            case .ringing, .held: return false
            }
        }
    }

    private func isHoldable(_ call: PlannedCall) -> Bool {
        call.phase == .active && call.capabilities.supportsHolding
    }

    private mutating func setPhase(_ phase: CallPhase, of uuid: CallUUID) {
        guard let place = calls.firstIndex(where: { $0.uuid == uuid }) else { return }
        calls[place].phase = phase
    }

    private func place(of uuid: CallUUID, index: Int) throws(Refusal) -> Int {
        guard let place = calls.firstIndex(where: { $0.uuid == uuid }) else {
            throw Refusal(
                .requestTransaction(.unknownCallUUID),
                "this device has no call with this callUUID; its calls are in data.calls",
                actionIndex: index
            )
        }
        return place
    }
}

extension CallPhase {
    /// For sentences to people.
    var inWords: String {
        switch self {
        case .ringing: "ringing"
        case .answering: "being answered"
        case .outgoing: "outgoing and not connected"
        case .active: "active"
        case .held: "held"
        }
    }
}

extension Refusal: Error {
    /// CXErrorCodeRequestTransactionError.invalidAction.
    static func invalid(_ message: String, _ index: Int) -> Refusal {
        Refusal(.requestTransaction(.invalidAction), message, actionIndex: index)
    }
}
