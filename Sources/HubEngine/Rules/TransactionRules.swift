/// The validation of a requested transaction, all or nothing, and the actions the hub adds to keep its own rules.
///
/// The actions are tried in order on a scratch copy (callkit-semantics.md 2.1, decision D1), so that
/// `[end A, start B]` is legal where only one call is allowed. A call in the way of an answer, an un-hold, a pull or a
/// start is put on hold, or ended if it cannot be held (rows CK-34, CK-45, CK-46), by an action of origin `system`
/// right before. Merge and split are in `TransactionRules+Groups`,
/// transfers in `TransactionRules+Transfers`.
struct TransactionRules {
    /// The device's calls, with the changes of the actions so far.
    var calls: [PlannedCall]
    let provider: ProviderConfiguration
    /// The hub's limit of calls for each device, beside the provider's own.
    let maximumCalls: Int
    /// The whole request: a rule may depend on a later action.
    let requests: [ActionRequest]
    /// The calls on the account's devices that the request names.
    var others = ReferencedCalls()
    /// The calls among `calls` that the device itself carries, if the request depends on that.
    var external: [CallUUID] = []
    /// The calls of the account's other sessions on the machine that the request ends, with their sessions.
    var ofCompanions: [CompanionCall] = []
    /// The parties of the transfer that the request consists of; nil: it has none.
    var transfer: PreparedTransfer?
    /// The actions to perform, in order.
    var plan: [PlannedAction] = []
    /// Held calls with a planned un-hold whose effect comes with a merge.
    var resumesWithMerge: [CallUUID] = []

    /// Calls that a start or a pull names.
    struct ReferencedCalls {
        /// The live calls on any device of the account, regardless of the scratch copy.
        var alive: [CallUUID] = []
        /// The calls on the account's other devices.
        var elsewhere: [OtherDeviceCall] = []
    }

    init(calls: [PlannedCall], provider: ProviderConfiguration, maximumCalls: Int, requests: [ActionRequest]) {
        self.calls = calls
        self.provider = provider
        self.maximumCalls = maximumCalls
        self.requests = requests
    }

    /// Validates the next requested action; the first refusal refuses the whole transaction (row CK-57).
    mutating func validate(_ index: Int) throws(Refusal) {
        let request = requests[index]
        switch request.kind {
        case .start(let handle, let isVideo, _, _):
            try validateStart(request.callUUID, handle: handle, isVideo: isVideo, index: index)
        case .answer:
            try validateAnswer(request.callUUID, index: index)
        case .end where ofCompanions.contains(where: { $0.uuid == request.callUUID }):
            return planEndOfCompanion(request)
        case .end, .endHere:
            calls.remove(at: try position(of: request.callUUID, index: index))
        case .decline:
            try validateDecline(request.callUUID, index: index)
        case .setHeld(true):
            try validateHold(request.callUUID, index: index)
        case .setHeld(false):
            if try validateResume(request.callUUID, index: index) { return planDeferred(request) }
        case .setMuted:
            _ = try position(of: request.callUUID, index: index)
        case .playDTMF(let digits, let type):
            try validateDTMF(request.callUUID, digits: digits, index: index)
            if case .singleTone = type { return planTones(digits, of: request) }
        case .setGroup(let other):
            try validateGroup(request.callUUID, with: other, index: index)
        case .pull:
            try validatePull(request.callUUID, index: index)
        case .transfer(let target):
            try validateTransfer(request.callUUID, to: target, index: index)
            return planTransfer(request)
        case .setTranslating:
            let phase = calls[try position(of: request.callUUID, index: index)].phase
            guard phase.isConnected else {
                throw .invalid("only a connected call can be translated; this one is \(phase.errorText)", index)
            }
        case .unknown(let type):
            let known = ActionType.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("there is no action of type \"\(type.prefix(60))\"; there are \(known)", index)
        }
        plan.append(
            PlannedAction(kind: request.kind, callUUID: request.callUUID, origin: .user, uuid: request.uuid)
        )
    }

    /// Plans the end of a call of another session on the machine: the user has chosen between the two.
    private mutating func planEndOfCompanion(_ request: ActionRequest) {
        guard let call = ofCompanions.first(where: { $0.uuid == request.callUUID }) else { return }
        ofCompanions.removeAll { $0.uuid == request.callUUID }
        var planned = PlannedAction(kind: .end, callUUID: request.callUUID, origin: .user, uuid: request.uuid)
        planned.companion = call.session
        plan.append(planned)
    }

    private mutating func validateStart(
        _ uuid: CallUUID,
        handle: Handle,
        isVideo: Bool,
        index: Int
    ) throws(Refusal) {
        guard !calls.contains(where: { $0.uuid == uuid }), !others.alive.contains(uuid) else {
            throw Refusal(
                .requestTransaction(.callUUIDAlreadyExists),
                "a live call has this callUUID; a start action needs a new one",
                actionIndex: index
            )
        }
        guard provider.supportedHandleTypes.isEmpty || provider.supportedHandleTypes.contains(handle.type) else {
            throw .invalid("the provider's supportedHandleTypes do not have the type of this handle", index)
        }
        guard !isVideo || provider.supportsVideo else {
            throw .invalid("isVideo is true, but the provider does not support video", index)
        }
        try validateOneMore(uuid, phase: .outgoing, index: index)
    }

