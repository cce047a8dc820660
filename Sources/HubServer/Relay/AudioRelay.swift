import HubEngine
import HubMedia
import HubWire

/// Where the relay hands its packets to: the sockets, or a test's notebook.
protocol AudioOutlet {
    /// Sends a packet at once or keeps a copy; the bytes in front of it may be written over.
    func sendAudio(_ packet: UnsafeMutableRawBufferPointer, to id: ConnectionID) -> AudioSendResult
    /// Forgets what waits for a connection: it was meant for a call that it hears no more.
    func dropQueuedAudio(of id: ConnectionID)
    /// What a connection has to tell of itself since the last look; nil: it is gone.
    func takeLinkState(of id: ConnectionID) -> LinkState?
}

/// Passes packets on: checks each one, looks its route up in flat memory, and hands it to every listener unchanged.
///
/// The routes are the engine's; the relay only copies them (`setRoute`). A view of memory that `deallocate()` frees: copying the
/// struct copies the view, and calling it costs no reference count. Everything is for the loop's thread.
struct AudioRelay<Outlet: AudioOutlet> {
    let state: UnsafeMutablePointer<RelayState>
    let outlet: Outlet
    /// When the turn of the loop began that a packet is received in.
    let meter: UnsafePointer<LoadMeter>?

    /// A relay without sessions.
    ///
    /// - Parameters:
    ///   - connections: how many connection slots there are.
    ///   - outlet: where packets go.
    ///   - meter: outlives the relay; nil: the wait of packets is not known.
    init(connections: Int, outlet: Outlet, meter: UnsafePointer<LoadMeter>? = nil) {
        self.outlet = outlet
        self.meter = meter
        state = .allocate(capacity: 1)
        state.initialize(to: RelayState(connections: connections))
    }

    /// Frees the memory.
    func deallocate() {
        state.pointee.deallocate()
        state.deallocate()
    }

    /// Sessions whose audio session is active.
    var activeLegs: Int { state.pointee.activeLegs }

    /// Packets passed on, counted once for each listener.
    var relayed: UInt64 { state.pointee.relayed }

    /// Packets received, good and bad: those passed on, those dropped, and reports.
    var received: UInt64 { state.pointee.received }

    /// RTCP packets received that could be read; they go no further.
    var reports: UInt64 { state.pointee.reports }

    /// Packets not passed on for a reason.
    func dropped(_ reason: DropReason) -> UInt64 { state.pointee.drops[Int(reason.rawValue)] }

    /// Counts a packet that did not get as far as the relay.
    func countDrop(_ reason: DropReason, _ count: Int = 1) {
        state.pointee.drops[Int(reason.rawValue)] &+= UInt64(count)
    }

    /// Counts a binary message that is too large to be a packet.
    func receiveOversize(_ byteCount: Int, from connection: ConnectionID) {
        state.pointee.received &+= 1
        state.pointee.bytesReceived &+= UInt64(byteCount)
        countDrop(.tooLarge)
        leg(of: connection)?.pointee.quality.dropped(.tooLarge)
    }

    /// Takes a packet that came on a connection.
    ///
    /// - Parameters:
    ///   - packet: a whole binary message; the bytes in front of it may be written over (`AudioOutlet.sendAudio`).
    ///   - connection: where it came on.
    ///   - now: nanoseconds of the hub's clock.
    ///   - wait: nanoseconds since the loop's turn began that has found the packet.
    func receive(
        _ packet: UnsafeMutableRawBufferPointer,
        from connection: ConnectionID,
        at now: Instant,
        after wait: UInt64 = 0
    ) {
        state.pointee.received &+= 1
        state.pointee.bytesReceived &+= UInt64(packet.count)
        guard let leg = leg(of: connection) else { return countDrop(.noSession) }
        if packet.count > 1, RTPPacket.isRTCP(secondByte: packet[1]) {
            return receiveReport(UnsafeRawBufferPointer(packet), of: leg, at: now)
        }
        if let reason = admit(UnsafeRawBufferPointer(packet), to: leg, at: now) {
            leg.pointee.quality.dropped(reason)
            return countDrop(reason)
        }
        for index in 0..<leg.pointee.sinkCount { pass(packet, of: leg, to: leg.pointee.sink(index), after: wait) }
    }

