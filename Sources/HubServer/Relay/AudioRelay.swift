package import HubEngine
import HubMedia
import HubWire

/// The destination of the relay's packets: the sockets, or a spy in tests.
package protocol AudioOutlet {
    /// Sends a packet at once or queues a copy.
    ///
    /// `mayCoalesce`: more packets may follow at once, so that they can be coalesced.
    func sendAudio(
        _ packet: UnsafeRawBufferPointer,
        to id: ConnectionID,
        kind: PacketKind,
        mayCoalesce: Bool
    ) -> AudioOutcome
    /// Sends the packets that are waiting to be coalesced.
    func flushAudio(of id: ConnectionID)
    /// Discards queued packets of a source, or of all (nil): the listener no longer receives that call.
    func dropQueuedAudio(of id: ConnectionID, from ssrc: UInt32?)
    /// Returns the state of a connection since the last call; nil: the connection is gone.
    func takePathStatistics(of id: ConnectionID) -> PathStatistics?
    /// The number of packets that a connection was too slow for since `takePathStatistics`; nil: it is gone or slow.
    func audioDroppedIfWritable(by id: ConnectionID) -> UInt32?
    /// The number of packets of clients that reached a socket.
    var relayedPackets: UInt64 { get }
    /// Returns the number of packets of clients that were dropped from a queue for a reason.
    func droppedFromQueue(_ reason: DropReason) -> UInt64
}

