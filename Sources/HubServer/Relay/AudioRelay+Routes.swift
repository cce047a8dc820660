package import HubEngine
import HubWire

/// Commands of the control plane to the relay: sessions, their connections, their routes.
extension AudioRelay {
    /// Executes a command.
    ///
    /// - Returns: The packet statistics of an activation that the command ends or queries; nil: none.
    package func apply(_ command: RelayCommand, at now: Instant) -> LegQuality? {
        switch command {
        case .open(let session, let connection, let reportsDrops):
            open(session, on: connection, reportsDrops: reportsDrops, at: now)
        case .attach(let session, let connection): attach(session, to: connection)
        case .detach(let session): detach(session)
        case .close(let session): return close(session, at: now)
        case .setRoute(let route, let sinks, let hold, let session):
            return setRoute(route, sinks, hold, of: session, at: now)
        case .setMix(let listeners, let session):
            leg(session)?.pointee.mixedListeners = OwnedBuffer(listeners)
        case .allowSource(let ssrc, let session): allowSource(ssrc, by: session)
        case .denySource(let ssrc, let session, let keepsQueue):
            denySource(ssrc, by: session, keepsQueue: keepsQueue)
        case .reportQuality(let session): return quality(of: session, at: now)
        }
        return nil
    }

    /// Adds a session, on a connection.
    private func open(_ session: SessionID, on connection: ConnectionID, reportsDrops: Bool, at now: Instant) {
        state.pointee.makeRoom(for: session.index)
        let leg = state.pointee.legs + Int(session.index)
        leg.pointee = RelayLeg()
        leg.pointee.generation = session.generation
        leg.pointee.isInUse = true
        leg.pointee.reportsDrops = reportsDrops
        leg.pointee.dropsReportedAt = now.nanoseconds
        if reportsDrops { state.pointee.dropReportingLegs += 1 }
        attach(session, to: connection)
    }

    /// Gives a session another connection.
    private func attach(_ session: SessionID, to connection: ConnectionID) {
        guard let leg = leg(session), Int(connection.slot) < state.pointee.connections else { return }
        detach(session)
        leg.pointee.connection = connection
        resetRetransmissionBase(of: leg)
        state.pointee.legOfConnection[Int(connection.slot)] = session.index
        // Packets that a client could not send while it was disconnected must not make it late.
        leg.pointee.policer = StreamPolicer()
    }

    /// Notes that a session's connection is lost; its route stays.
    private func detach(_ session: SessionID) {
        guard let leg = leg(session), leg.pointee.connection != .none else { return }
        addPathStatistics(of: leg)
        let slot = Int(leg.pointee.connection.slot)
        if state.pointee.legOfConnection[slot] == session.index { state.pointee.legOfConnection[slot] = .max }
        leg.pointee.connection = .none
    }

    /// Removes a session.
    ///
    /// - Returns: The packet statistics of this loop if the audio session was active; it continues on another loop.
    private func close(_ session: SessionID, at now: Instant) -> LegQuality? {
        guard let leg = leg(session) else { return nil }
        var quality = setRoute(.closed, [], nil, of: session, at: now)
        quality?.coverage = .moved
        detach(session)
        leg.pointee.allowedSources = OwnedBuffer()
        leg.pointee.isInUse = false
        if leg.pointee.reportsDrops { state.pointee.dropReportingLegs -= 1 }
        return quality
    }

    /// Sets the engine's route, and discards queued packets for listeners that no longer receive this session.
    ///
    /// - Returns: The packet statistics of the activation that ends by it; nil: none ends.
    private func setRoute(
        _ route: AudioRoute,
        _ sinks: [RelaySink],
        _ hold: HoldPlayback?,
        of session: SessionID,
        at now: Instant
    ) -> LegQuality? {
        guard let leg = leg(session) else { return nil }
        var ended: LegQuality?
        for index in 0..<leg.pointee.sinkCount {
            let former = leg.pointee.sink(index)
            guard former.loop == crossLoopLink.loop, !sinks.contains(former),
                !leg.pointee.isMixed(for: former.session)
            else { continue }
            dropQueue(of: former.session.index, from: leg.pointee.ssrc)
        }
        let isNewActivation = route.ssrc != (leg.pointee.isActive ? leg.pointee.ssrc : nil)
        if isNewActivation, leg.pointee.isActive {
            ended = takeQuality(of: leg, at: now)
            ended?.lastDrops = takeLastDrops(of: leg, at: now)
        }
        if isNewActivation {
            // Counters wrap around: packets dropped before the activation are reported together with those of it.
            let early = leg.pointee.isActive ? PacketDrops() : leg.pointee.quality.drops
            leg.pointee.reportedDrops = PacketDrops() - early
            dropQueue(of: session.index, from: nil)
            leg.pointee.reception = ReceptionStatistics()
            leg.pointee.policer = StreamPolicer()
            leg.pointee.quality = LegQuality(session: session, ssrc: route.ssrc ?? 0)
            // Takes a system call, so only if an activation begins.
            if route.ssrc != nil { resetRetransmissionBase(of: leg) }
        }
        state.pointee.activeLegs += (route.ssrc != nil ? 1 : 0) - (leg.pointee.isActive ? 1 : 0)
        leg.pointee.isActive = route.ssrc != nil
        leg.pointee.ssrc = route.ssrc ?? 0
        let gateReason = route.gateReason.map(DropReason.init)
        if gateReason != leg.pointee.gateReason { leg.pointee.quality.gateChanged() }
        leg.pointee.gateReason = gateReason
        setPlayedSources(route.playedSources, of: leg)
        setHold(hold, of: leg, session)
        setSinks(sinks, of: leg)
        notifyMixers(of: leg, at: now)
        return ended
    }

