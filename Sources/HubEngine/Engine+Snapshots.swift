/// What is told of a call, and how calls are found.
extension Engine {
    /// Tells a call's owner what it looks like now; the device's ringing calls may have other choices.
    mutating func changed(_ call: CallID) {
        guard let session = calls[call]?.session else { return }
        if calls[call]?.state == .ringing {
            let choices = choices(for: call)
            calls[call]?.choices = choices
        }
        if let snapshot = snapshot(of: call), let changed = calls[call] { tell(snapshot, of: changed) }
        refreshChoices(of: session)
    }

    /// Tells a call's owner, and those who observe it from the account's other devices (rows CK-69, CK-70).
    mutating func tell(_ snapshot: CallSnapshot, of call: Call) {
        effects.append(.notify(call.session, .callChanged(snapshot)))
        guard let owner = sessions[call.session]?.opening, let account = accounts[owner.account],
            account.observers > (owner.observes ? 1 : 0)
        else { return }
        let observed = ObservedCall(snapshot, on: owner)
        guard call.observed != observed else { return }
        if let id = self.call(call.uuid, of: call.session) { calls[id]?.observed = observed }
        for observer in account.sessions where observer != call.session && sessions[observer]?.opening.observes == true
        {
            effects.append(.notify(observer, .observed(observed)))
        }
    }

    /// The calls on an account's other devices.
    func observed(by session: SessionID) -> [ObservedCall] {
        guard let account = sessions[session]?.opening.account else { return [] }
        return (accounts[account]?.sessions ?? []).filter { $0 != session }.flatMap { other in
            guard let owner = sessions[other] else { return [ObservedCall]() }
            return owner.calls.compactMap { snapshot(of: $0) }.map { ObservedCall($0, on: owner.opening) }
        }
    }

    /// Tells of every ringing call of a device whose choices are no longer those last told.
    mutating func refreshChoices(of session: SessionID) {
        for call in sessions[session]?.calls ?? [] where calls[call]?.state == .ringing {
            let choices = choices(for: call)
            guard calls[call]?.choices != choices else { continue }
            calls[call]?.choices = choices
            if let snapshot = snapshot(of: call) { effects.append(.notify(session, .callChanged(snapshot))) }
        }
    }

    private func choices(for call: CallID) -> [Choice] {
        guard let ringing = calls[call], let session = sessions[ringing.session] else { return [] }
        let limit = session.configuration.maximumCallGroups
        return ChoiceRules.choices(for: ringing.uuid, among: plannedCalls(of: session), limit: limit)
    }

    /// A scratch copy of a device's calls; those of a group have the number of its first call.
    func plannedCalls(of session: Session) -> [PlannedCall] {
        var numbers: [(group: GroupUUID, number: Int)] = []
        return session.calls.indices.compactMap { place in
            guard let call = calls[session.calls[place]] else { return nil }
            guard let group = call.group else { return PlannedCall(call, group: place) }
            if let known = numbers.first(where: { $0.group == group }) { return PlannedCall(call, group: known.number) }
            numbers.append((group, place))
            return PlannedCall(call, group: place)
        }
    }

    /// How many groups of calls a device has, a single call being one.
    func groupCount(of session: Session) -> Int {
        session.calls.indices.count { place in
            guard let group = calls[session.calls[place]]?.group else { return true }
            return !session.calls[..<place].contains { calls[$0]?.group == group }
        }
    }

    func snapshot(of id: CallID) -> CallSnapshot? {
        guard let call = calls[id] else { return nil }
        let other = otherCall(than: id).flatMap { calls[$0] }
        return CallSnapshot(
            uuid: call.uuid,
            isOutgoing: call.isOutgoing,
            state: call.state.onTheWire,
            hasConnected: call.isConnected,
            remoteHandle: call.remoteHandle,
            localizedCallerName: call.shownName,
            nameSource: call.nameSource,
            isMuted: call.isMuted,
            isOnHold: call.isOnHold,
            group: call.group,
            hasVideo: call.hasVideo,
            capabilities: call.capabilities,
            remoteIsRinging: call.isOutgoing && conversations[call.conversation]?.isRingingForTheCaller == true,
            remoteIsOnHold: other?.isOnHold == true,
            isTranslating: call.isTranslating,
            isExternal: conversations[call.conversation]?.isExternal == true,
            mustReport: call.mustReport && call.state == .ringing,
            startedAt: call.startedAt,
            startedConnectingAt: call.startedConnectingAt,
            connectedAt: call.connectedAt,
            endedAt: nil,
            endedReason: nil,
            cause: nil,
            choices: call.state == .ringing ? call.choices : []
        )
    }

    /// A device's call by its UUID.
    func call(_ uuid: CallUUID, of session: SessionID) -> CallID? {
        sessions[session]?.calls.first { calls[$0]?.uuid == uuid }
    }

    /// Whether any device of an account has a call with this UUID.
    func isAlive(_ uuid: CallUUID, in account: String) -> Bool {
        accounts[account]?.sessions.contains { call(uuid, of: $0) != nil } == true
    }

    /// The other party's call, once the two are connected.
    func otherCall(than id: CallID) -> CallID? {
        guard let call = calls[id], let conversation = conversations[call.conversation],
            case .connected(.call(let callee)) = conversation.phase
        else { return nil }
        return callee == id ? conversation.caller : callee
    }
}

extension CallState {
    fileprivate var onTheWire: CallSnapshot.State {
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
