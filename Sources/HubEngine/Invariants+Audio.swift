/// The gate of protocol.md, Audio, computed a second time from the state and not from the routes.
extension Engine {
    func audioViolations(of session: Session, _ id: SessionID) -> [String] {
        // Without calls and audio nothing can be wrong; the simulation checks this after millions of events.
        guard !session.calls.isEmpty || session.audio != nil || session.route != .closed else { return [] }
        var found: [String] = []
        let focused = session.calls.compactMap { calls[$0] }.filter(\.hasFocus)
        if focused.count > 1, Set(focused.map(\.group)).count > 1 || focused[0].group == nil {
            found.append("\(id) has \(focused.count) calls with the focus that are not merged")
        }
        if (session.audio?.calls ?? []) != focused.map(\.uuid) {
            found.append("\(id)'s audio session is not its focused calls'")
        }
        if session.audio?.group != focused.first?.group { found.append("\(id)'s audio session is another group's") }
        if session.route.ssrc != session.audio?.ssrc { found.append("\(id)'s route has another SSRC") }
        if session.route.gateReason != nil, !session.route.sinks.isEmpty { found.append("\(id)'s shut gate has sinks") }
        if Set(session.route.sinks).count != session.route.sinks.count { found.append("\(id) has a sink twice") }
        for listener in sessions.keys {
            let hears = session.route.sinks.contains(listener)
            if hears != mayReceiveAudio(listener, from: session, id) {
                found.append(
                    "\(id)'s packets \(hears ? "go to \(listener), who must not" : "do not go to \(listener), who is to") hear them"
                )
            }
        }
        return found + holdAudioViolations(of: session, id)
    }

    /// Checks rule CH-09: hold audio for whom others hold and nobody else is audible to, and for nobody else.
    private func holdAudioViolations(of session: Session, _ id: SessionID) -> [String] {
        let holders = session.calls.filter(isOpen).compactMap { farEnd(of: $0) }
            .compactMap { calls[$0] }.filter(\.isOnHold).compactMap { sessions[$0.session] }
            .filter { accounts[$0.account]?.holdAudio ?? .silence != .silence }
        let played = session.sources.filter(\.isHoldAudio)
        guard let source = session.route.holdSource else {
            let isDue = !holders.isEmpty && session.sources.count == played.count
            return isDue || !played.isEmpty ? ["\(id) is held, and receives no hold audio"] : []
        }
        let isFirst = holders.first.map { $0.opening.account == source.account } ?? false
        let isAlone = session.sources.map(\.ssrc) == [source.ssrc] && played.count == 1
        let isSilentOtherwise = session.route.sinks.isEmpty && session.route.playedSources.isEmpty
        if isFirst, isAlone, isSilentOtherwise { return [] }
        return ["\(id) receives hold audio of \(source.account), which it must not"]
    }

    /// Indicates that a listener may receive a sender's audio: over one call, or over two that a third device merged.
    private func mayReceiveAudio(_ listener: SessionID, from sender: Session, _ id: SessionID) -> Bool {
        sender.calls.contains { own in
            guard let call = calls[own], !call.isMuted, isOpen(own) else { return false }
            if isEcho(own) { return listener == id }
            guard let other = farEnd(of: own), isOpen(other), let far = calls[other] else { return false }
            if far.session == listener { return true }
            guard let group = far.group else { return false }
            return (sessions[far.session]?.calls ?? []).contains { mate in
                guard mate != other, calls[mate]?.group == group, isOpen(mate) else { return false }
                if isEcho(mate) { return listener == id }
                guard let third = farEnd(of: mate), isOpen(third) else { return false }
                return calls[third]?.session == listener && listener != id
            }
        }
    }

    /// Indicates that a call is connected, not held by its owner, and covered by the owner's audio session.
    private func isOpen(_ id: CallID) -> Bool {
        guard let call = calls[id], case .connected(_, isOnHold: false) = call.state else { return false }
        return sessions[call.session]?.audio?.calls.contains(call.uuid) == true
    }

    private func isEcho(_ id: CallID) -> Bool {
        guard let call = calls[id], case .connected(.builtIn(let source)) = conversations[call.conversation]?.phase
        else { return false }
        return source.party == .echo
    }

    private func farEnd(of id: CallID) -> CallID? {
        guard let call = calls[id], let conversation = conversations[call.conversation],
            case .connected(.call(let callee)) = conversation.phase
        else { return nil }
        return conversation.caller == id ? callee : conversation.caller
    }
}
