import CLibWebSockets

/// The result of sending an audio packet.
enum AudioOutcome {
    /// Written to the socket.
    case sent

    /// Copied; written together with later packets or when the socket is writable, unless it becomes stale before.
    case queued

    /// Discarded, as no memory for queued packets is left; counted.
    case dropped

    /// Discarded, as the connection does not exist or is closing.
    case gone
}

/// The origin of a packet, for the counters.
enum PacketKind: UInt8 {
    /// RTP from a client.
    case relayed

    /// RTP made by the hub, such as tones.
    case played

    /// RTCP, which is not urgent: it waits for the next packet to its receiver, and both are one write.
    case report
}

extension Connections {
    /// Sends an audio packet at once, or queues a copy while the socket is not writable.
    ///
    /// - Parameters:
    ///   - packet: At most `maximumAudioBytes`; the four bytes in front of it (``Receiver/neededHeadRoom``) must be
    ///     writable and are overwritten, the packet itself is left as it is and may be sent on to others.
    ///   - id: The receiving connection; may be closed already.
    ///   - kind: The origin of the packet, for the counters.
    ///   - joins: True if more packets for this connection may follow in this iteration of the loop: then they wait
    ///     for its end and go out in one write. Without effect where the loop does not batch.
    /// - Returns: The outcome, `.gone` also for a packet that is too large.
    @discardableResult
    func sendAudio(
        _ packet: UnsafeMutableRawBufferPointer,
        to id: ConnectionID,
        kind: PacketKind = .relayed,
        joins: Bool = false
    ) -> AudioOutcome {
        guard let state = live(id), let base = packet.baseAddress, packet.count <= Receiver.largestAudio else {
            return .gone
        }
        guard !state.pointee.flags.contains(.blocked) else { return enqueue(packet, kind, for: state) }
        if joins, limits.joinsPackets {
            let outcome = enqueue(packet, kind, for: state)
            if outcome == .queued { flushAtTurnsEnd(state) }
            return outcome
        }
        guard kind != .report else { return enqueue(packet, kind, for: state) }
        guard state.pointee.ringCount == 0 else { return flush(state, before: packet, kind) }
        count(kind)
        let head = frameHead(of: packet.count, endingAt: base)
        writeRaw(base - head, head + packet.count, to: state)
        return .sent
    }

    /// Writes the queued packets of a connection unless its socket is full.
    ///
    /// - Parameter id: The connection; may be closed already.
    func flushAudio(of id: ConnectionID) {
        guard let state = live(id), !state.pointee.flags.contains(.blocked) else { return }
        flushAudio(of: state, wasBlockedFor: nil)
    }

    /// Writes the packets that were queued in this iteration of the loop to be sent together.
    func flushJoined() {
        let joined = shared.joinedCount
        guard joined > 0 else { return }
        shared.joinedCount = 0
        for index in 0..<joined {
            let state = states + Int(joinedSlots[index])
            state.pointee.flags.remove(.joined)
            guard state.pointee.flags.contains(.open),
                state.pointee.flags.isDisjoint(with: [.blocked, .closing, .killed])
            else { continue }
            flushAudio(of: state, wasBlockedFor: nil)
        }
    }

    /// Writes the queued packets that are not stale until the socket is full again.
    ///
    /// Several are one write, unless the socket has just been full: bytes that it does not accept of a write can no
    /// longer be dropped, however old they become.
    ///
    /// - Parameters:
    ///   - state: A connection that is not blocked.
    ///   - wasBlockedFor: The milliseconds for which the socket was full; nil: it was not.
    func flushAudio(of state: UnsafeMutablePointer<ConnectionState>, wasBlockedFor: UInt64?) {
        dropStale(of: state, olderThan: patience(afterBlockedFor: wasBlockedFor ?? 0))
        while state.pointee.ringCount > 0, !state.pointee.flags.contains(.blocked) {
            let length = gather(from: state, atMost: wasBlockedFor == nil ? limits.scratchBytes : 0)
            writeRaw(scratch, length, to: state)
        }
    }

