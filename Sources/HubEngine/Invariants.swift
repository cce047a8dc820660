/// The invariants that hold after every event: checked by the tests, and readable as a description of the state.
///
/// The rules for audio are in `Invariants+Audio`.
extension Engine {
    /// Returns all violated invariants as sentences; empty if there are none.
    package func violations() -> [String] {
        sessions.keys.flatMap(violations(ofSession:))
            + calls.keys.flatMap(violations(ofCall:))
            + conversations.keys.flatMap(violations(ofConversation:))
            + accounts.keys.flatMap(violations(ofAccount:))
            + timerViolations()
    }

    private func violations(ofSession id: SessionID) -> [String] {
        guard let session = sessions[id] else { return [] }
        var found =
            audioViolations(of: session, id) + groupViolations(of: session, id) + participantViolations(of: session, id)
        if session.calls.contains(where: { calls[$0]?.session != id }) { found.append("\(id) lists a foreign call") }
        if session.calls.count > 1, Set(session.calls).count != session.calls.count {
            found.append("\(id) lists a call twice")
        }
        if session.calls.count > configuration.maximumCallsPerDevice {
            found.append("\(id) has more calls than the hub allows")
        }
        if session.transactions.contains(where: { $0.cursor >= $0.steps.count }) {
            found.append("\(id) keeps a complete transaction")
        }
        if companions(of: id).contains(where: { calls(of: $0).contains { hasFocus($0) } }),
            session.calls.contains(where: { hasFocus($0) })
        {
            found.append("\(id) has an active call, and another session on its machine, too")
        }
        let account = accounts[session.account]
        if account?.sessions.contains(id) != true { found.append("\(id) is not among its account's sessions") }
        let observers = account?.sessions.count { sessions[$0]?.opening.observes == true }
        if account?.observers != observers { found.append("\(id)'s account has miscounted its observers") }
        let operators = account?.sessions.count { sessions[$0]?.opening.operatedDevice != nil }
        if account?.operators != operators { found.append("\(id)'s account has miscounted its operators") }
        return found
    }

    private func groupViolations(of session: Session, _ id: SessionID) -> [String] {
        guard !session.calls.isEmpty else { return [] }
        var found: [String] = []
        let living = session.calls.compactMap { calls[$0] }
        for group in Set(living.compactMap(\.group)) {
            let members = living.filter { $0.group == group }
            if members.count < 2 { found.append("\(id) has a group of one") }
            if !members.allSatisfy(\.isConnected) {
                found.append("\(id) has a group with a call that is not connected")
            }
            if Set(members.map(\.isOnHold)).count > 1 { found.append("\(id) has a group that is held in part") }
        }
        if Set(living.map(\.uuid)).count != living.count { found.append("\(id) has two calls of one UUID") }
        return found
    }

    private func violations(ofCall id: CallID) -> [String] {
        guard let call = calls[id] else { return [] }
        var found: [String] = []
        if sessions[call.session]?.calls.contains(id) != true { found.append("\(id) is not its device's") }
        guard let conversation = conversations[call.conversation] else { return found + ["\(id) has no conversation"] }
        if conversation.caller != id, !conversation.callees.contains(id) { found.append("\(id) is no party of it") }
        if call.state == .starting {
            let starts = sessions[call.session]?.transactions.flatMap(\.steps).contains {
                $0.action.kind.type == .start && $0.action.callUUID == call.uuid
            }
            if starts != true { found.append("\(id) is starting without a start action") }
        }
        return found
    }

    private func violations(ofConversation id: ConversationID) -> [String] {
        guard let conversation = conversations[id] else { return [] }
        let caller = conversation.caller.map { calls[$0]?.state }
        let callees = conversation.callees.map { calls[$0]?.state }
        // A call from outside has no caller in the hub.
        let isTransferred = conversation.transfer != nil && caller.flatMap { $0 }?.isConnected == true
        let isConnecting =
            caller == .some(.some(.connecting)) || caller == nil && conversation.isExternal || isTransferred
        let isRight =
            switch conversation.phase {
            case .starting: caller == .some(.some(.starting))
            case .inviting: caller == .some(.some(.connecting)) || isTransferred
            case .ringing(_, let devices):
                isConnecting && callees.allSatisfy { $0 == .ringing }
                    && (!devices.isEmpty || deadlines.isSet(.ring(id)))
            case .answering: isConnecting && callees == [.answering]
            case .connected:
                ((caller.map { [$0] } ?? []) + callees).allSatisfy { state in
                    if case .connected = state { true } else { false }
                }
            }
        let found = isRight ? [] : ["\(id)'s legs do not fit its phase \(conversation.phase)"]
        return found + doNotDisturbViolations(of: conversation, id)
    }

    /// Returns the violations of Do Not Disturb, the block list and the account's list of ringing conversations.
    ///
    /// No device rings that must stay silent, and each ringing call can be found (rows CK-11 to CK-13, CK-80).
    private func doNotDisturbViolations(of conversation: Conversation, _ id: ConversationID) -> [String] {
        guard let callee = conversation.callee, case .ringing(_, let devices) = conversation.phase else { return [] }
        var found: [String] = []
        if callee.filter != nil, !devices.isEmpty { found.append("\(id) rings though its caller may not") }
        let deviceIDs = devices.compactMap { calls[$0] }.compactMap { sessions[$0.session]?.opening.deviceID }
        if deviceIDs.contains(where: { callee.quietDevices.contains($0) }) {
            found.append("\(id) rings on a quiet device")
        }
        if callee.isDecoyRinging, !devices.isEmpty { found.append("\(id) plays decoy ringback although devices ring") }
        if let account = callee.calledAccount, accounts[account]?.ringing.contains(id) != true {
            found.append("\(id) rings and is not in its account's list")
        }
        return found
    }

    private func violations(ofAccount id: AccountID) -> [String] {
        guard let account = accounts[id] else { return [] }
        var found: [String] = []
        if account.sessions.isEmpty, account.ringing.isEmpty {
            found.append("\(id) has neither sessions nor ringing calls")
        }
        for conversation in account.ringing {
            guard case .ringing = phase(of: conversation) else {
                found.append("\(id) is listed as called by \(conversation), and is not")
                continue
            }
        }
        return found
    }

    private func timerViolations() -> [String] {
        let ringing = conversations.keys.count { id in
            if case .ringing = conversations[id]?.phase { true } else { false }
        }
        // A transaction that waits for another one's digits has no timer of its own.
        let waiting = sessions.keys.flatMap { sessions[$0]?.transactions ?? [] }
        let surely = waiting.count { $0.current?.hasBegun == true || $0.current?.pause == .running }
        let others = deadlines.count - ringing - surely
        // The rest are at most one offer for each transaction, one grace period for each session, and the drain.
        let most = waiting.count - surely + sessions.count + (isDraining ? 1 : 0)
        guard others < 0 || others > most else { return [] }
        return ["\(deadlines.count) timers run for \(ringing) ringing conversations and \(waiting.count) transactions"]
    }
}