    /// Checks a packet in the order: its form, its session, its pace, the gate.
    ///
    /// Nil: pass it on.
    private func admit(
        _ packet: UnsafeRawBufferPointer,
        to leg: UnsafeMutablePointer<RelayLeg>,
        at now: Instant
    ) -> DropReason? {
        guard let header = try? RTPPacket(parsing: packet.bindMemory(to: UInt8.self).span),
            header.payloadType == 111, !header.hasPadding, header.contributingSourceCount == 0,
            let samples = OpusPacket.durationInSamples(
                of: UnsafeRawBufferPointer(rebasing: packet[header.payloadRange])
            ),
            samples == 960 || samples == 480 || samples == 1920 || samples == 2880
        else { return .malformed }
        guard leg.pointee.isActive else { return .noSession }
        guard header.ssrc == leg.pointee.ssrc else { return .staleSession }
        leg.pointee.reception.received(sequenceNumber: header.sequenceNumber, timestamp: header.timestamp, at: now)
        leg.pointee.quality.received(
            timestamp: header.timestamp,
            jitter: leg.pointee.reception.jitter,
            isOpen: leg.pointee.obstacle == nil,
            at: now.nanoseconds
        )
        let duration = Int64(samples) &* 1_000_000 / 48
        switch leg.pointee.pace.judge(
            timestamp: header.timestamp,
            duration: duration,
            opensSpurt: header.marker,
            at: now.nanoseconds
        ) {
        case .onTime: return leg.pointee.obstacle
        case .late: return .late
        case .tooFast: return .tooFast
        }
    }

    private func pass(
        _ packet: UnsafeMutableRawBufferPointer,
        of speaker: UnsafeMutablePointer<RelayLeg>,
        to session: UInt32,
        after wait: UInt64
    ) {
        let listener = state.pointee.legs + Int(session)
        guard listener.pointee.connection != .none else { return countLost(from: speaker, to: listener) }
        let result = outlet.sendAudio(packet, to: listener.pointee.connection)
        if result.dropped > 0 { countSlow(result.dropped, to: listener) }
        switch result.outcome {
        case .sent:
            state.pointee.latency.observe(wait)
            countRelayed(packet.count, from: speaker, to: listener)
        case .queued: countRelayed(packet.count, from: speaker, to: listener)
        case .dropped: break
        case .gone: countLost(from: speaker, to: listener)
        }
    }

    private func countRelayed(
        _ byteCount: Int,
        from speaker: UnsafeMutablePointer<RelayLeg>,
        to listener: UnsafeMutablePointer<RelayLeg>
    ) {
        state.pointee.relayed &+= 1
        state.pointee.bytesRelayed &+= UInt64(byteCount)
        speaker.pointee.quality.sent.passedOn &+= 1
        listener.pointee.quality.heard.taken &+= 1
    }

    private func countLost(
        from speaker: UnsafeMutablePointer<RelayLeg>,
        to listener: UnsafeMutablePointer<RelayLeg>
    ) {
        countDrop(.listenerLost)
        speaker.pointee.quality.dropped(.listenerLost)
        listener.pointee.quality.heard.missedWhileLost &+= 1
    }

    /// Counts packets that a listener's socket did not take in time, whoever spoke.
    func countSlow(_ count: Int, to listener: UnsafeMutablePointer<RelayLeg>) {
        countDrop(.slowConsumer, count)
        listener.pointee.quality.heard.droppedSlow &+= UInt64(count)
    }

    private func receiveReport(
        _ packet: UnsafeRawBufferPointer,
        of leg: UnsafeMutablePointer<RelayLeg>,
        at now: Instant
    ) {
        guard let reports = try? RTCPReports(parsing: packet.bindMemory(to: UInt8.self).span) else {
            return countDrop(.malformed)
        }
        state.pointee.reports &+= 1
        if let sender = reports.sender, leg.pointee.isActive, sender.ssrc == leg.pointee.ssrc {
            leg.pointee.reception.received(sender, at: now)
        }
        // In a group there is a block for each source; the hub counts what it was told, whomever it is about.
        for block in reports.receptions where leg.pointee.isActive {
            leg.pointee.quality.reported(
                fractionLost: block.fractionLost,
                cumulativeLost: block.cumulativeLost,
                jitter: block.jitter
            )
        }
    }

    func leg(_ session: SessionID) -> UnsafeMutablePointer<RelayLeg>? {
        guard Int(session.index) < state.pointee.capacity else { return nil }
        let leg = state.pointee.legs + Int(session.index)
        return leg.pointee.isInUse && leg.pointee.generation == session.generation ? leg : nil
    }

    func leg(of connection: ConnectionID) -> UnsafeMutablePointer<RelayLeg>? {
        guard Int(connection.slot) < state.pointee.connections else { return nil }
        let index = state.pointee.legOfConnection[Int(connection.slot)]
        guard index != .max else { return nil }
        let leg = state.pointee.legs + Int(index)
        return leg.pointee.connection == connection ? leg : nil
    }
}
