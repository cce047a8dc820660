/// The dropping of queued packets.
///
/// Only packets of clients are counted: the hub produces its own tones and reports continuously.
extension Connections {
    /// Drops the queued packets that are too old.
    ///
    /// - Parameters:
    ///   - state: A connection of this table.
    ///   - age: The maximum age in milliseconds.
    package func dropStale(of state: UnsafeMutablePointer<ConnectionState>, olderThan age: UInt64) {
        let now = self.now
        while state.pointee.ringCount > 0, now &- oldest(of: state).queuedAt > age {
            if dropOldest(of: state) {
                counters.pointee.audioDroppedStale &+= 1
                state.pointee.audioDropped &+= 1
            }
        }
    }

    /// Drops the oldest queued packet to make room for a newer one.
    ///
    /// - Parameter state: A connection with a queued packet.
    func dropOldestForRoom(of state: UnsafeMutablePointer<ConnectionState>) {
        if dropOldest(of: state) { countDroppedForRoom(for: state) }
    }

    /// Counts a packet that was dropped for lack of room.
    ///
    /// - Parameter state: A connection of this table.
    func countDroppedForRoom(for state: UnsafeMutablePointer<ConnectionState>) {
        counters.pointee.audioDroppedForRoom &+= 1
        state.pointee.audioDropped &+= 1
    }

    /// Drops all queued packets, for a new audio session or a closing connection.
    ///
    /// - Parameter state: A connection of this table.
    func dropAudio(of state: UnsafeMutablePointer<ConnectionState>) {
        let isGoing = !state.pointee.phase.isOpen
        while state.pointee.ringCount > 0 {
            guard dropOldest(of: state) else { continue }
            if isGoing {
                counters.pointee.audioDroppedClosed &+= 1
            } else {
                counters.pointee.audioDroppedUnrouted &+= 1
            }
        }
    }

    /// Drops the queued packets of one sender; the others stay, in order.
    ///
    /// - Parameters:
    ///   - state: A connection of this table.
    ///   - ssrc: The sender's SSRC.
    func dropAudio(of state: UnsafeMutablePointer<ConnectionState>, from ssrc: UInt32) {
        for _ in 0..<state.pointee.ringCount {
            if isFrom(ssrc, oldest(of: state)) {
                if dropOldest(of: state) { counters.pointee.audioDroppedUnrouted &+= 1 }
            } else {
                append(takeOldest(of: state), to: state)
            }
        }
    }

    private func isFrom(_ ssrc: UInt32, _ packet: QueuedPacket) -> Bool {
        guard packet.kind != .report, packet.count >= 12, let payload = slab.payload(of: packet.slot) else {
            return false
        }
        return UInt32(bigEndian: payload.loadUnaligned(fromByteOffset: 8, as: UInt32.self)) == ssrc
    }

    /// - Returns: True if the drop is to be counted, as the packet was a client's.
    private func dropOldest(of state: UnsafeMutablePointer<ConnectionState>) -> Bool {
        let packet = takeOldest(of: state)
        slab.release(packet.slot)
        guard packet.kind == .relayed else { return false }
        counters.pointee.queueTimeOfDropped.observe((now &- packet.queuedAt) &* 1_000_000)
        return true
    }
}