/// The audio relay of a loop: checks each packet, looks up its route in flat memory, and forwards it unchanged.
///
/// The routes are the engine's; the relay only copies them (`setRoute`). A trivial view whose copies share the memory
/// of an ``AudioRelayStorage``: calling it costs no reference count. For the loop's thread only.
package struct AudioRelay<Outlet: AudioOutlet> {
    let state: UnsafeMutablePointer<RelayState>
    let outlet: Outlet
    /// The link to listeners on other loops.
    let crossLoopLink: CrossLoopLink.View

    /// The number of sessions whose audio session is active.
    var activeLegs: Int { state.pointee.activeLegs }

    /// The number of packets forwarded, counted once for each listener.
    var relayed: UInt64 { outlet.relayedPackets }

    /// The number of packets received, valid or not: those forwarded, those dropped, and reports.
    var received: UInt64 { state.pointee.received }

    /// The number of RTCP packets received that could be parsed; they are not forwarded.
    var reports: UInt64 { state.pointee.reports }

    /// Returns the number of packets that were dropped for a reason.
    func dropped(_ reason: DropReason) -> UInt64 {
        state.pointee.drops[Int(reason.rawValue)] &+ outlet.droppedFromQueue(reason)
    }

    /// Counts packets that were dropped before they reached the relay.
    func countDrop(_ reason: DropReason, _ count: Int = 1) {
        state.pointee.drops[Int(reason.rawValue)] &+= UInt64(count)
    }

    /// Counts a binary message that is too large to be a packet.
    package func receiveOversize(_ byteCount: Int, from connection: ConnectionID) {
        state.pointee.received &+= 1
        state.pointee.bytesReceived &+= UInt64(byteCount)
        countDrop(.tooLarge)
        leg(of: connection)?.pointee.quality.dropped(.tooLarge)
    }

    /// Receives a packet from a connection.
    ///
    /// - Parameters:
    ///   - packet: A whole binary message.
    ///   - connection: The connection that it arrived on.
    ///   - now: The time by the hub's clock.
    package func receive(_ packet: UnsafeRawBufferPointer, from connection: ConnectionID, at now: Instant) {
        state.pointee.received &+= 1
        state.pointee.bytesReceived &+= UInt64(packet.count)
        guard let leg = leg(of: connection) else { return countDrop(.noSession) }
        if packet.count > 1, RTPPacket.isRTCP(secondByte: packet[1]) {
            return receiveReport(packet, of: leg, at: now)
        }
        if let reason = admit(packet, to: leg, at: now) {
            leg.pointee.quality.dropped(reason)
            return countDrop(reason)
        }
        for index in 0..<leg.pointee.sinkCount { forward(packet, of: leg, to: leg.pointee.sink(index), at: now) }
    }

    /// Checks a packet's format, SSRC, pace and gate, in this order; nil: it is to be forwarded.
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
            isOpen: leg.pointee.gateReason == nil,
            at: now.nanoseconds
        )
        let duration = Int64(samples) &* 1_000_000 / 48
        switch leg.pointee.policer.police(
            timestamp: header.timestamp,
            duration: duration,
            startsTalkSpurt: header.marker,
            at: now.nanoseconds,
            lateAfter: state.pointee.lateAfter
        ) {
        case .onTime: return leg.pointee.gateReason
        case .late: return .late
        case .tooFast: return .tooFast
        }
    }

    @inline(__always)
    private func forward(
        _ packet: UnsafeRawBufferPointer,
        of sender: UnsafeMutablePointer<RelayLeg>,
        to sink: RelaySink,
        at now: Instant
    ) {
        var gateReason: DropReason?
        if sink.loop != crossLoopLink.loop {
            // A packet must not overtake the list of its listeners.
            if !state.pointee.unsentMixRecords.isEmpty || !crossLoopLink.send(packet, to: sink, at: now) {
                gateReason = .overload
            }
        } else if let listener = leg(sink.session) {
            gateReason = deliver(packet, to: listener, at: now)
        } else {
            gateReason = .listenerLost
        }
        guard let gateReason else {
            sender.pointee.quality.sent.forwarded &+= 1
            return
        }
        countDrop(gateReason)
        sender.pointee.quality.dropped(gateReason)
    }

    /// Delivers a packet to a listener of this loop; returns a reason only if its connection is lost.
    ///
    /// Packets that a slow listener does not accept are counted by its socket.
    @inline(__always)
    private func deliver(
        _ packet: UnsafeRawBufferPointer,
        to listener: UnsafeMutablePointer<RelayLeg>,
        at now: Instant
    ) -> DropReason? {
        if listener.pointee.isReportDue { sendDueReport(to: listener, at: now) }
        if listener.pointee.connection != .none {
            let mayCoalesce = listener.pointee.sourceCount > 1
            let outcome = outlet.sendAudio(
                packet,
                to: listener.pointee.connection,
                kind: .relayed,
                mayCoalesce: mayCoalesce
            )
            if outcome == .sent || outcome == .queued {
                state.pointee.bytesRelayed &+= UInt64(packet.count)
                listener.pointee.quality.delivery.accepted &+= 1
            }
            if outcome != .gone { return nil }
        }
        listener.pointee.quality.delivery.missedWhileDisconnected &+= 1
        return .listenerLost
    }

    /// Delivers the packets in a ring from another loop to their listeners here.
    ///
    /// The sender's gate was open on the other loop; the listener's gate is checked now.
    ///
    /// - Parameters:
    ///   - ring: The ring from the other loop to this one.
    ///   - now: The time by the hub's clock.
    ///   - staleAfter: The maximum age of a packet, in milliseconds.
    ///   - mark: A position in the ring. A packet before it is dropped if its listener's gate is shut; one behind it
    ///     stays queued, and so do all after it, since the command that opens the gate may be pending. Nil: all
    ///     stay queued.
    func drainInboundRing(
        from ring: PacketRing.View,
        at now: Instant,
        staleAfter: UInt32,
        enforcingGatesBefore mark: Int?
    ) {
        let milliseconds = CrossLoopLink.milliseconds(now)
        ring.read { head, packet, position in
            // Negative if this loop's iteration began before the packet arrived.
            let age = Int32(bitPattern: milliseconds &- head.writtenAt)
            guard age <= 0 || UInt32(age) <= staleAfter else { return drop(.overload) }
            let leg = leg(SessionID(index: head.listener, generation: head.generation))
            let ssrc = UInt32(bigEndian: packet.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
            guard let leg, leg.pointee.allowsSource(ssrc) else {
                guard let mark, position &- mark < 0 else { return false }
                return drop(leg == nil ? .listenerLost : .staleSession)
            }
            if let gateReason = deliver(packet, to: leg, at: now) { countDrop(gateReason) }
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
        // In a group there is a block for each source; all are counted, whichever source they are about.
        for block in reports.reportBlocks where leg.pointee.isActive {
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
