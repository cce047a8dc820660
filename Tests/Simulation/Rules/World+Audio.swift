import HubEngine

/// The permitted audio between devices (protocol.md, Audio), derived independently from the clients' notifications.
extension World {
    /// The audio that a device should receive, and the destinations of its own.
    private struct ExpectedAudio {
        var sinks: Set<SessionID> = []
        var parties: Set<BuiltInParty> = []
        /// Each permitted SSRC, with the device's own calls on which it may be received.
        var sources: [UInt32: Set<CallUUID>] = [:]
    }

    mutating func checkAudio(of hubSession: HubSession, on device: Int) {
        let name = shape.devices[device].name
        let route = engine.audioRoute(of: hubSession.session)
        if route != hubSession.route { fail("a route changes with an effect only", name) }
        if hubSession.notified.focused.isEmpty != (hubSession.notified.audio == nil) {
            fail("the audio session is active while a call has the focus", name)
        }
        guard let audio = hubSession.notified.audio else {
            if route != .closed { fail("without an audio session the route is closed", name) }
            if !hubSession.notified.sources.isEmpty { fail("without an audio session there are no sources", name) }
            return
        }
        if route.ssrc != audio.ssrc { fail("the route has the audio session's SSRC", name) }
        if Set(route.sinks).count != route.sinks.count { fail("no packet is forwarded twice", name) }
        let sound = sound(of: hubSession, on: device)
        if sound.sources.count > hubSession.notified.focused.count { coverage.note(.thirdPartyHeard) }
        if sound.sinks.contains(hubSession.session), sound.sinks.count > 1 { coverage.note(.echoInGroup) }
        if Set(route.sinks) != sound.sinks {
            fail("packets go to the permitted receivers only", "\(name): \(route), expected \(sound.sinks)")
        }
        if route.gateReason != nil, !route.sinks.isEmpty { fail("a closed gate has no receivers", name) }
        if Set(route.playedSources.map(\.party)) != sound.parties {
            fail("a built-in party plays if permitted", "\(name): \(route.playedSources), expected \(sound.parties)")
        }
        let isAlone = sound.sources.isEmpty && sound.parties.isEmpty
        checkHoldAudio(of: hubSession, on: device, route: route, isAlone: isAlone)
        checkSources(of: hubSession, on: device, route: route, sound: sound)
    }

    /// Checks that a held device receives its holder's hold audio exactly while it receives nobody (rule CH-09).
    private mutating func checkHoldAudio(
        of hubSession: HubSession,
        on device: Int,
        route: AudioRoute,
        isAlone: Bool
    ) {
        let holders = isAlone ? hubSession.notified.focused.compactMap { holder(of: $0, on: device) } : []
        let isRight = route.holdSource.map { source in
            holders.contains { $0.account == source.account && $0.audio == source.audio }
        }
        if !(isRight ?? holders.isEmpty) {
            let name = shape.devices[device].name
            fail("hold audio plays to the held, and to nobody else", "\(name): \(route), expected \(holders)")
        }
        let shown = hubSession.notified.sources.filter(\.isHoldAudio).map(\.ssrc)
        if shown != (route.holdSource.map { [$0.ssrc] } ?? []) {
            fail("hold audio is shown as such", "\(shape.devices[device].name): \(hubSession.notified.sources)")
        }
        if route.holdSource != nil { coverage.note(.holdAudio) }
    }

    /// Returns the account that holds a connected call of a device, if its held parties receive anything.
    private func holder(of call: CallSnapshot, on device: Int) -> (account: String, audio: HoldAudio)? {
        guard call.state == .connected, let leg = conversations.others(than: call.uuid, on: device).first,
            hubSessions[leg.device]?.notified.call(leg.uuid)?.state == .held
        else { return nil }
        let account = shape.devices[leg.device].account
        let audio = screeningData.holdAudio(of: account)
        return audio == .silence ? nil : (shape.accounts[account], audio)
    }

    private mutating func checkSources(
        of hubSession: HubSession,
        on device: Int,
        route: AudioRoute,
        sound: ExpectedAudio
    ) {
        let name = shape.devices[device].name
        var expected = Set(sound.sources.keys)
        for played in route.playedSources { expected.insert(played.ssrc) }
        if let hold = route.holdSource { expected.insert(hold.ssrc) }
        let notified = hubSession.notified.sources
        if Set(notified.map(\.ssrc)) != expected {
            fail(
                "audio.sources has the permitted sources",
                "\(name): \(notified), expected \(sound.sources), \(route.playedSources)"
            )
        }
        for source in notified {
            if let calls = sound.sources[source.ssrc], !calls.contains(source.callUUID) {
                fail("a source is on a call of the receiver", name)
            }
            if hubSession.notified.call(source.callUUID) == nil { fail("a source is on a live call", name) }
        }
    }

    private func sound(of hubSession: HubSession, on device: Int) -> ExpectedAudio {
        var sound = ExpectedAudio()
        for call in hubSession.notified.focused {
            if let party = openBuiltIn(call, on: device) {
                include(party, of: hubSession, call, in: &sound)
                continue
            }
            guard let (host, far) = openOther(of: call, on: device), let hostSeat = hubSessions[host.device] else {
                continue
            }
            addExpectedAudio(hostSeat, on: call, in: &sound)
            if !call.isMuted { sound.sinks.insert(hostSeat.session) }
            // One hop: the other calls of the other end's group.
            for member in hostSeat.notified.focused where member.uuid != far.uuid {
                if let party = openBuiltIn(member, on: host.device) {
                    include(party, of: hubSession, call, in: &sound)
                } else if let (other, _) = openOther(of: member, on: host.device), other.device != device,
                    let otherSeat = hubSessions[other.device]
                {
                    addExpectedAudio(otherSeat, on: call, in: &sound)
                    if !call.isMuted { sound.sinks.insert(otherSeat.session) }
                }
            }
        }
        return sound
    }

    private func addExpectedAudio(_ other: HubSession, on call: CallSnapshot, in sound: inout ExpectedAudio) {
        guard let ssrc = other.notified.audio?.ssrc else { return }
        sound.sources[ssrc, default: []].insert(call.uuid)
    }

    private func include(
        _ party: BuiltInParty,
        of hubSession: HubSession,
        _ call: CallSnapshot,
        in sound: inout ExpectedAudio
    ) {
        guard party == .echo else {
            sound.parties.insert(party)
            return
        }
        addExpectedAudio(hubSession, on: call, in: &sound)
        if !call.isMuted { sound.sinks.insert(hubSession.session) }
    }

    /// Returns the built-in party at the other end of a connected call that is not held.
    private func openBuiltIn(_ call: CallSnapshot, on device: Int) -> BuiltInParty? {
        call.state == .connected ? conversations.builtIn(of: call.uuid, on: device) : nil
    }

    /// Returns the other end of a call that neither end holds and both audio sessions cover.
    private func openOther(
        of call: CallSnapshot,
        on device: Int
    ) -> (leg: Conversations.Leg, call: CallSnapshot)? {
        guard call.state == .connected, let leg = conversations.others(than: call.uuid, on: device).first,
            let other = hubSessions[leg.device]?.notified.call(leg.uuid), other.state == .connected,
            hubSessions[leg.device]?.notified.audio != nil
        else { return nil }
        return (leg, other)
    }
}
