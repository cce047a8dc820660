import HubEngine

/// A relay's way to listeners on other loops: a ring to each, and whom to wake when the turn is over.
///
/// A trivial view; `deallocate()` frees its memory, the rings are the ``LoopNetwork``'s.
struct RelayCrossing {
    private let outgoing: UnsafeMutablePointer<PacketRing>?
    private let isTouched: UnsafeMutablePointer<Bool>?
    /// How many loops there are; 0: there is but one, and nothing crosses.
    let count: Int
    /// The relay's own.
    let loop: UInt16

    /// No other loops.
    static var none: RelayCrossing { RelayCrossing() }

    private init() {
        outgoing = nil
        isTouched = nil
        count = 0
        loop = 0
    }

    /// The way from a loop to all others.
    ///
    /// - Parameter place: The loop.
    init(from place: LoopPlace) {
        let loops = place.network.count
        loop = UInt16(truncatingIfNeeded: place.number)
        count = loops > 1 ? loops : 0
        guard loops > 1 else {
            outgoing = nil
            isTouched = nil
            return
        }
        let rings = UnsafeMutablePointer<PacketRing>.allocate(capacity: loops)
        for reader in 0..<loops {
            (rings + reader).initialize(to: place.network.ring(from: place.number, to: reader))
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

    /// Leaves a packet for a listener on another loop.
    ///
    /// - Parameters:
    ///   - packet: A whole RTP packet.
    ///   - sink: Who and where.
    ///   - now: The hub's clock.
    /// - Returns: False where the other loop is so far behind that there is no room.
    @inline(__always)
    func send(_ packet: UnsafeRawBufferPointer, to sink: RelaySink, at now: Instant) -> Bool {
        guard let outgoing, let isTouched, Int(sink.loop) < count else { return false }
        isTouched[Int(sink.loop)] = true
        return outgoing[Int(sink.loop)].write(packet, for: sink.session, at: Self.milliseconds(now))
    }

    /// Wakes the loops that something was left for: once for all packets of a turn.
    func wakeOthers(by network: LoopNetwork) {
        guard let outgoing, let isTouched else { return }
        for other in 0..<count where isTouched[other] {
            isTouched[other] = false
            if outgoing[other].announce() { network.mailboxes[other].wake() }
        }
    }

    /// The clock that a ring's packets are stamped by.
    static func milliseconds(_ now: Instant) -> UInt32 {
        UInt32(truncatingIfNeeded: now.nanoseconds / 1_000_000)
    }
}
