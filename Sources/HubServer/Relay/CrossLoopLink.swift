import HubEngine

/// The link from a relay to the other loops: a ring to each, and a flag for each loop to wake after the iteration.
///
/// A trivial view; `deallocate()` frees its memory, the rings are the ``LoopGroupContext``'s.
package struct CrossLoopLink {
    private let outgoing: UnsafeMutablePointer<PacketRing>?
    private let isTouched: UnsafeMutablePointer<Bool>?
    /// The number of loops; 0 if there is only one, since no packet changes loops then.
    let count: Int
    /// The number of the relay's own loop.
    let loop: UInt16

    /// A link without other loops.
    package static var none: CrossLoopLink { CrossLoopLink() }

    private init() {
        outgoing = nil
        isTouched = nil
        count = 0
        loop = 0
    }

    /// Makes the link from a loop to all others.
    ///
    /// - Parameter loopIndex: The context of the loop.
    init(from loopIndex: LoopIndex) {
        let loops = loopIndex.network.count
        loop = UInt16(truncatingIfNeeded: loopIndex.number)
        count = loops > 1 ? loops : 0
        guard loops > 1 else {
            outgoing = nil
            isTouched = nil
            return
        }
        let rings = UnsafeMutablePointer<PacketRing>.allocate(capacity: loops)
        for reader in 0..<loops {
            (rings + reader).initialize(to: loopIndex.network.ring(from: loopIndex.number, to: reader))
        }
        let flags = UnsafeMutablePointer<Bool>.allocate(capacity: loops)
        flags.initialize(repeating: false, count: loops)
        outgoing = rings
        isTouched = flags
    }

    /// Frees its memory.
    func deallocate() {
        outgoing?.deallocate()
        isTouched?.deallocate()
    }

    /// Writes a packet to the ring of a listener's loop.
    ///
    /// - Parameters:
    ///   - packet: A whole RTP packet.
    ///   - sink: The listener and its loop.
    ///   - now: The time by the hub's clock.
    /// - Returns: False if the ring is full because the other loop lags.
    @inline(__always)
    func send(_ packet: UnsafeRawBufferPointer, to sink: RelaySink, at now: Instant) -> Bool {
        guard let outgoing, let isTouched, Int(sink.loop) < count else { return false }
        isTouched[Int(sink.loop)] = true
        return outgoing[Int(sink.loop)].write(packet, for: sink.session, at: Self.milliseconds(now))
    }

    /// Wakes the loops whose rings were written to: once for all packets of an iteration.
    func wakeOthers(by network: LoopGroupContext) {
        guard let outgoing, let isTouched else { return }
        for other in 0..<count where isTouched[other] {
            isTouched[other] = false
            if outgoing[other].announce() { network.mailboxes[other].wake() }
        }
    }

    /// Converts a time to the milliseconds that a ring's packets are stamped with; wraps around at 32 bits.
    static func milliseconds(_ now: Instant) -> UInt32 {
        UInt32(truncatingIfNeeded: now.nanoseconds / 1_000_000)
    }
}