    /// Computes the maximum age in milliseconds of queued packets that are still sent.
    ///
    /// - Parameter wait: The milliseconds for which the socket was full.
    /// - Returns: `keptOfBacklog` if that was longer than `staleAfter`, so that the delay does not persist.
    func patience(afterBlockedFor wait: UInt64) -> UInt64 {
        wait > limits.staleAfter ? limits.keptOfBacklog : limits.staleAfter
    }

    /// Writes the queued packets followed by one more, in one write if there is room for both.
    private func flush(
        _ state: UnsafeMutablePointer<ConnectionState>,
        before packet: UnsafeMutableRawBufferPointer,
        _ kind: PacketKind
    ) -> AudioOutcome {
        dropStale(of: state, olderThan: limits.staleAfter)
        var length = 0
        while state.pointee.ringCount > 0, !state.pointee.flags.contains(.blocked) {
            length = gather(from: state, atMost: limits.scratchBytes)
            if state.pointee.ringCount > 0 || length + packet.count + Self.longestHead > limits.scratchBytes {
                writeRaw(scratch, length, to: state)
                length = 0
            }
        }
        guard !state.pointee.flags.contains(.blocked) else { return enqueue(packet, kind, for: state) }
        count(kind)
        let head = frameHead(of: packet.count, endingAt: scratch + length + headLength(of: packet.count))
        if let source = packet.baseAddress {
            (scratch + length + head).copyMemory(from: source, byteCount: packet.count)
        }
        writeRaw(scratch, length + head + packet.count, to: state)
        return .sent
    }

    /// Moves queued packets with frame heads into the scratch memory, oldest first, as far as they fit; at least one.
    ///
    /// - Parameters:
    ///   - state: A connection with a queued packet.
    ///   - most: The maximum number of bytes; the first packet may exceed it.
    /// - Returns: The number of bytes written to the scratch memory.
    func gather(from state: UnsafeMutablePointer<ConnectionState>, atMost most: Int) -> Int {
        var length = 0
        while state.pointee.ringCount > 0 {
            let count = Int(oldest(of: state).count)
            let head = headLength(of: count)
            guard length == 0 || length + head + count <= most else { return length }
            let packet = takeOldest(of: state)
            if let payload = slab.payload(of: packet.slot) {
                self.count(packet.kind)
                noteWait(of: packet, for: state)
                _ = frameHead(of: count, endingAt: scratch + length + head)
                (scratch + length + head).copyMemory(from: payload, byteCount: count)
                length += head + count
            }
            slab.giveBack(packet.slot)
        }
        return length
    }

    private func flushAtTurnsEnd(_ state: UnsafeMutablePointer<ConnectionState>) {
        guard !state.pointee.flags.contains(.joined) else { return }
        // A slot that was closed and opened again in one iteration may be in the list twice.
        guard shared.joinedCount < limits.capacity else { return flushAudio(of: state, wasBlockedFor: nil) }
        state.pointee.flags.insert(.joined)
        joinedSlots[shared.joinedCount] = UInt32(state - states)
        shared.joinedCount += 1
    }

    @inline(__always)
    private func count(_ kind: PacketKind) {
        counters.pointee.audioSent &+= 1
        guard kind == .relayed else { return }
        counters.pointee.audioRelayed &+= 1
        counters.pointee.writtenInTurn &+= 1
    }

