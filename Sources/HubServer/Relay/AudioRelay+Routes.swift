import HubEngine
import HubWire

/// What the control plane tells the relay: sessions, their connections, their routes.
extension AudioRelay {
    /// A session begins, on a connection.
    func open(_ session: SessionID, on connection: ConnectionID) {
        state.pointee.makeRoom(for: session.index)
        let leg = state.pointee.legs + Int(session.index)
        leg.pointee = RelayLeg()
        leg.pointee.generation = session.generation
        leg.pointee.isInUse = true
        attach(session, to: connection)
    }

    /// A session has another connection from now on.
    func attach(_ session: SessionID, to connection: ConnectionID) {
        guard let leg = leg(session) else { return }
        detach(session)
        leg.pointee.connection = connection
        linkBegan(of: leg)
        state.pointee.legOfConnection[Int(connection.slot)] = session.index
        // A client that comes back is not late for what it could not send meanwhile.
        leg.pointee.pace = Pace()
    }

    /// A session's connection is lost; its route stays.
    func detach(_ session: SessionID) {
        guard let leg = leg(session), leg.pointee.connection != .none else { return }
        noteLink(of: leg)
        state.pointee.legOfConnection[Int(leg.pointee.connection.slot)] = .max
        leg.pointee.connection = .none
    }

    /// A session is over.
    ///
    /// - Returns: See `setRoute`.
    func close(_ session: SessionID, at now: Instant) -> LegQuality? {
        guard let leg = leg(session) else { return nil }
        let quality = setRoute(.closed, of: session, at: now)
        detach(session)
        leg.pointee.isInUse = false
        return quality
    }

    /// Takes over the engine's route, and forgets what waits for those who hear this session no more.
    ///
    /// - Returns: What became of the packets of the activation that ends by it; nil: none does.
    @discardableResult
    func setRoute(_ route: AudioRoute, of session: SessionID, at now: Instant) -> LegQuality? {
        guard let leg = leg(session) else { return nil }
        var ended: LegQuality?
        for index in 0..<leg.pointee.sinkCount {
            let former = leg.pointee.sink(index)
            if !route.sinks.contains(where: { $0.index == former }) { dropQueue(of: former) }
        }
        let isNewActivation = route.ssrc != (leg.pointee.isActive ? leg.pointee.ssrc : nil)
        if isNewActivation, leg.pointee.isActive { ended = takeQuality(of: leg, at: now) }
        if isNewActivation {
            dropQueue(of: session.index)
            leg.pointee.reception = ReceptionStatistics()
            leg.pointee.pace = Pace()
            leg.pointee.quality = LegQuality(session: session, ssrc: route.ssrc ?? 0)
            linkBegan(of: leg)
        }
        state.pointee.activeLegs += (route.ssrc != nil ? 1 : 0) - (leg.pointee.isActive ? 1 : 0)
        leg.pointee.isActive = route.ssrc != nil
        leg.pointee.ssrc = route.ssrc ?? 0
        let obstacle = route.obstacle.map(DropReason.init)
        if obstacle != leg.pointee.obstacle { leg.pointee.quality.gateMoved() }
        leg.pointee.obstacle = obstacle
        setPlays(route.plays, of: leg)
        setSinks(route.sinks, of: leg)
        return ended
    }

    /// What became of the packets so far of an activation that goes on; nil: there is none.
    func quality(of session: SessionID, at now: Instant) -> LegQuality? {
        guard let leg = leg(session), leg.pointee.isActive else { return nil }
        var quality = takeQuality(of: leg, at: now)
        quality.isInterim = true
        return quality
    }

    private func takeQuality(of leg: UnsafeMutablePointer<RelayLeg>, at now: Instant) -> LegQuality {
        noteLink(of: leg)
        var quality = leg.pointee.quality
        quality.ended(at: now.nanoseconds, lost: leg.pointee.reception.lost)
        return quality
    }

    /// What the connection has sent again until now is of no interest.
    private func linkBegan(of leg: UnsafeMutablePointer<RelayLeg>) {
        let link = outlet.takeLinkState(of: leg.pointee.connection)
        leg.pointee.quality.linkBegan(link)
        countDrop(.slowConsumer, Int(link?.dropped ?? 0))
    }

    /// Takes over what the connection has to tell; the packets it has dropped since the last send are counted by it.
    private func noteLink(of leg: UnsafeMutablePointer<RelayLeg>) {
        guard let link = outlet.takeLinkState(of: leg.pointee.connection) else { return }
        if leg.pointee.isActive { leg.pointee.quality.note(link) }
        countDrop(.slowConsumer, Int(link.dropped))
    }

    /// A party that was heard before goes on counting its packets.
    private func setPlays(_ sources: [BuiltInSource], of leg: UnsafeMutablePointer<RelayLeg>) {
        let former = UnsafeMutableBufferPointer(start: leg.pointee.plays, count: leg.pointee.playCount)
        guard !former.elementsEqual(sources, by: { $0.source == $1 }) else { return }
        defer { former.baseAddress?.deallocate() }
        leg.pointee.playCount = sources.count
        leg.pointee.plays = nil
        guard !sources.isEmpty else { return }
        let plays = UnsafeMutablePointer<PlayedSource>.allocate(capacity: sources.count)
        for (index, source) in sources.enumerated() {
            let known = former.first { $0.source == source }
            (plays + index).initialize(to: known ?? PlayedSource(source: source))
        }
        leg.pointee.plays = plays
    }

    private func setSinks(_ sinks: [SessionID], of leg: UnsafeMutablePointer<RelayLeg>) {
        leg.pointee.moreSinks?.deallocate()
        leg.pointee.moreSinks = nil
        leg.pointee.sinkCount = sinks.count
        leg.pointee.sink = sinks.first?.index ?? 0
        guard sinks.count > 1 else { return }
        let more = UnsafeMutablePointer<UInt32>.allocate(capacity: sinks.count)
        for (index, sink) in sinks.enumerated() { (more + index).initialize(to: sink.index) }
        leg.pointee.moreSinks = more
    }

    private func dropQueue(of session: UInt32) {
        let connection = state.pointee.legs[Int(session)].connection
        if connection != .none { outlet.dropQueuedAudio(of: connection) }
    }
}
