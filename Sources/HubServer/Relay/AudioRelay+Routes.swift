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
        state.pointee.legOfConnection[Int(connection.slot)] = session.index
        // A client that comes back is not late for what it could not send meanwhile.
        leg.pointee.pace = Pace()
    }

    /// A session's connection is lost; its route stays.
    func detach(_ session: SessionID) {
        guard let leg = leg(session), leg.pointee.connection != .none else { return }
        state.pointee.legOfConnection[Int(leg.pointee.connection.slot)] = .max
        leg.pointee.connection = .none
    }

    /// A session is over.
    func close(_ session: SessionID) {
        guard let leg = leg(session) else { return }
        setRoute(.closed, of: session)
        detach(session)
        leg.pointee.isInUse = false
    }

    /// Takes over the engine's route, and forgets what waits for those who hear this session no more.
    func setRoute(_ route: AudioRoute, of session: SessionID) {
        guard let leg = leg(session) else { return }
        for index in 0..<leg.pointee.sinkCount {
            let former = leg.pointee.sink(index)
            if !route.sinks.contains(where: { $0.index == former }) { dropQueue(of: former) }
        }
        let isNewActivation = route.ssrc != (leg.pointee.isActive ? leg.pointee.ssrc : nil)
        if isNewActivation {
            dropQueue(of: session.index)
            leg.pointee.reception = ReceptionStatistics()
            leg.pointee.pace = Pace()
        }
        state.pointee.activeLegs += (route.ssrc != nil ? 1 : 0) - (leg.pointee.isActive ? 1 : 0)
        leg.pointee.isActive = route.ssrc != nil
        leg.pointee.ssrc = route.ssrc ?? 0
        leg.pointee.obstacle = route.obstacle.map(DropReason.init)
        setPlays(route.plays, of: leg)
        setSinks(route.sinks, of: leg)
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
        for index in 0..<leg.pointee.sinkCount { noteSource(-1, of: leg.pointee.sink(index)) }
        for sink in sinks { noteSource(1, of: sink.index) }
        leg.pointee.moreSinks?.deallocate()
        leg.pointee.moreSinks = nil
        leg.pointee.sinkCount = sinks.count
        leg.pointee.sink = sinks.first?.index ?? 0
        guard sinks.count > 1 else { return }
        let more = UnsafeMutablePointer<UInt32>.allocate(capacity: sinks.count)
        for (index, sink) in sinks.enumerated() { (more + index).initialize(to: sink.index) }
        leg.pointee.moreSinks = more
    }

    private func noteSource(_ change: Int, of session: UInt32) {
        guard Int(session) < state.pointee.capacity else { return }
        let leg = state.pointee.legs + Int(session)
        leg.pointee.sourceCount = max(0, leg.pointee.sourceCount + change)
    }

    private func dropQueue(of session: UInt32) {
        let connection = state.pointee.legs[Int(session)].connection
        if connection != .none { outlet.dropQueuedAudio(of: connection) }
    }
}
