/// Snapshots of calls, their notification, and the lookup of calls.
extension Engine {
    /// Sends a call's owner its current state, and updates the choices of the device's ringing calls.
    mutating func notifyChange(_ call: CallID) {
        guard let session = session(of: call) else { return }
        if state(of: call) == .ringing {
            let choices = choices(for: call, of: session)
            calls[call]?.choices = choices
        }
        if let snapshot = snapshot(of: call) { notify(snapshot, of: call, on: session) }
        refreshChoices(of: session, excluding: call)
        for companion in companions(of: session) { refreshChoices(of: companion) }
    }

    /// Sends a snapshot to the call's owner, and to the observers on the account's other devices (rows CK-69, CK-70).
    mutating func notify(_ snapshot: CallSnapshot, of call: CallID, on session: SessionID) {
        effects.append(.notify(session, .callChanged(snapshot)))
        notifyOperators(of: session, snapshot)
        if lastParticipants(of: call) != snapshot.participants { calls[call]?.participants = snapshot.participants }
        guard isObserved(session), let owner = sessions[session]?.opening else {
            // An observer that signs in later has not received the last state.
            if calls[call]?.observed != nil { calls[call]?.observed = nil }
            return
        }
        let observed = ObservedCall(snapshot, on: owner)
        guard snapshot.hasEnded || lastObserved(of: call) != observed else { return }
        calls[call]?.observed = observed
        for observer in sessions(of: account(of: session))
        where observer != session && sessions[observer]?.opening.observes == true {
            effects.append(.notify(observer, .observed(observed)))
        }
    }

    private func lastObserved(of call: CallID) -> ObservedCall? { calls[call]?.observed }

    /// Indicates that another device of the account observes this one's calls.
    private func isObserved(_ session: SessionID) -> Bool {
        guard let account = account(of: session), let observes = sessions[session]?.opening.observes,
            let observers = accounts[account]?.observers
        else { return false }
        return observers > (observes ? 1 : 0)
    }

    /// Returns the calls on an account's other devices.
    func observed(by session: SessionID) -> [ObservedCall] {
        guard let account = account(of: session) else { return [] }
        return sessions(of: account).filter { $0 != session }.flatMap { other in
            guard let owner = sessions[other] else { return [ObservedCall]() }
            return owner.calls.compactMap { snapshot(of: $0) }.map { ObservedCall($0, on: owner.opening) }
        }
    }

    /// Sends each ringing call of a device whose choices differ from those last sent.
    mutating func refreshChoices(of session: SessionID, excluding notified: CallID? = nil) {
        for call in calls(of: session) where state(of: call) == .ringing && call != notified {
            let choices = choices(for: call, of: session)
            guard lastChoices(of: call) != choices else { continue }
            calls[call]?.choices = choices
            if let snapshot = snapshot(of: call) {
                effects.append(.notify(session, .callChanged(snapshot)))
                notifyOperators(of: session, snapshot)
            }
        }
    }

    private func lastChoices(of call: CallID) -> [Choice]? { calls[call]?.choices }

    private func choices(for call: CallID, of session: SessionID) -> [Choice] {
        guard let uuid = calls[call]?.uuid,
            let limit = sessions[session]?.providerLimits.maximumCallGroups
        else { return [] }
        let isAlone = calls(of: session).allSatisfy { $0 == call || state(of: $0) == .ringing }
        let others = isAlone ? [] : plannedCalls(of: session).filter { $0.uuid != uuid && $0.phase != .ringing }
        let busy = busyGroupsOfCompanions(of: session)
        guard !busy.isEmpty, others.allSatisfy({ $0.phase == .held }) else {
            return ChoiceRules.choices(for: uuid, beside: others, limit: limit)
        }
        let caller = conversation(of: call).flatMap { self.caller(of: $0) }.flatMap { self.uuid(of: $0) }
        return ChoiceRules.choices(for: uuid, besideCompanions: busy, and: others, caller: caller, limit: limit)
    }

