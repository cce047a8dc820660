/// What must hold after every event: run by the tests, and readable as a description of the state.
extension Engine {
    /// Every rule that the state breaks, as a sentence; empty where all is well.
    package func violations() -> [String] {
        sessions.keys.flatMap(violations(ofSession:))
            + calls.keys.flatMap(violations(ofCall:))
            + conversations.keys.flatMap(violations(ofConversation:))
            + violationsOfTimers()
    }

    private func violations(ofSession id: SessionID) -> [String] {
        guard let session = sessions[id] else { return [] }
        var found: [String] = []
        let focused = session.calls.filter { calls[$0]?.hasFocus == true }
        if focused.count > 1 { found.append("\(id) has \(focused.count) calls with the focus") }
        if session.audio?.call != focused.first { found.append("\(id)'s audio session is not its focused call's") }
        if session.calls.contains(where: { calls[$0]?.session != id }) { found.append("\(id) lists a foreign call") }
        if Set(session.calls).count != session.calls.count { found.append("\(id) lists a call twice") }
        if session.transactions.contains(where: { $0.cursor >= $0.steps.count }) {
            found.append("\(id) keeps a complete transaction")
        }
        if accounts[session.opening.account]?.sessions.contains(id) != true {
            found.append("\(id) is not among its account's sessions")
        }
        for sink in session.route.sinks where !mayHear(sink, from: session, id) {
            found.append("\(id)'s packets go to \(sink), who must not hear them")
        }
        if session.route.ssrc != session.audio?.session.ssrc { found.append("\(id)'s route has another SSRC") }
        if session.route.obstacle != nil, !session.route.sinks.isEmpty { found.append("\(id)'s shut gate has sinks") }
        return found
    }

    /// The gate of protocol.md 6, said anew from the state and not from the route.
    private func mayHear(_ listener: SessionID, from speaker: Session, _ id: SessionID) -> Bool {
        speaker.calls.contains { callID in
            guard let call = calls[callID], call.isConnected, !call.isOnHold, !call.isMuted,
                speaker.audio?.session.calls == [call.uuid]
            else { return false }
            guard case .connected(let farEnd) = conversations[call.conversation]?.phase else { return false }
            switch farEnd {
            case .builtIn(let source):
                return source.party == .echo && listener == id
            case .call(let callee):
                let conversationCaller = conversations[call.conversation]?.caller
                guard let other = (callee == callID ? conversationCaller : callee).flatMap({ calls[$0] }) else {
                    return false
                }
                return other.session == listener && other.isConnected && !other.isOnHold
                    && sessions[listener]?.audio?.session.calls == [other.uuid]
            }
        }
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
        let caller = calls[conversation.caller]?.state
        let callees = conversation.callees.map { calls[$0]?.state }
        let isRight =
            switch conversation.phase {
            case .starting: caller == .starting
            case .inviting: caller == .connecting
            case .ringing: caller == .connecting && !callees.isEmpty && callees.allSatisfy { $0 == .ringing }
            case .answering: caller == .connecting && callees == [.answering]
            case .connected:
                ([caller] + callees).allSatisfy { state in
                    if case .connected = state { true } else { false }
                }
            }
        return isRight ? [] : ["\(id)'s legs do not fit its phase \(conversation.phase)"]
    }

    private func violationsOfTimers() -> [String] {
        let ringing = conversations.keys.count { id in
            if case .ringing = conversations[id]?.phase { true } else { false }
        }
        let waiting = sessions.keys.reduce(0) { $0 + (sessions[$1]?.transactions.count ?? 0) }
        let others = deadlines.count - ringing - waiting
        // What remains are grace periods and the drain: one a session and one in all.
        guard others < 0 || others > sessions.count + (isDraining ? 1 : 0) else { return [] }
        return ["\(deadlines.count) timers run for \(ringing) ringing conversations and \(waiting) transactions"]
    }
}
