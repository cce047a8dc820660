import HubEngine

/// The permitted audio between devices (protocol.md 6), derived independently from the clients' notifications.
extension World {
    /// The audio that a device should receive, and the destinations of its own.
    private struct Sound {
        var sinks: Set<SessionID> = []
        var parties: Set<BuiltInParty> = []
        /// Each permitted SSRC, with the device's own calls on which it may be received.
        var sources: [UInt32: Set<CallUUID>] = [:]
    }

    mutating func checkAudio(of seat: Seat, on device: Int) {
        let name = shape.devices[device].name
        let route = engine.audioRoute(of: seat.session)
        if route != seat.route { fail("a route changes with an effect only", name) }
        if seat.told.focused.isEmpty != (seat.told.audio == nil) {
            fail("the audio session is on while a call has the attention", name)
        }
        guard let audio = seat.told.audio else {
            if route != .closed { fail("without an audio session the route is closed", name) }
            if !seat.told.sources.isEmpty { fail("without an audio session nothing is heard", name) }
            return
        }
        if route.ssrc != audio.ssrc { fail("the route has the audio session's SSRC", name) }
        if Set(route.sinks).count != route.sinks.count { fail("no packet is passed on twice", name) }
        let sound = sound(of: seat, on: device)
        if sound.sources.count > seat.told.focused.count { tally.note(.thirdPartyHeard) }
        if sound.sinks.contains(seat.session), sound.sinks.count > 1 { tally.note(.echoInGroup) }
        if Set(route.sinks) != sound.sinks {
            fail("packets go to whom they may and to nobody else", "\(name): \(route), expected \(sound.sinks)")
        }
        if route.obstacle != nil, !route.sinks.isEmpty { fail("a shut gate lets nothing through", name) }
        if Set(route.plays.map(\.party)) != sound.parties {
            fail("a built-in party plays to whom it may", "\(name): \(route.plays), expected \(sound.parties)")
        }
        checkSources(of: seat, on: device, route: route, sound: sound)
    }

    private mutating func checkSources(of seat: Seat, on device: Int, route: AudioRoute, sound: Sound) {
        let name = shape.devices[device].name
        var expected = Set(sound.sources.keys)
        for played in route.plays { expected.insert(played.ssrc) }
        let told = seat.told.sources
        if Set(told.map(\.ssrc)) != expected {
            fail("audio.sources has who may be heard", "\(name): \(told), expected \(sound.sources), \(route.plays)")
        }
        for source in told {
            if let calls = sound.sources[source.ssrc], !calls.contains(source.callUUID) {
                fail("a source is heard on a call of its own", name)
            }
            if seat.told.call(source.callUUID) == nil { fail("a source is heard on a living call", name) }
        }
    }

    private func sound(of seat: Seat, on device: Int) -> Sound {
        var sound = Sound()
        for call in seat.told.focused {
            if let party = openBuiltIn(call, on: device) {
                include(party, of: seat, call, in: &sound)
                continue
            }
            guard let (host, far) = openOther(of: call, on: device), let hostSeat = seats[host.device] else { continue }
            hear(hostSeat, on: call, in: &sound)
            if !call.isMuted { sound.sinks.insert(hostSeat.session) }
            // One hop: the other calls of the other end's group.
            for member in hostSeat.told.focused where member.uuid != far.uuid {
                if let party = openBuiltIn(member, on: host.device) {
                    include(party, of: seat, call, in: &sound)
                } else if let (other, _) = openOther(of: member, on: host.device), other.device != device,
                    let otherSeat = seats[other.device]
                {
                    hear(otherSeat, on: call, in: &sound)
                    if !call.isMuted { sound.sinks.insert(otherSeat.session) }
                }
            }
        }
        return sound
    }

    private func hear(_ other: Seat, on call: CallSnapshot, in sound: inout Sound) {
        guard let ssrc = other.told.audio?.ssrc else { return }
        sound.sources[ssrc, default: []].insert(call.uuid)
    }

    private func include(_ party: BuiltInParty, of seat: Seat, _ call: CallSnapshot, in sound: inout Sound) {
        guard party == .echo else {
            sound.parties.insert(party)
            return
        }
        hear(seat, on: call, in: &sound)
        if !call.isMuted { sound.sinks.insert(seat.session) }
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
            let other = seats[leg.device]?.told.call(leg.uuid), other.state == .connected,
            seats[leg.device]?.told.audio != nil
        else { return nil }
        return (leg, other)
    }
}
