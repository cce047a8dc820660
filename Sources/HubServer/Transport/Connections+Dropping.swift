/// Waiting packets that are given up. Only what somebody said counts: the hub's own sounds and reports are made anew all
/// the time.
extension Connections {
    /// Drops what has waited too long.
    ///
    /// - Parameters:
    ///   - state: In this table.
    ///   - age: Milliseconds.
    func dropStale(of state: UnsafeMutablePointer<ConnectionState>, olderThan age: UInt64) {
        let now = self.now
        while state.pointee.ringCount > 0, now &- oldest(of: state).queuedAt > age {
            if dropOldest(of: state) {
                counters.pointee.audioDroppedStale &+= 1
                state.pointee.audioDropped &+= 1
            }
        }
    }

    /// Drops the oldest packet, for a newer one.
    ///
    /// - Parameter state: With a packet waiting.
    func dropOldestForRoom(of state: UnsafeMutablePointer<ConnectionState>) {
        if dropOldest(of: state) { noteNoRoom(for: state) }
    }

    /// Counts a packet for which there was no room.
    ///
    /// - Parameter state: In this table.
    func noteNoRoom(for state: UnsafeMutablePointer<ConnectionState>) {
        counters.pointee.audioDroppedForRoom &+= 1
        state.pointee.audioDropped &+= 1
    }

    /// Drops all that waits, for a new audio session or a connection on its way out.
    ///
    /// - Parameter state: In this table.
    func dropAudio(of state: UnsafeMutablePointer<ConnectionState>) {
        let flags = state.pointee.flags
        let isGoing = !flags.contains(.open) || !flags.isDisjoint(with: [.closing, .killed])
        while state.pointee.ringCount > 0 {
            guard dropOldest(of: state) else { continue }
            if isGoing {
                counters.pointee.audioDroppedLost &+= 1
            } else {
                counters.pointee.audioDroppedUnheard &+= 1
            }
        }
    }

    /// Drops what one talker has said; the others' packets stay, in order.
    ///
    /// - Parameters:
    ///   - state: In this table.
    ///   - ssrc: The talker's.
    func dropAudio(of state: UnsafeMutablePointer<ConnectionState>, from ssrc: UInt32) {
        for _ in 0..<state.pointee.ringCount {
            if isFrom(ssrc, oldest(of: state)) {
                if dropOldest(of: state) { counters.pointee.audioDroppedUnheard &+= 1 }
            } else {
                append(takeOldest(of: state), to: state)
            }
        }
    }

    private func isFrom(_ ssrc: UInt32, _ packet: WaitingPacket) -> Bool {
        guard packet.kind == .relayed, packet.count >= 12, let payload = slab.payload(of: packet.slot) else {
            return false
        }
        return UInt32(bigEndian: payload.loadUnaligned(fromByteOffset: 8, as: UInt32.self)) == ssrc
    }

    /// - Returns: Whether it is to be counted.
    private func dropOldest(of state: UnsafeMutablePointer<ConnectionState>) -> Bool {
        let packet = takeOldest(of: state)
        slab.giveBack(packet.slot)
        guard packet.kind == .relayed else { return false }
        counters.pointee.waitOfDropped.observe((now &- packet.queuedAt) &* 1_000_000)
        return true
    }
}
