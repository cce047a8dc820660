/// Who may be heard: each device's audio session, and the relay's routes (callkit.md 2.8, protocol.md 6).
extension Engine {
    /// Brings a device's audio session and everybody's routes in line after a change of `call`.
    mutating func reconcileAudio(of call: CallID) {
        guard let session = calls[call]?.session else { return }
        reconcileAudio(ofSession: session)
    }

    /// The audio session belongs to the call with the focus; another call is another activation (decision D3).
    mutating func reconcileAudio(ofSession session: SessionID) {
        guard let owner = sessions[session] else { return }
        let focus = owner.calls.first { calls[$0]?.hasFocus == true }
        if owner.audio?.call != focus {
            if let former = owner.audio {
                sessions[session]?.audio = nil
                refreshRoute(of: session)
                effects.append(.notify(session, .didDeactivateAudioSession(former.session)))
            }
            if let focus { activateAudio(of: session, for: focus) }
        }
        refreshRoute(of: session)
        for call in owner.calls {
            guard let other = otherCall(than: call).flatMap({ calls[$0] }) else { continue }
            refreshRoute(of: other.session)
        }
    }

    private mutating func activateAudio(of session: SessionID, for call: CallID) {
        guard let owner = sessions[session], let focus = calls[call] else { return }
        let ssrc = identifiers.ssrc(after: owner.lastSSRC)
        let audio = AudioSession(id: identifiers.identifier(), ssrc: ssrc, calls: [focus.uuid], group: nil)
        sessions[session]?.audio = Session.ActiveAudio(session: audio, call: call)
        sessions[session]?.lastSSRC = ssrc
        effects.append(.notify(session, .didActivateAudioSession(audio)))
    }

    /// Tells the driver and the client where the route, or what is heard, is not what they were last told.
    private mutating func refreshRoute(of session: SessionID) {
        guard let owner = sessions[session] else { return }
        let route = route(of: owner, session)
        if route != owner.route {
            sessions[session]?.route = route
            effects.append(.audioRouteChanged(session))
        }
        let sources = sources(of: owner)
        if sources != owner.sources {
            sessions[session]?.sources = sources
            effects.append(.notify(session, .audioSources(sources)))
        }
    }

    /// The gate of protocol.md 6, for one sender.
    private func route(of session: Session, _ id: SessionID) -> AudioRoute {
        guard let audio = session.audio, let call = calls[audio.call] else { return .closed }
        var route = AudioRoute(obstacle: .notConnected, ssrc: audio.session.ssrc, sinks: [], plays: [])
        guard case .connected(let farEnd) = conversations[call.conversation]?.phase else { return route }
        switch farEnd {
        case .builtIn(let source):
            route.obstacle = call.isMuted ? .muted : nil
            switch source.party {
            case .echo: route.sinks = call.isMuted ? [] : [id]
            case .tone, .music: route.plays = [source]
            }
        case .call:
            guard let other = otherCall(than: audio.call).flatMap({ calls[$0] }), !other.isOnHold,
                sessions[other.session]?.audio?.session.calls.contains(other.uuid) == true
            else {
                route.obstacle = .held
                return route
            }
            route.obstacle = call.isMuted ? .muted : nil
            if !call.isMuted { route.sinks = [other.session] }
        }
        return route
    }

    /// Whom a device may hear: by audio sessions and hold, not by mute, which is nobody's business but the muted one's.
    private func sources(of session: Session) -> [AudioSource] {
        guard let audio = session.audio, let call = calls[audio.call],
            case .connected(let farEnd) = conversations[call.conversation]?.phase,
            let ssrc = farSSRC(farEnd, heardBy: audio)
        else { return [] }
        return [AudioSource(ssrc: ssrc, callUUID: call.uuid, handle: call.remoteHandle, name: shownName(of: call))]
    }

    private func farSSRC(_ farEnd: Conversation.FarEnd, heardBy listener: Session.ActiveAudio) -> UInt32? {
        switch farEnd {
        case .builtIn(let source):
            return source.party == .echo ? listener.session.ssrc : source.ssrc
        case .call:
            guard let other = otherCall(than: listener.call).flatMap({ calls[$0] }), !other.isOnHold,
                let audio = sessions[other.session]?.audio, audio.session.calls.contains(other.uuid)
            else { return nil }
            return audio.session.ssrc
        }
    }
}
