import CLibWebSockets

/// What became of an audio packet.
struct AudioSendResult: Equatable {
    /// The fate of one packet.
    enum Outcome {
        /// Handed to the socket.
        case sent

        /// Copied; it goes out when the socket takes it, unless it grows stale first.
        case queued

        /// Not taken: no memory for waiting packets is left. Counted in `dropped`.
        case dropped

        /// No such connection, or it is closing.
        case gone
    }

    /// What became of this packet.
    var outcome: Outcome

    /// Packets of this connection dropped since the last call, older ones and this one.
    var dropped: Int
}

extension Connections {
    /// Sends an audio packet at once, or keeps a copy when the socket is not ready for it.
    ///
    /// - Parameters:
    ///   - packet: At most `maximumAudioBytes`; the four bytes in front of it (``Receiver/neededHeadRoom``) must be
    ///     writable and are overwritten, the packet itself is left as it is and may be sent on to others.
    ///   - id: Any name.
    /// - Returns: What became of it, with the number of packets that were dropped for this connection.
    @discardableResult
    func sendAudio(_ packet: UnsafeMutableRawBufferPointer, to id: ConnectionID) -> AudioSendResult {
        guard let state = live(id), let base = packet.baseAddress, packet.count <= Receiver.largestAudio else {
            return AudioSendResult(outcome: .gone, dropped: 0)
        }
        var outcome = AudioSendResult.Outcome.sent
        if state.pointee.flags.contains(.blocked) {
            outcome = enqueue(packet, for: state)
        } else {
            counters.pointee.audioSent &+= 1
            write(base, packet.count, hub_lws_write_binary, to: state)
        }
        let dropped = Int(state.pointee.unreportedDrops)
        state.pointee.unreportedDrops = 0
        return AudioSendResult(outcome: outcome, dropped: dropped)
    }

    /// Writes out the waiting packets that are still fresh, until the socket is full again.
    ///
    /// - Parameters:
    ///   - state: Not blocked.
    ///   - wasBlockedFor: Milliseconds for which the socket took nothing.
    func flushAudio(of state: UnsafeMutablePointer<ConnectionState>, wasBlockedFor: UInt64) {
        dropStale(of: state, olderThan: wasBlockedFor > limits.staleAfter ? limits.keptOfBacklog : limits.staleAfter)
        while state.pointee.ringCount > 0, !state.pointee.flags.contains(.blocked) {
            let packet = takeOldest(of: state)
            note(wait(of: packet), isDropped: false, of: state)
            if let payload = slab.payload(of: packet.slot) {
                counters.pointee.audioSent &+= 1
                write(payload, Int(packet.count), hub_lws_write_binary, to: state)
            }
            slab.giveBack(packet.slot)
        }
    }

    /// Drops all audio that waits, uncounted: for connections on their way out.
    ///
    /// - Parameter state: In this table.
    func dropAudio(of state: UnsafeMutablePointer<ConnectionState>) {
        while state.pointee.ringCount > 0 { slab.giveBack(takeOldest(of: state).slot) }
    }

    private func enqueue(
        _ packet: UnsafeMutableRawBufferPointer,
        for state: UnsafeMutablePointer<ConnectionState>
    ) -> AudioSendResult.Outcome {
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
            state.pointee.unreportedDrops &+= 1
            counters.pointee.audioDroppedForRoom &+= 1
            return .dropped
        }
        payload.copyMemory(from: source, byteCount: packet.count)
        let place = (Int(state.pointee.ringFirst) + Int(state.pointee.ringCount)) % limits.ringCapacity
        ring(of: state)[place] = WaitingPacket(slot: slot, count: UInt32(packet.count), queuedAt: now)
        state.pointee.ringCount += 1
        counters.pointee.audioQueued &+= 1
        return .queued
    }

    private func dropStale(of state: UnsafeMutablePointer<ConnectionState>, olderThan age: UInt64) {
        let now = self.now
        while state.pointee.ringCount > 0 {
            let oldest = ring(of: state)[Int(state.pointee.ringFirst)]
            guard now &- oldest.queuedAt > age else { return }
            note(wait(of: oldest), isDropped: true, of: state)
            slab.giveBack(takeOldest(of: state).slot)
            state.pointee.unreportedDrops &+= 1
            counters.pointee.audioDroppedStale &+= 1
        }
    }

    private func dropOldestForRoom(of state: UnsafeMutablePointer<ConnectionState>) {
        let oldest = takeOldest(of: state)
        note(wait(of: oldest), isDropped: true, of: state)
        slab.giveBack(oldest.slot)
        state.pointee.unreportedDrops &+= 1
        counters.pointee.audioDroppedForRoom &+= 1
    }

    /// Milliseconds.
    private func wait(of packet: WaitingPacket) -> UInt64 { now &- packet.queuedAt }

    private func note(
        _ wait: UInt64,
        isDropped: Bool,
        of state: UnsafeMutablePointer<ConnectionState>
    ) {
        state.pointee.longestWait = max(state.pointee.longestWait, UInt32(clamping: wait))
        if isDropped {
            counters.pointee.waitOfDropped.observe(wait &* 1_000_000)
        } else {
            counters.pointee.waitOfWritten.observe(wait &* 1_000_000)
        }
    }

    private func takeOldest(of state: UnsafeMutablePointer<ConnectionState>) -> WaitingPacket {
        let packet = ring(of: state)[Int(state.pointee.ringFirst)]
        let next = Int(state.pointee.ringFirst) + 1
        state.pointee.ringFirst = next == limits.ringCapacity ? 0 : UInt16(next)
        state.pointee.ringCount -= 1
        return packet
    }

    private func ring(of state: UnsafeMutablePointer<ConnectionState>) -> UnsafeMutablePointer<WaitingPacket> {
        rings + (state - states) * limits.ringCapacity
    }
}

extension Connections: AudioOutlet {
    /// Forgets what waits for a connection, uncounted: the call it was meant for is heard no more.
    ///
    /// - Parameter id: Any name.
    func dropQueuedAudio(of id: ConnectionID) {
        if let state = known(id) { dropAudio(of: state) }
    }
}