    private func enqueue(
        _ packet: UnsafeMutableRawBufferPointer,
        _ kind: PacketKind,
        for state: UnsafeMutablePointer<ConnectionState>
    ) -> AudioOutcome {
        dropStale(of: state, olderThan: limits.staleAfter)
        if Int(state.pointee.ringCount) == limits.ringCapacity { dropOldestForRoom(of: state) }
        var slot = slab.take()
        if slot == nil, state.pointee.ringCount > 0 {
            dropOldestForRoom(of: state)
            slot = slab.take()
        }
        guard let slot, let payload = slab.payload(of: slot), let source = packet.baseAddress,
            packet.count <= slab.payloadBytes
        else {
            if let slot { slab.giveBack(slot) }
            if kind == .relayed { noteNoRoom(for: state) }
            return .dropped
        }
        payload.copyMemory(from: source, byteCount: packet.count)
        let waiting = WaitingPacket(slot: slot, count: UInt16(packet.count), kind: kind, queuedAt: now)
        append(waiting, to: state)
        counters.pointee.audioQueued &+= 1
        return .queued
    }

    /// Reads the oldest queued packet.
    ///
    /// - Parameter state: A connection with a queued packet.
    /// - Returns: The packet, which stays in the queue.
    func oldest(of state: UnsafeMutablePointer<ConnectionState>) -> WaitingPacket {
        ring(of: state)[Int(state.pointee.ringFirst)]
    }

    /// Records a packet's queueing time; one queued in this iteration counts as written at once.
    private func noteWait(of packet: WaitingPacket, for state: UnsafeMutablePointer<ConnectionState>) {
        let wait = now &- packet.queuedAt
        guard packet.kind == .relayed, wait > 0 else { return }
        state.pointee.longestWait = max(state.pointee.longestWait, UInt32(truncatingIfNeeded: wait))
        counters.pointee.writtenInTurn &-= 1
        counters.pointee.waitOfWritten.observe(wait &* 1_000_000)
    }

    /// Removes the oldest queued packet.
    ///
    /// - Parameter state: A connection with a queued packet.
    /// - Returns: The packet, whose slot the caller gives back to the slab.
    func takeOldest(of state: UnsafeMutablePointer<ConnectionState>) -> WaitingPacket {
        let packet = oldest(of: state)
        let next = Int(state.pointee.ringFirst) + 1
        state.pointee.ringFirst = next == limits.ringCapacity ? 0 : UInt16(next)
        state.pointee.ringCount -= 1
        return packet
    }

    /// Appends a packet to the queue.
    ///
    /// - Parameters:
    ///   - packet: A packet whose bytes are in the slab.
    ///   - state: A connection whose ring is not full.
    func append(_ packet: WaitingPacket, to state: UnsafeMutablePointer<ConnectionState>) {
        let place = (Int(state.pointee.ringFirst) + Int(state.pointee.ringCount)) % limits.ringCapacity
        ring(of: state)[place] = packet
        state.pointee.ringCount += 1
    }

    private func ring(of state: UnsafeMutablePointer<ConnectionState>) -> UnsafeMutablePointer<WaitingPacket> {
        rings + (state - states) * limits.ringCapacity
    }
}

extension Connections: AudioOutlet {
    /// Discards queued audio of a connection, whose call does not play it any more.
    ///
    /// - Parameters:
    ///   - id: The receiving connection; may be closed already.
    ///   - ssrc: The SSRC of the packets to be discarded; nil: all packets.
    func dropQueuedAudio(of id: ConnectionID, from ssrc: UInt32?) {
        guard let state = known(id) else { return }
        if let ssrc { dropAudio(of: state, from: ssrc) } else { dropAudio(of: state) }
    }

    /// The number of packets of clients that were written to a socket.
    var relayedPackets: UInt64 { UInt64(clamping: counters.pointee.audioRelayed) }

    /// The number of packets of clients that were dropped from a queue for a reason.
    func droppedWaiting(_ reason: DropReason) -> UInt64 {
        let counters = counters.pointee
        switch reason {
        case .slowConsumer: return UInt64(clamping: counters.audioDroppedForRoom + counters.audioDroppedStale)
        case .staleSession: return UInt64(clamping: counters.audioDroppedUnheard)
        case .listenerLost: return UInt64(clamping: counters.audioDroppedLost)
        case .noSession, .held, .muted, .notConnected, .malformed, .tooLarge, .late, .tooFast, .overload: return 0
        }
    }
}
