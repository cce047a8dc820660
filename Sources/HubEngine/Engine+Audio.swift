/// Who may be heard: each device's audio session, and the relay's routes (callkit.md 2.8, protocol.md 6).
extension Engine {
    /// Brings a device's audio session and everybody's routes in line after a change of its calls.
    mutating func reconcileAudio(of session: SessionID) {
        guard let owner = sessions[session] else { return }
        updateAudioSession(of: session, focus: owner.calls.filter { calls[$0]?.hasFocus == true })
        refreshRoute(of: session)
        for call in owner.calls {
            guard let other = otherCall(than: call), let far = calls[other] else { continue }
            refreshRoute(of: far.session)
            for mate in mates(of: other) {
                if let third = otherCall(than: mate).flatMap({ calls[$0] }) { refreshRoute(of: third.session) }
            }
        }
    }

    /// The audio session covers the calls with the focus: it stays on while one of them keeps it, so that a merge or a split
    /// interrupts nobody; another call is another activation (decision D3).
    private mutating func updateAudioSession(of session: SessionID, focus: [CallID]) {
        let covered = focus.compactMap { calls[$0]?.uuid }
        let group = focus.first.flatMap { calls[$0]?.group }
        if let former = sessions[session]?.audio {
            guard !former.calls.contains(where: covered.contains) else {
                sessions[session]?.audio?.calls = covered
                sessions[session]?.audio?.group = group
                return
            }
            sessions[session]?.audio = nil
            refreshRoute(of: session)
            effects.append(.notify(session, .didDeactivateAudioSession(former)))
        }
        guard !covered.isEmpty, let owner = sessions[session] else { return }
        let ssrc = identifiers.ssrc(after: owner.lastSSRC)
        let audio = AudioSession(id: identifiers.identifier(), ssrc: ssrc, calls: covered, group: group)
        sessions[session]?.audio = audio
        sessions[session]?.lastSSRC = ssrc
        effects.append(.notify(session, .didActivateAudioSession(audio)))
    }

    /// Tells the driver and the client where the route, or what is heard, is not what they were last told.
    private mutating func refreshRoute(of session: SessionID) {
        guard let owner = sessions[session] else { return }
        let neighbours = neighbours(of: owner, session)
        let route = route(of: owner, session, among: neighbours)
        if route != owner.route {
            sessions[session]?.route = route
            effects.append(.audioRouteChanged(session))
        }
        let sources = sources(of: owner, among: neighbours)
        if sources != owner.sources {
            sessions[session]?.sources = sources
            effects.append(.notify(session, .audioSources(sources)))
        }
    }

    /// The gate of protocol.md 6, for one sender.
    private func route(of session: Session, _ id: SessionID, among neighbours: [Neighbour]) -> AudioRoute {
        guard let audio = session.audio else { return .closed }
        var route = AudioRoute(obstacle: .notConnected, ssrc: audio.ssrc, sinks: [], plays: [])
        for neighbour in neighbours {
            let sink: SessionID
            switch neighbour.party {
            case .session(let listener, _): sink = listener
            case .builtIn(let source) where source.party == .echo: sink = id
            case .builtIn(let source):
                if !route.plays.contains(source) { route.plays.append(source) }
                continue
            }
            if !isMuted(neighbour.call), !route.sinks.contains(sink) { route.sinks.append(sink) }
        }
        if neighbours.isEmpty {
            if session.calls.contains(where: isConnectedHere) { route.obstacle = .held }
        } else {
            route.obstacle = neighbours.allSatisfy { isMuted($0.call) } ? .muted : nil
        }
        return route
    }

    /// Whom a device may hear: by audio sessions and hold, not by mute, which is nobody's business but the muted one's.
    private func sources(of session: Session, among neighbours: [Neighbour]) -> [AudioSource] {
        var sources: [AudioSource] = []
        for neighbour in neighbours {
            guard let ssrc = ssrc(of: neighbour.party, heardIn: session), let call = calls[neighbour.call],
                !sources.contains(where: { $0.ssrc == ssrc })
            else { continue }
            sources.append(
                AudioSource(ssrc: ssrc, callUUID: call.uuid, handle: neighbour.handle, name: neighbour.name)
            )
        }
        return sources
    }

    private func ssrc(of party: Neighbour.Party, heardIn session: Session) -> UInt32? {
        switch party {
        case .session(_, let ssrc): ssrc
        case .builtIn(let source): source.party == .echo ? session.audio?.ssrc : source.ssrc
        }
    }

    private func isMuted(_ call: CallID) -> Bool { calls[call]?.isMuted == true }

    /// Whether a call has the focus and its other end is the hub's business.
    private func isConnectedHere(_ call: CallID) -> Bool {
        guard let call = calls[call], call.hasFocus, call.isConnected else { return false }
        return conversations[call.conversation]?.isExternal == false
    }
}
