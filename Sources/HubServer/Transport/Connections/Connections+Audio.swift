/// The result of sending an audio packet.
package enum AudioOutcome {
    /// Written to the socket.
    case sent

    /// Copied; written together with later packets or when the socket is writable, unless it becomes stale before.
    case queued

    /// Discarded, as no memory for queued packets is left; counted.
    case dropped

    /// Discarded, as the connection does not exist or is closing.
    case gone
}

extension Connections {
    /// Sends an audio packet at once, or queues a copy while the socket is not writable.
    ///
    /// - Parameters:
    ///   - packet: At most `maximumAudioBytes`; copied once, into memory that the library may write in front of.
    ///   - id: The receiving connection; may be closed already.
    ///   - kind: The origin of the packet, for the counters.
    ///   - mayCoalesce: True if more packets for this connection may follow in this iteration of the loop: they wait
    ///     for its end, and are one write. Without effect if the loop does not batch.
    /// - Returns: The outcome, `.gone` also for a packet that is too large.
    @discardableResult
    package func sendAudio(
        _ packet: UnsafeRawBufferPointer,
        to id: ConnectionID,
        kind: PacketKind = .relayed,
        mayCoalesce: Bool = false
    ) -> AudioOutcome {
        guard let state = stateIfOpen(id), packet.count <= ServerFrame.largestPayload else { return .gone }
        guard !state.pointee.isBlocked else { return enqueue(packet, kind, for: state) }
        if mayCoalesce, limits.coalescesPackets {
            let outcome = enqueue(packet, kind, for: state)
            if outcome == .queued { flushAtIterationEnd(state) }
            return outcome
        }
        guard kind != .report else { return enqueue(packet, kind, for: state) }
        return flush(state, before: packet, kind)
    }

    /// Writes the queued packets of a connection unless its socket is full.
    ///
    /// - Parameter id: The connection; may be closed already.
    package func flushAudio(of id: ConnectionID) {
        guard let state = stateIfOpen(id), !state.pointee.isBlocked else { return }
        flushAudio(of: state, wasBlockedFor: nil)
    }

