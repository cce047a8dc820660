import HubEngine
import HubMedia
import HubWire

/// Where the relay hands its packets to: the sockets, or a test's notebook.
protocol AudioOutlet {
    /// Sends a packet at once or keeps a copy; the bytes in front of it may be written over.
    func sendAudio(_ packet: UnsafeMutableRawBufferPointer, to id: ConnectionID) -> AudioSendResult
    /// Forgets what waits for a connection: it was meant for a call that it hears no more.
    func dropQueuedAudio(of id: ConnectionID)
}

/// Passes packets on: checks each one, looks its route up in flat memory, and hands it to every listener unchanged.
///
/// The routes are the engine's; the relay only copies them (`setRoute`). A view of memory that `deallocate()` frees: copying the
/// struct copies the view, and calling it costs no reference count. Everything is for the loop's thread.
struct AudioRelay<Outlet: AudioOutlet> {
    private let state: UnsafeMutablePointer<RelayState>
    let outlet: Outlet

    /// A relay without sessions.
    ///
    /// - Parameters:
    ///   - connections: how many connection slots there are.
    ///   - outlet: where packets go.
    init(connections: Int, outlet: Outlet) {
        self.outlet = outlet
        state = .allocate(capacity: 1)
        state.initialize(to: RelayState(connections: connections))
    }

    /// Frees the memory.
    func deallocate() {
        state.pointee.deallocate()
        state.deallocate()
    }

    /// Packets passed on, counted once for each listener.
    var relayed: UInt64 { state.pointee.relayed }

    /// Packets received, good and bad.
    var received: UInt64 { state.pointee.received }

    /// Packets not passed on for a reason.
    func dropped(_ reason: DropReason) -> UInt64 { state.pointee.drops[Int(reason.rawValue)] }

    /// Counts a packet that did not get as far as the relay.
    func countDrop(_ reason: DropReason, _ count: Int = 1) {
        state.pointee.drops[Int(reason.rawValue)] &+= UInt64(count)
    }

    // MARK: The packet path

    /// Takes a packet that came on a connection.
    ///
    /// - Parameters:
    ///   - packet: a whole binary message; the bytes in front of it may be written over (`AudioOutlet.sendAudio`).
    ///   - connection: where it came on.
    ///   - now: nanoseconds of the hub's clock.
    func receive(_ packet: UnsafeMutableRawBufferPointer, from connection: ConnectionID, at now: Instant) {
        state.pointee.received &+= 1
        guard let leg = leg(of: connection) else { return countDrop(.noSession) }
        if packet.count > 1, RTPPacket.isRTCP(secondByte: packet[1]) {
            return receiveReport(UnsafeRawBufferPointer(packet), of: leg, at: now)
        }
        if let reason = admit(UnsafeRawBufferPointer(packet), to: leg, at: now) { return countDrop(reason) }
        for index in 0..<leg.pointee.sinkCount { pass(packet, to: leg.pointee.sink(index)) }
    }

    /// Checks a packet in the order: its form, its session, its pace, the gate. Nil: pass it on.
    private func admit(
        _ packet: UnsafeRawBufferPointer,
        to leg: UnsafeMutablePointer<RelayLeg>,
        at now: Instant
    ) -> DropReason? {
        guard let header = try? RTPPacket(parsing: packet.bindMemory(to: UInt8.self).span),
            header.payloadType == 111, !header.hasPadding, header.contributingSourceCount == 0,
            let samples = OpusPacket.durationInSamples(of: UnsafeRawBufferPointer(rebasing: packet[header.payloadRange])),
            samples == 960 || samples == 480 || samples == 1920 || samples == 2880
        else { return .malformed }
        guard leg.pointee.isActive else { return .noSession }
        guard header.ssrc == leg.pointee.ssrc else { return .staleSession }
        leg.pointee.reception.received(sequenceNumber: header.sequenceNumber, timestamp: header.timestamp, at: now)
        let duration = Int64(samples) &* 1_000_000 / 48
        switch leg.pointee.pace.judge(timestamp: header.timestamp, duration: duration, at: now.nanoseconds) {
        case .onTime: return leg.pointee.obstacle
        case .late: return .late
        case .tooFast: return .tooFast
        }
    }

