/// The audio sessions of the devices, and the relay's routes (callkit-semantics.md 2.8, protocol.md, Audio).
extension Engine {
    /// Updates a device's audio session and all affected routes after a change of its calls.
    mutating func reconcileAudio(of session: SessionID) {
        guard sessions.contains(session) else { return }
        if !isAudioSessionCurrent(session) { updateAudioSession(of: session) }
        refreshRoute(of: session)
        for call in calls(of: session) {
            guard let other = otherCall(than: call), let far = self.session(of: other) else { continue }
            refreshRoute(of: far)
            for mate in otherGroupMembers(of: other) {
                if let third = otherCall(than: mate).flatMap({ self.session(of: $0) }) { refreshRoute(of: third) }
            }
        }
    }

    /// Indicates that the audio session covers the calls with the focus: the usual case, checked without allocation.
    func isAudioSessionCurrent(_ session: SessionID) -> Bool {
        let audio = sessions[session]?.audio
        var seen = 0
        for call in calls(of: session) where hasFocus(call) {
            guard let audio, seen < audio.calls.count, audio.calls[seen] == uuid(of: call),
                audio.group == group(of: call)
            else { return false }
            seen += 1
        }
        return seen == (audio?.calls.count ?? 0)
    }

    /// Makes the audio session cover the calls with the focus.
    ///
    /// It stays active while one of its calls has the focus, so that a merge or a split interrupts no audio; another
    /// call is another activation (decision D3).
    private mutating func updateAudioSession(of session: SessionID) {
        let (covered, group) = focus(of: session)
        if let former = audio(of: session) {
            guard !former.calls.contains(where: covered.contains) else {
                sessions[session]?.audio?.calls = covered
                sessions[session]?.audio?.group = group
                return
            }
            sessions[session]?.audio = nil
            refreshRoute(of: session)
            effects.append(.notify(session, .didDeactivateAudioSession(former)))
        }
        guard !covered.isEmpty, let lastSSRC = lastSSRC(of: session) else { return }
        let ssrc = identifiers.ssrc(after: lastSSRC)
        let audio = AudioSession(id: identifiers.identifier(), ssrc: ssrc, calls: covered, group: group)
        sessions[session]?.audio = audio
        sessions[session]?.lastSSRC = ssrc
        effects.append(.notify(session, .didActivateAudioSession(audio)))
    }

    /// Returns the calls with the focus, and their group.
    private func focus(of session: SessionID) -> (covered: [CallUUID], group: GroupUUID?) {
        var covered: [CallUUID] = []
        var group: GroupUUID?
        for call in calls(of: session) where hasFocus(call) {
            guard let uuid = uuid(of: call) else { continue }
            if covered.isEmpty { group = self.group(of: call) }
            covered.append(uuid)
        }
        return (covered, group)
    }

    private func audio(of session: SessionID) -> AudioSession? { sessions[session]?.audio }

    private func lastSSRC(of session: SessionID) -> UInt32? { sessions[session]?.lastSSRC }

    /// Notifies the driver and the client if the route or the audio sources differ from those last sent.
    private mutating func refreshRoute(of session: SessionID) {
        let audioPeers = sessions[session]?.audio == nil ? [] : audioPeers(of: session)
        let hold = audioPeers.isEmpty ? nextHold(of: session) : nil
        let change = change(ofRouteOf: session, among: audioPeers, hold)
        if let route = change.route {
            sessions[session]?.route = route
            effects.append(.audioRouteChanged(session))
        }
        if let sources = change.sources {
            sessions[session]?.sources = sources
            effects.append(.notify(session, .audioSources(sources)))
        }
    }

    /// Returns the route and the sources if they differ from those last sent; nil: unchanged.
    private func change(
        ofRouteOf session: SessionID,
        among audioPeers: [AudioPeer],
        _ hold: Hold?
    ) -> (route: AudioRoute?, sources: [AudioSource]?) {
        guard let ssrc = ssrc(of: session) else {
            let wasOpen = sessions[session]?.route.ssrc != nil
            return (wasOpen ? .closed : nil, sessions[session]?.sources.isEmpty == false ? [] : nil)
        }
        return (
            changedRoute(of: session, ssrc, among: audioPeers, hold?.source),
            changedSources(of: session, ssrc, among: audioPeers, hold)
        )
    }