    /// Writes the packets that were queued in this iteration of the loop to be sent together.
    func flushCoalesced() {
        let count = shared.coalescingCount
        guard count > 0 else { return }
        shared.coalescingCount = 0
        for index in 0..<count {
            let state = states + Int(coalescingSlots[index])
            guard case .coalescing = state.pointee.output, state.pointee.phase.isOpen else { continue }
            state.pointee.output = .writable
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
        dropStale(of: state, olderThan: maximumAge(afterBlockedFor: wasBlockedFor ?? 0))
        while state.pointee.ringCount > 0, !state.pointee.isBlocked {
            let length = gather(from: state, atMost: wasBlockedFor == nil ? limits.scratchBytes : 0)
            writeFrames(length, to: state)
        }
    }

    /// Computes the maximum age in milliseconds of queued packets that are still sent.
    ///
    /// - Parameter wait: The milliseconds for which the socket was full.
    /// - Returns: `keptOfBacklog` if that was longer than `staleAfter`, so that the delay does not persist.
    package func maximumAge(afterBlockedFor wait: UInt64) -> UInt64 {
        wait > limits.staleAfter ? limits.keptOfBacklog : limits.staleAfter
    }

    /// Writes the queued packets followed by one more, in one write if there is room for both.
    private func flush(
        _ state: UnsafeMutablePointer<ConnectionState>,
        before packet: UnsafeRawBufferPointer,
        _ kind: PacketKind
    ) -> AudioOutcome {
        var length = 0
        if state.pointee.ringCount > 0 {
            dropStale(of: state, olderThan: limits.staleAfter)
            while state.pointee.ringCount > 0, !state.pointee.isBlocked {
                length = gather(from: state, atMost: limits.scratchBytes)
                if state.pointee.ringCount > 0 || length + packet.count + ServerFrame.longestHead > limits.scratchBytes
                {
                    writeFrames(length, to: state)
                    length = 0
                }
            }
            guard !state.pointee.isBlocked else { return enqueue(packet, kind, for: state) }
        }
        count(kind)
        length += putFrame(packet, at: length)
        writeFrames(length, to: state)
        return .sent
    }

    /// Puts a packet with its frame head into the scratch memory.
    ///
    /// - Parameters:
    ///   - packet: The packet; copied.
    ///   - length: The number of bytes that are in the scratch memory.
    /// - Returns: The number of bytes that were added.
    @inline(__always)
    private func putFrame(_ packet: UnsafeRawBufferPointer, at length: Int) -> Int {
        let start = scratch + length + ServerFrame.headLength(of: packet.count)
        let head = ServerFrame.writeHead(.binary, of: packet.count, endingAt: start)
        if let source = packet.baseAddress { start.copyMemory(from: source, byteCount: packet.count) }
        return head + packet.count
    }

    /// Writes the frames in the scratch memory.
    @inline(__always)
    private func writeFrames(_ length: Int, to state: UnsafeMutablePointer<ConnectionState>) {
        counters.pointee.audioWrites &+= 1
        write(scratch, length, .frames, to: state)
    }

    /// Moves queued packets with frame heads into the scratch memory, oldest first, as far as they fit; at least one.
    ///
    /// - Parameters:
    ///   - state: A connection with a queued packet.
    ///   - most: The maximum number of bytes; the first packet may exceed it.
    /// - Returns: The number of bytes written to the scratch memory.
    package func gather(from state: UnsafeMutablePointer<ConnectionState>, atMost most: Int) -> Int {
        var length = 0
        while state.pointee.ringCount > 0 {
            let count = Int(oldest(of: state).count)
            guard length == 0 || length + ServerFrame.headLength(of: count) + count <= most else { return length }
            let packet = takeOldest(of: state)
            if let payload = slab.payload(of: packet.slot) {
                self.count(packet.kind)
                recordQueueTime(of: packet, for: state)
                length += putFrame(UnsafeRawBufferPointer(start: payload, count: count), at: length)
            }
            slab.release(packet.slot)
        }
        return length
    }

    private func flushAtIterationEnd(_ state: UnsafeMutablePointer<ConnectionState>) {
        guard case .writable = state.pointee.output else { return }
        // A slot that was closed and opened again in one iteration may be in the list twice.
        guard shared.coalescingCount < limits.capacity else { return flushAudio(of: state, wasBlockedFor: nil) }
        state.pointee.output = .coalescing
        coalescingSlots[shared.coalescingCount] = UInt32(state - states)
        shared.coalescingCount += 1
    }

    @inline(__always)
    private func count(_ kind: PacketKind) {
        counters.pointee.audioSent &+= 1
        guard kind == .relayed else { return }
        counters.pointee.audioRelayed &+= 1
        counters.pointee.writtenInIteration &+= 1
    }

    private func enqueue(
        _ packet: UnsafeRawBufferPointer,
        _ kind: PacketKind,
        for state: UnsafeMutablePointer<ConnectionState>
    ) -> AudioOutcome {
        dropStale(of: state, olderThan: limits.staleAfter)
        if Int(state.pointee.ringCount) == limits.ringCapacity { dropOldestForRoom(of: state) }
        var slot = slab.reserve()
        if slot == nil, state.pointee.ringCount > 0 {
            dropOldestForRoom(of: state)
            slot = slab.reserve()
        }
        guard let slot, let payload = slab.payload(of: slot), let source = packet.baseAddress,
            packet.count <= slab.payloadBytes
        else {
            if let slot { slab.release(slot) }
            if kind == .relayed { countDroppedForRoom(for: state) }
            return .dropped
        }
        payload.copyMemory(from: source, byteCount: packet.count)
        let waiting = QueuedPacket(slot: slot, count: UInt16(packet.count), kind: kind, queuedAt: now)
        append(waiting, to: state)
        counters.pointee.audioQueued &+= 1
        return .queued
    }

    /// Reads the oldest queued packet.
    ///
    /// - Parameter state: A connection with a queued packet.
    /// - Returns: The packet, which stays in the queue.
    package func oldest(of state: UnsafeMutablePointer<ConnectionState>) -> QueuedPacket {
        ring(of: state)[Int(state.pointee.ringFirst)]
    }

    /// Records a packet's queueing time; one queued in this iteration counts as written at once.
    private func recordQueueTime(of packet: QueuedPacket, for state: UnsafeMutablePointer<ConnectionState>) {
        let wait = now &- packet.queuedAt
        guard packet.kind == .relayed, wait > 0 else { return }
        state.pointee.longestQueueTime = max(state.pointee.longestQueueTime, UInt32(truncatingIfNeeded: wait))
        counters.pointee.writtenInIteration &-= 1
        counters.pointee.queueTimeOfWritten.observe(wait &* 1_000_000)
    }

    /// Removes the oldest queued packet.
    ///
    /// - Parameter state: A connection with a queued packet.
    /// - Returns: The packet, whose slot the caller releases.
    func takeOldest(of state: UnsafeMutablePointer<ConnectionState>) -> QueuedPacket {
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
    func append(_ packet: QueuedPacket, to state: UnsafeMutablePointer<ConnectionState>) {
        let place = (Int(state.pointee.ringFirst) + Int(state.pointee.ringCount)) % limits.ringCapacity
        ring(of: state)[place] = packet
        state.pointee.ringCount += 1
    }

    private func ring(of state: UnsafeMutablePointer<ConnectionState>) -> UnsafeMutablePointer<QueuedPacket> {
        rings + (state - states) * limits.ringCapacity
    }
}