    private func pass(_ packet: UnsafeMutableRawBufferPointer, to session: UInt32) {
        let listener = state.pointee.legs[Int(session)]
        guard listener.connection != .none else { return countDrop(.listenerLost) }
        let result = outlet.sendAudio(packet, to: listener.connection)
        if result.dropped > 0 { countDrop(.slowConsumer, result.dropped) }
        switch result.outcome {
        case .sent, .queued: state.pointee.relayed &+= 1
        case .dropped: break
        case .gone: countDrop(.listenerLost)
        }
    }

    private func receiveReport(
        _ packet: UnsafeRawBufferPointer,
        of leg: UnsafeMutablePointer<RelayLeg>,
        at now: Instant
    ) {
        guard let reports = try? RTCPReports(parsing: packet.bindMemory(to: UInt8.self).span) else {
            return countDrop(.malformed)
        }
        if let sender = reports.sender, leg.pointee.isActive, sender.ssrc == leg.pointee.ssrc {
            leg.pointee.reception.received(sender, at: now)
        }
    }

    // MARK: What the control plane sets

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
        leg.pointee.isActive = route.ssrc != nil
        leg.pointee.ssrc = route.ssrc ?? 0
        leg.pointee.obstacle = route.obstacle.map(DropReason.init)
        if leg.pointee.playsSSRC != route.plays?.ssrc { leg.pointee.playsSequence = 0 }
        leg.pointee.plays = route.plays?.party
        leg.pointee.playsSSRC = route.plays?.ssrc ?? 0
        setSinks(route.sinks, of: leg)
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

    // MARK: Finding

    private func leg(_ session: SessionID) -> UnsafeMutablePointer<RelayLeg>? {
        guard Int(session.index) < state.pointee.capacity else { return nil }
        let leg = state.pointee.legs + Int(session.index)
        return leg.pointee.isInUse && leg.pointee.generation == session.generation ? leg : nil
    }

    private func leg(of connection: ConnectionID) -> UnsafeMutablePointer<RelayLeg>? {
        guard Int(connection.slot) < state.pointee.connections else { return nil }
        let index = state.pointee.legOfConnection[Int(connection.slot)]
        guard index != .max else { return nil }
        let leg = state.pointee.legs + Int(index)
        return leg.pointee.connection == connection ? leg : nil
    }

    /// Runs through the sessions whose audio is active.
    func forEachActiveLeg(_ body: (UnsafeMutablePointer<RelayLeg>, Int) -> Void) {
        for index in 0..<state.pointee.capacity {
            let leg = state.pointee.legs + index
            if leg.pointee.isInUse, leg.pointee.isActive, leg.pointee.connection != .none { body(leg, index) }
        }
    }
}

/// The relay's memory.
private struct RelayState {
    var legs: UnsafeMutablePointer<RelayLeg>
    var capacity = 0
    let legOfConnection: UnsafeMutablePointer<UInt32>
    let connections: Int
    let drops: UnsafeMutablePointer<UInt64>
    var received: UInt64 = 0
    var relayed: UInt64 = 0

    init(connections: Int) {
        self.connections = connections
        legs = .allocate(capacity: 0)
        legOfConnection = .allocate(capacity: connections)
        legOfConnection.initialize(repeating: .max, count: connections)
        drops = .allocate(capacity: DropReason.allCases.count)
        drops.initialize(repeating: 0, count: DropReason.allCases.count)
    }

    /// Grows the table so that a session slot is in it; sessions outlive connections, so there may be more of them.
    mutating func makeRoom(for index: UInt32) {
        guard Int(index) >= capacity else { return }
        let room = max(64, 2 * (Int(index) + 1))
        let larger = UnsafeMutablePointer<RelayLeg>.allocate(capacity: room)
        larger.moveInitialize(from: legs, count: capacity)
        (larger + capacity).initialize(repeating: RelayLeg(), count: room - capacity)
        legs.deallocate()
        legs = larger
        capacity = room
    }

    func deallocate() {
        for index in 0..<capacity { legs[index].moreSinks?.deallocate() }
        legs.deallocate()
        legOfConnection.deallocate()
        drops.deallocate()
    }
}
