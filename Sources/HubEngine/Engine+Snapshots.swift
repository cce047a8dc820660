/// What is told of a call, and how calls are found.
extension Engine {
    /// Tells a call's owner what it looks like now; the device's ringing calls may have other choices.
    mutating func changed(_ call: CallID) {
        guard let session = calls[call]?.session else { return }
        if calls[call]?.state == .ringing {
            let choices = choices(for: call)
            calls[call]?.choices = choices
        }
        if let snapshot = snapshot(of: call) { effects.append(.notify(session, .callChanged(snapshot))) }
        refreshChoices(of: session)
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
        let limit = (session.provider ?? session.opening.provider).maximumCallGroups
        return ChoiceRules.choices(for: ringing.uuid, among: plannedCalls(of: session), limit: limit)
    }

    func plannedCalls(of session: Session) -> [PlannedCall] {
        session.calls.compactMap { id in
            calls[id].map { PlannedCall(uuid: $0.uuid, phase: $0.phase, capabilities: $0.capabilities) }
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
            localizedCallerName: shownName(of: call),
            nameSource: call.givenName == nil ? .handle : .caller,
            isMuted: call.isMuted,
            isOnHold: call.isOnHold,
            group: nil,
            hasVideo: call.hasVideo,
            capabilities: call.capabilities,
            remoteIsRinging: isRinging(theOtherSideOf: call),
            remoteIsOnHold: other?.isOnHold == true,
            isTranslating: false,
            isExternal: false,
            mustReport: false,
            startedAt: call.startedAt,
            connectedAt: call.connectedAt,
            endedAt: nil,
            endedReason: nil,
            cause: nil,
            choices: call.state == .ringing ? call.choices : []
        )
    }

    func shownName(of call: Call) -> String {
        call.givenName ?? call.remoteHandle.value
    }

    private func isRinging(theOtherSideOf call: Call) -> Bool {
        guard call.isOutgoing, case .ringing(_, _, let devices) = conversations[call.conversation]?.phase else {
            return false
        }
        return !devices.isEmpty
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

extension Call {
    /// Whether the user is busy with it or about to be: what is being placed or answered counts too.
    var hasAttention: Bool {
        switch state {
        case .starting, .connecting, .answering, .connected(_, isOnHold: false): true
        case .ringing, .connected(_, isOnHold: true): false
        }
    }
}
