import HubEngine
import HubMedia
import HubWire

/// Where the relay hands its packets to: the sockets, or a test's notebook.
protocol AudioOutlet {
    /// Sends a packet at once or keeps a copy; the bytes in front of it may be written over. `joins`: more may follow at once.
    func sendAudio(
        _ packet: UnsafeMutableRawBufferPointer,
        to id: ConnectionID,
        kind: PacketKind,
        joins: Bool
    ) -> AudioOutcome
    /// Sends what waits for company.
    func flushAudio(of id: ConnectionID)
    /// Forgets what waits for a connection: it was meant for a call that it hears no more.
    func dropQueuedAudio(of id: ConnectionID, from ssrc: UInt32?)
    /// What a connection has to tell of itself since the last look; nil: it is gone.
    func takeLinkState(of id: ConnectionID) -> LinkState?
    /// Packets of clients that reached a socket.
    var relayedPackets: UInt64 { get }
    /// Packets of clients that were dropped while they waited.
    func droppedWaiting(_ reason: DropReason) -> UInt64
}

/// Passes packets on: checks each one, looks its route up in flat memory, and hands it to every listener unchanged.
///
/// The routes are the engine's; the relay only copies them (`setRoute`). A view of memory that `deallocate()` frees: copying the
/// struct copies the view, and calling it costs no reference count. Everything is for the loop's thread.
struct AudioRelay<Outlet: AudioOutlet> {
    let state: UnsafeMutablePointer<RelayState>
    let outlet: Outlet
    /// The way to listeners on other loops.
    let crossing: RelayCrossing

    /// A relay without sessions.
    ///
    /// - Parameters:
    ///   - connections: how many connection slots there are.
    ///   - outlet: where packets go.
    ///   - crossing: the way to other loops; freed with the relay.
    init(connections: Int, outlet: Outlet, crossing: RelayCrossing = .none) {
        self.outlet = outlet
        self.crossing = crossing
        state = .allocate(capacity: 1)
        state.initialize(to: RelayState(connections: connections))
    }

    /// Frees the memory.
    func deallocate() {
        state.pointee.deallocate()
        state.deallocate()
        crossing.deallocate()
    }

    /// Sessions whose audio session is active.
    var activeLegs: Int { state.pointee.activeLegs }

    /// Packets passed on, counted once for each listener.
    var relayed: UInt64 { outlet.relayedPackets }

    /// Packets received, good and bad: those passed on, those dropped, and reports.
    var received: UInt64 { state.pointee.received }

    /// RTCP packets received that could be read; they go no further.
    var reports: UInt64 { state.pointee.reports }

    /// Packets not passed on for a reason.
    func dropped(_ reason: DropReason) -> UInt64 {
        state.pointee.drops[Int(reason.rawValue)] &+ outlet.droppedWaiting(reason)
    }

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
    func receive(_ packet: UnsafeMutableRawBufferPointer, from connection: ConnectionID, at now: Instant) {
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
        for index in 0..<leg.pointee.sinkCount { pass(packet, of: leg, to: leg.pointee.sink(index), at: now) }
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

    @inline(__always)
    private func pass(
        _ packet: UnsafeMutableRawBufferPointer,
        of speaker: UnsafeMutablePointer<RelayLeg>,
        to sink: RelaySink,
        at now: Instant
    ) {
        var obstacle: DropReason?
        if sink.loop != crossing.loop {
            if !crossing.send(UnsafeRawBufferPointer(packet), to: sink, at: now) { obstacle = .overload }
        } else if let listener = leg(sink.session) {
            obstacle = deliver(packet, to: listener, at: now)
        } else {
            obstacle = .listenerLost
        }
        guard let obstacle else {
            speaker.pointee.quality.sent.passedOn &+= 1
            return
        }
        countDrop(obstacle)
        speaker.pointee.quality.dropped(obstacle)
    }

    /// Hands a packet to a listener of this loop; what stands in the way: its connection is lost.
    ///
    /// What a slow listener does not take is its socket's to count.
    @inline(__always)
    private func deliver(
        _ packet: UnsafeMutableRawBufferPointer,
        to listener: UnsafeMutablePointer<RelayLeg>,
        at now: Instant
    ) -> DropReason? {
        if listener.pointee.isDueReport { sendDueReport(to: listener, at: now) }
        if listener.pointee.connection != .none {
            let joins = listener.pointee.sourceCount > 1
            let outcome = outlet.sendAudio(packet, to: listener.pointee.connection, kind: .relayed, joins: joins)
            if outcome == .sent || outcome == .queued {
                state.pointee.bytesRelayed &+= UInt64(packet.count)
                listener.pointee.quality.heard.taken &+= 1
            }
            if outcome != .gone { return nil }
        }
        listener.pointee.quality.heard.missedWhileLost &+= 1
        return .listenerLost
    }

    /// Takes what another loop has left here: its sender's gate was open there, and now the listener's is looked at.
    ///
    /// - Parameters:
    ///   - ring: From the other loop to this one.
    ///   - now: The hub's clock.
    ///   - staleAfter: Milliseconds that a packet may have waited.
    ///   - mark: A packet behind that place of the ring that finds its listener's gate shut waits, and those behind it: the
    ///     hub's word that opens it may still be unread. Nil: that goes for all of them.
    func takeCrossed(from ring: PacketRing, at now: Instant, staleAfter: UInt32, judgedUntil mark: Int?) {
        let milliseconds = RelayCrossing.milliseconds(now)
        ring.read { head, packet, place in
            // Negative where this loop's turn began before the packet came.
            let age = Int32(bitPattern: milliseconds &- head.writtenAt)
            guard age <= 0 || UInt32(age) <= staleAfter else { return drop(.overload) }
            let leg = leg(SessionID(index: head.listener, generation: head.generation))
            let ssrc = UInt32(bigEndian: packet.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
            guard let leg, leg.pointee.hears(ssrc) else {
                guard let mark, place &- mark < 0 else { return false }
                return drop(leg == nil ? .listenerLost : .staleSession)
            }
            if let obstacle = deliver(packet, to: leg, at: now) { countDrop(obstacle) }
            return true
        }
    }

    private func drop(_ reason: DropReason) -> Bool {
        countDrop(reason)
        return true
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