    /// Moves a live call from another device to this one (protocol.md, Pulling a call).
    private mutating func validatePull(_ uuid: CallUUID, index: Int) throws(Refusal) {
        guard !calls.contains(where: { $0.uuid == uuid }) else {
            throw .invalid("the call is on this device already; a pull takes one from another device", index)
        }
        guard let found = others.elsewhere.first(where: { $0.call.uuid == uuid }) else {
            throw Refusal(
                .requestTransaction(.unknownCallUUID),
                "no device of this account has a call with this callUUID; this device's calls are in data.calls",
                actionIndex: index
            )
        }
        guard found.call.phase.isConnected else {
            throw .invalid("only a connected call can be pulled; this one is \(found.call.phase.errorText)", index)
        }
        guard !found.isExternal else {
            throw .invalid("the call's audio is on the device that reported it; it cannot be pulled", index)
        }
        guard !found.isWithThisDevice else {
            throw .invalid("the call's other end is on this device; a device cannot call itself", index)
        }
        try validateOneMore(uuid, phase: .active, index: index)
    }

    /// Adds a call that gets the focus: held calls stay, ringing ones count (row CK-51).
    private mutating func validateOneMore(_ uuid: CallUUID, phase: CallPhase, index: Int) throws(Refusal) {
        holdOrEndActiveCalls(for: [uuid], holdingIsLimited: false)
        let count = calls.groupCount
        guard count < provider.maximumCallGroups else {
            throw Refusal(
                .requestTransaction(.maximumCallGroupsReached),
                "the device has \(count) calls or groups, ringing and held ones included, and its provider takes "
                    + "\(provider.maximumCallGroups); end one first",
                actionIndex: index
            )
        }
        guard calls.count < maximumCalls else {
            throw Refusal(
                .tooMany,
                "the device has \(calls.count) calls, and the hub allows \(maximumCalls) for one device; end one first",
                actionIndex: index
            )
        }
        calls.append(PlannedCall(uuid: uuid, phase: phase, capabilities: CallCapabilities(), group: unusedGroup))
    }

    private mutating func validateAnswer(_ uuid: CallUUID, index: Int) throws(Refusal) {
        let phase = calls[try position(of: uuid, index: index)].phase
        guard phase == .ringing else {
            throw .invalid("only a ringing call can be answered; this one is \(phase.errorText)", index)
        }
        holdOrEndActiveCalls(for: [uuid], holdingIsLimited: true)
        setPhase(.active, of: uuid)
        guard calls.filter({ $0.phase != .ringing }).groupCount <= provider.maximumCallGroups else {
            throw Refusal(
                .requestTransaction(.maximumCallGroupsReached),
                "the provider takes \(provider.maximumCallGroups) calls; request one of the call's choices",
                actionIndex: index
            )
        }
    }

    /// Declines a ringing call of the hub's own with a text (row CH-02): nobody else could be shown it.
    private mutating func validateDecline(_ uuid: CallUUID, index: Int) throws(Refusal) {
        let position = try position(of: uuid, index: index)
        let phase = calls[position].phase
        guard phase == .ringing else {
            throw .invalid("only a ringing call can be declined with a message; this one is \(phase.errorText)", index)
        }
        guard !external.contains(uuid) else {
            throw .invalid("an external call's caller cannot be sent a message; leave message out", index)
        }
        calls.remove(at: position)
    }

    /// Holds a call with its whole group (row CK-50).
    private mutating func validateHold(_ uuid: CallUUID, index: Int) throws(Refusal) {
        let call = calls[try position(of: uuid, index: index)]
        switch call.phase {
        case .held: return
        case .active where members(of: call).isHoldable: setPhase(.held, ofGroup: call.group)
        case .active where members(of: call).count > 1:
            throw .invalid("the group has a call that does not support holding", index)
        case .active: throw .invalid("the call does not support holding", index)
        case .ringing, .answering, .outgoing:
            throw .invalid("only a connected call can be held; this one is \(call.phase.errorText)", index)
        }
    }

    /// Resumes a held call; true if the un-hold is to come with a later merge of the same transaction.
    private mutating func validateResume(_ uuid: CallUUID, index: Int) throws(Refusal) -> Bool {
        let call = calls[try position(of: uuid, index: index)]
        switch call.phase {
        case .active: return false
        case .held: break
        case .ringing, .answering, .outgoing:
            throw .invalid("only a held call can be resumed; this one is \(call.phase.errorText)", index)
        }
        let members = members(of: call)
        let obstacles = competingCalls(of: members.map(\.uuid))
        if !obstacles.isEmpty, merges(members, with: obstacles, after: index) { return true }
        guard obstacles.allSatisfy(\.isHoldable) else {
            throw .invalid("another call is in the way and cannot be held; end it first", index)
        }
        holdOrEndActiveCalls(for: members.map(\.uuid), holdingIsLimited: false)
        setPhase(.active, ofGroup: call.group)
        return false
    }

    private func validateDTMF(_ uuid: CallUUID, digits: String, index: Int) throws(Refusal) {
        let call = calls[try position(of: uuid, index: index)]
        guard call.phase == .active else {
            throw .invalid("digits can be keyed on an active call only; this one is \(call.phase.errorText)", index)
        }
        guard call.capabilities.supportsDTMF else { throw .invalid("the call does not support DTMF", index) }
        guard !digits.isEmpty, digits.utf8.count <= Self.maximumDigits,
            digits.allSatisfy({ "0123456789*#ABCDabcd".contains($0) })
        else {
            throw .invalid("digits must be 1 to \(Self.maximumDigits) of 0-9, *, # and A-D", index)
        }
    }

    /// Plans one action for each digit (row CK-54); the first one has the client's identifier.
    private mutating func planTones(_ digits: String, of request: ActionRequest) {
        for (position, digit) in digits.enumerated() {
            let kind = ActionKind.playDTMF(digits: String(digit), type: .singleTone)
            let uuid = position == 0 ? request.uuid : nil
            plan.append(PlannedAction(kind: kind, callUUID: request.callUUID, origin: .user, uuid: uuid))
        }
    }

    /// Longer: more digits in one action; shorter: less work for one message.
    private static let maximumDigits = 64
}