    /// Returns a scratch copy of a device's calls; a group's number is the index of its first call.
    func plannedCalls(of session: SessionID) -> [PlannedCall] {
        var planned: [PlannedCall] = []
        var numbers: [(group: GroupUUID, number: Int)] = []
        for (place, id) in calls(of: session).enumerated() {
            guard let uuid = uuid(of: id), let phase = state(of: id)?.phase, let capabilities = calls[id]?.capabilities
            else { continue }
            let group = group(of: id)
            let known = numbers.first { $0.group == group }
            if known == nil, let group { numbers.append((group, place)) }
            let number = known?.number ?? place
            planned.append(PlannedCall(uuid: uuid, phase: phase, capabilities: capabilities, group: number))
        }
        return planned
    }

    /// Returns the number of groups of calls of a device, a single call being one.
    func groupCount(of session: SessionID) -> Int {
        guard let ids = sessions[session]?.calls else { return 0 }
        return ids.indices.count { place in
            guard let group = calls[ids[place]]?.group else { return true }
            return !ids[..<place].contains { calls[$0]?.group == group }
        }
    }

    func snapshot(of id: CallID) -> CallSnapshot? {
        guard let call = calls[id] else { return nil }
        let other = otherCall(than: id)
        let isCaller = conversations[call.conversation]?.caller == id
        return CallSnapshot(
            uuid: call.uuid,
            isOutgoing: call.isOutgoing,
            state: call.state.wireState,
            hasConnected: call.isConnected,
            remoteHandle: call.remoteHandle,
            localizedCallerName: call.shownName,
            nameSource: call.nameSource,
            directoryTitle: call.nameSource == .directory ? call.names.directoryTitle : nil,
            invitation: call.invitation,
            invitationName: call.invitationName,
            isMuted: call.isMuted,
            isOnHold: call.isOnHold,
            group: call.group,
            hasVideo: call.hasVideo,
            capabilities: call.capabilities,
            remoteIsRinging: isCaller && conversations[call.conversation]?.callerSeesRinging == true,
            remoteIsOnHold: other.flatMap { calls[$0]?.state.isOnHold } == true,
            isTranslating: call.isTranslating,
            translationEngine: call.translationEngine,
            isExternal: conversations[call.conversation]?.isExternal == true,
            mustReport: call.mustReport && call.state == .ringing,
            startedAt: call.startedAt,
            startedConnectingAt: call.startedConnectingAt,
            connectedAt: call.connectedAt,
            endedAt: nil,
            endedReason: nil,
            cause: nil,
            choices: call.state == .ringing ? call.choices : [],
            participants: participants(of: id),
            transferor: call.transferor,
            returned: call.returned
        )
    }

    /// Returns a device's call by its UUID.
    func call(_ uuid: CallUUID, of session: SessionID) -> CallID? {
        sessions[session]?.calls.first { calls[$0]?.uuid == uuid }
    }

    /// Indicates that a device of the account has a call with this UUID.
    func isAlive(_ uuid: CallUUID, inAccountOf session: SessionID) -> Bool {
        guard let account = account(of: session) else { return false }
        return sessions(of: account).contains { call(uuid, of: $0) != nil }
    }

    /// Returns the other party's call, once the two are connected.
    func otherCall(than id: CallID) -> CallID? {
        guard let conversation = calls[id]?.conversation,
            case .connected(.call(let callee)) = conversations[conversation]?.phase
        else { return nil }
        return callee == id ? conversations[conversation]?.caller : callee
    }
}

extension CallState {
    fileprivate var wireState: CallSnapshot.State {
        switch self {
        case .starting: .starting
        case .connecting, .answering: .connecting
        case .ringing: .ringing
        case .connected(_, isOnHold: false): .connected
        case .connected(_, isOnHold: true): .held
        }
    }
}

extension PlannedCall {
    init(_ call: Call, group: Int) {
        self.init(uuid: call.uuid, phase: call.phase, capabilities: call.capabilities, group: group)
    }
}

extension ObservedCall {
    fileprivate init(_ call: CallSnapshot, on owner: SessionOpening) {
        self.init(
            uuid: call.uuid,
            isOutgoing: call.isOutgoing,
            isOnHold: call.isOnHold,
            hasConnected: call.hasConnected,
            hasEnded: call.hasEnded,
            deviceID: owner.deviceID,
            deviceName: owner.deviceName
        )
    }
}