    /// Returns the packet statistics so far of the active audio session; nil: there is none.
    package func quality(of session: SessionID, at now: Instant) -> LegQuality? {
        guard let leg = leg(session), leg.pointee.isActive else { return nil }
        var quality = takeQuality(of: leg, at: now)
        quality.coverage = .interim
        return quality
    }

    private func takeQuality(of leg: UnsafeMutablePointer<RelayLeg>, at now: Instant) -> LegQuality {
        addPathStatistics(of: leg)
        var quality = leg.pointee.quality
        quality.ended(at: now.nanoseconds, lost: leg.pointee.reception.lost)
        return quality
    }

    /// Excludes retransmissions of the connection up to now from the statistics.
    private func resetRetransmissionBase(of leg: UnsafeMutablePointer<RelayLeg>) {
        leg.pointee.quality.resetRetransmissionBase(outlet.takePathStatistics(of: leg.pointee.connection))
    }

    /// Adds the state of the connection to the statistics.
    private func addPathStatistics(of leg: UnsafeMutablePointer<RelayLeg>) {
        guard leg.pointee.isActive, let path = outlet.takePathStatistics(of: leg.pointee.connection) else { return }
        leg.pointee.quality.add(path)
    }

    /// Sets the built-in parties; one that was played before continues its sequence numbers.
    private func setPlayedSources(_ sources: [BuiltInSource], of leg: UnsafeMutablePointer<RelayLeg>) {
        let former = leg.pointee.playedSources.elements
        guard !former.elementsEqual(sources, by: { $0.source == $1 }) else { return }
        leg.pointee.playedSources = OwnedBuffer(
            sources.map { source in former.first { $0.source == source } ?? BuiltInSourceState(source: source) }
        )
    }

    /// Sets the hold audio, and discards queued packets of one that has stopped.
    private func setHold(_ hold: HoldPlayback?, of leg: UnsafeMutablePointer<RelayLeg>, _ session: SessionID) {
        if leg.pointee.hold.isEmpty, hold == nil { return }
        var hold = hold
        if !leg.pointee.hold.isEmpty {
            let former = leg.pointee.hold[0]
            if former.ssrc == hold?.ssrc {
                hold?.hasBegun = former.hasBegun
            } else {
                dropQueue(of: session.index, from: former.ssrc)
            }
        }
        leg.pointee.hold = OwnedBuffer(hold.map { [$0] } ?? [])
    }

    private func setSinks(_ sinks: [RelaySink], of leg: UnsafeMutablePointer<RelayLeg>) {
        for index in 0..<leg.pointee.sinkCount { addToSourceCount(-1, of: leg.pointee.sink(index)) }
        for sink in sinks { addToSourceCount(1, of: sink) }
        leg.pointee.sinkCount = sinks.count
        leg.pointee.moreSinks = OwnedBuffer(sinks.count > 1 ? sinks : [])
        if let first = sinks.first { leg.pointee.sink = first }
    }

    /// Allows packets with this SSRC from another loop.
    private func allowSource(_ ssrc: UInt32, by session: SessionID) {
        guard let leg = leg(session), !leg.pointee.allowsSource(ssrc) else { return }
        setAllowedSources(leg.pointee.allowedSources.elements + [ssrc], of: leg)
    }

    /// Denies packets with this SSRC from another loop, and discards those that are queued.
    private func denySource(_ ssrc: UInt32, by session: SessionID, keepsQueue: Bool) {
        guard let leg = leg(session), leg.pointee.allowsSource(ssrc) else { return }
        setAllowedSources(leg.pointee.allowedSources.elements.filter { $0 != ssrc }, of: leg)
        if !keepsQueue { dropQueue(of: session.index, from: ssrc) }
    }

    private func setAllowedSources(_ ssrcs: [UInt32], of leg: UnsafeMutablePointer<RelayLeg>) {
        leg.pointee.sourceCount = max(0, leg.pointee.sourceCount + ssrcs.count - leg.pointee.allowedSources.count)
        leg.pointee.allowedSources = OwnedBuffer(ssrcs)
    }

    private func addToSourceCount(_ change: Int, of sink: RelaySink) {
        guard sink.loop == crossLoopLink.loop, let leg = leg(sink.session) else { return }
        leg.pointee.sourceCount = max(0, leg.pointee.sourceCount + change)
    }

    private func dropQueue(of session: UInt32, from ssrc: UInt32?) {
        let connection = state.pointee.legs[Int(session)].connection
        if connection != .none { outlet.dropQueuedAudio(of: connection, from: ssrc) }
    }
}
