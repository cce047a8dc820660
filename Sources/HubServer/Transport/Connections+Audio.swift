import CLibWebSockets

/// What became of an audio packet.
enum AudioOutcome {
    /// Handed to the socket.
    case sent

    /// Copied; it goes out with its company, or when the socket takes it, unless it grows stale first.
    case queued

    /// Not taken: no memory for waiting packets is left. Counted.
    case dropped

    /// No such connection, or it is closing.
    case gone
}

/// What a packet is, to the counters.
enum PacketKind: UInt8 {
    /// Somebody said it.
    case relayed

    /// The hub plays it.
    case played

    /// RTCP. Nothing is urgent about it: it waits for the next packet to its listener, and both are one write.
    case report
}

extension Connections {
    /// Sends an audio packet at once, or keeps a copy when the socket is not ready for it.
    ///
    /// - Parameters:
    ///   - packet: At most `maximumAudioBytes`; the four bytes in front of it (``Receiver/neededHeadRoom``) must be
    ///     writable and are overwritten, the packet itself is left as it is and may be sent on to others.
    ///   - id: Any name.
    ///   - kind: For the counters.
    ///   - joins: Whether more packets for this listener may come in this turn of the loop: then they wait for the
    ///     turn's end and go out in one write. Without effect where the loop does not batch.
    /// - Returns: What became of it.
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

    /// Writes out what has waited for company long enough.
    ///
    /// - Parameter id: Any name.
    func flushAudio(of id: ConnectionID) {
        guard let state = live(id), !state.pointee.flags.contains(.blocked) else { return }
        flushAudio(of: state, wasBlockedFor: nil)
    }

    /// Writes out what was sent in this turn of the loop to listeners of several talkers.
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

    /// Writes out the waiting packets that are still fresh until the socket is full again.
    ///
    /// Several at a time, unless the socket has just been full: what it does not take of a write can no longer be
    /// dropped, however old it grows.
    ///
    /// - Parameters:
    ///   - state: Not blocked.
    ///   - wasBlockedFor: Milliseconds for which the socket took nothing; nil: it was not full.
    func flushAudio(of state: UnsafeMutablePointer<ConnectionState>, wasBlockedFor: UInt64?) {
        dropStale(of: state, olderThan: patience(afterBlockedFor: wasBlockedFor ?? 0))
        while state.pointee.ringCount > 0, !state.pointee.flags.contains(.blocked) {
            let length = gather(from: state, atMost: wasBlockedFor == nil ? limits.scratchBytes : 0)
            writeRaw(scratch, length, to: state)
        }
    }

    /// How old a packet may be that goes out after all, in milliseconds.
    ///
    /// - Parameter wait: Milliseconds for which the socket took nothing.
    /// - Returns: Less where that was so long that the delay would last.
    func patience(afterBlockedFor wait: UInt64) -> UInt64 {
        wait > limits.staleAfter ? limits.keptOfBacklog : limits.staleAfter
    }

    /// What waits and, behind it, one packet more: in one write where there is room for both.
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

    /// Frames waiting packets, the oldest first, into the scratch memory as far as they fit; at least one.
    ///
    /// - Parameters:
    ///   - state: With a packet waiting.
    ///   - most: Bytes, for all but the first.
    /// - Returns: Bytes gathered.
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
        // A slot that was closed and opened again in one turn may stand in the list twice.
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

    /// The packet that has waited longest.
    ///
    /// - Parameter state: With a packet waiting.
    /// - Returns: The packet, left where it is.
    func oldest(of state: UnsafeMutablePointer<ConnectionState>) -> WaitingPacket {
        ring(of: state)[Int(state.pointee.ringFirst)]
    }

    /// What has waited for company alone is of this turn, like what was written at once.
    private func noteWait(of packet: WaitingPacket, for state: UnsafeMutablePointer<ConnectionState>) {
        let wait = now &- packet.queuedAt
        guard packet.kind == .relayed, wait > 0 else { return }
        state.pointee.longestWait = max(state.pointee.longestWait, UInt32(truncatingIfNeeded: wait))
        counters.pointee.writtenInTurn &-= 1
        counters.pointee.waitOfWritten.observe(wait &* 1_000_000)
    }

    /// Takes the packet that has waited longest.
    ///
    /// - Parameter state: With a packet waiting.
    /// - Returns: The packet, whose slot is to be given back.
    func takeOldest(of state: UnsafeMutablePointer<ConnectionState>) -> WaitingPacket {
        let packet = oldest(of: state)
        let next = Int(state.pointee.ringFirst) + 1
        state.pointee.ringFirst = next == limits.ringCapacity ? 0 : UInt16(next)
        state.pointee.ringCount -= 1
        return packet
    }

    /// Puts a packet behind the others.
    ///
    /// - Parameters:
    ///   - packet: In the slab.
    ///   - state: With room in its ring.
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
    /// Forgets what waits for a connection: the call it was meant for is heard no more.
    ///
    /// - Parameters:
    ///   - id: Any name.
    ///   - ssrc: Of whom; nil: of everybody.
    func dropQueuedAudio(of id: ConnectionID, from ssrc: UInt32?) {
        guard let state = known(id) else { return }
        if let ssrc { dropAudio(of: state, from: ssrc) } else { dropAudio(of: state) }
    }

    /// Packets of clients that reached a socket.
    var relayedPackets: UInt64 { UInt64(clamping: counters.pointee.audioRelayed) }

    /// Packets of clients that were dropped while they waited.
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