    private func changedRoute(
        of session: SessionID,
        _ ssrc: UInt32,
        among audioPeers: [AudioPeer],
        _ holdSource: HoldSource?
    ) -> AudioRoute? {
        if audioPeers.count == 1, case .session(let listener, _) = audioPeers[0].party, !isMuted(audioPeers[0].call),
            isOnlyListener(session, to: listener, ssrc)
        {
            return nil
        }
        var route = route(of: session, ssrc, among: audioPeers)
        route.holdSource = holdSource
        return sessions[session]?.route == route ? nil : route
    }

    /// Indicates that the route last sent has one listener only: the usual case, checked without building a route.
    private func isOnlyListener(_ session: SessionID, to listener: SessionID, _ ssrc: UInt32) -> Bool {
        guard let notified = sessions[session]?.route else { return false }
        return notified.gateReason == nil && notified.ssrc == ssrc && notified.playedSources.isEmpty
            && notified.holdSource == nil && notified.sinks.count == 1 && notified.sinks[0] == listener
    }

    /// The SSRC that a device sends with; nil while its audio session is not active.
    private func ssrc(of session: SessionID) -> UInt32? { sessions[session]?.audio?.ssrc }

    /// Computes the route of a sender with an active audio session: the gate (protocol.md, Audio).
    private func route(of session: SessionID, _ ssrc: UInt32, among audioPeers: [AudioPeer]) -> AudioRoute {
        var route = AudioRoute(gateReason: .notConnected, ssrc: ssrc, sinks: [], playedSources: [], holdSource: nil)
        for audioPeer in audioPeers {
            let sink: SessionID
            switch audioPeer.party {
            case .session(let listener, _): sink = listener
            case .builtIn(let source) where source.party == .echo: sink = session
            case .builtIn(let source):
                if !route.playedSources.contains(source) { route.playedSources.append(source) }
                continue
            }
            if !isMuted(audioPeer.call), !route.sinks.contains(sink) { route.sinks.append(sink) }
        }
        if audioPeers.isEmpty {
            for call in calls(of: session) where isConnectedHere(call) { route.gateReason = .held }
        } else {
            route.gateReason = audioPeers.allSatisfy { isMuted($0.call) } ? .muted : nil
        }
        return route
    }

    /// Returns the sources that a device receives, if they differ from those last sent.
    ///
    /// They depend on audio sessions and hold, not on mute, which is not disclosed to the other parties.
    private func changedSources(
        of session: SessionID,
        _ own: UInt32,
        among audioPeers: [AudioPeer],
        _ hold: Hold?
    ) -> [AudioSource]? {
        guard let notified = sessions[session]?.sources else { return nil }
        if let hold, let source = source(hold) { return notified == [source] ? nil : [source] }
        var isUnchanged = notified.count == audioPeers.count
        for (place, audioPeer) in audioPeers.enumerated() where isUnchanged {
            isUnchanged = source(audioPeer, own) == notified[place]
        }
        if isUnchanged { return nil }
        var sources: [AudioSource] = []
        for audioPeer in audioPeers {
            guard let source = source(audioPeer, own), !sources.contains(where: { $0.ssrc == source.ssrc }) else {
                continue
            }
            sources.append(source)
        }
        return sources == notified ? nil : sources
    }

    private func source(_ audioPeer: AudioPeer, _ own: UInt32) -> AudioSource? {
        guard let uuid = uuid(of: audioPeer.call), let describedCall = calls[audioPeer.describedCall] else {
            return nil
        }
        let ssrc =
            switch audioPeer.party {
            case .session(_, let ssrc): ssrc
            case .builtIn(let source): source.party == .echo ? own : source.ssrc
            }
        // The name that the group's owner has for a third party is not disclosed to the group's members.
        let isOwn = audioPeer.describedCall == audioPeer.call
        if !isOwn, isHiddenInGroups(oppositeTo: audioPeer.describedCall) {
            return AudioSource(ssrc: ssrc, callUUID: uuid, handle: CallParticipant.hidden.handle, name: "")
        }
        let given = describedCall.overridingName ?? describedCall.guestName
        let name = isOwn ? describedCall.shownName : given ?? describedCall.remoteHandle.value
        return AudioSource(ssrc: ssrc, callUUID: uuid, handle: describedCall.remoteHandle, name: name)
    }

    func isMuted(_ call: CallID) -> Bool { calls[call]?.isMuted == true }

    /// Indicates that a call has the focus, is connected, and its audio goes through the hub.
    private func isConnectedHere(_ call: CallID) -> Bool {
        guard let state = state(of: call), state.hasFocus, state.isConnected, let conversation = conversation(of: call)
        else { return false }
        return conversations[conversation]?.isExternal == false
    }
}
