import HubEngine
import LoopMailbox

/// The link from a relay to the other loops: a ring to each, and a flag for each loop to wake after the iteration.
///
/// Owns the flags and keeps the rings of the ``LoopGroupContext`` alive.
struct CrossLoopLink: ~Copyable {
    /// The link as a trivial view, for the packet path; the owner keeps the memory alive.
    struct View {
        fileprivate let outgoing: UnsafeMutablePointer<PacketRing.View>?
        fileprivate let hasWrittenTo: UnsafeMutablePointer<Bool>?
        /// The number of loops and mixers; 0 if there is only one, since no packet changes loops then.
        let count: Int
        /// The number of the relay's own loop.
        let loop: UInt16
    }

    /// The view for the packet path.
    let view: View

    private let context: LoopGroupContext?

    /// Makes a link without other loops.
    init() {
        view = View(outgoing: nil, hasWrittenTo: nil, count: 0, loop: 0)
        context = nil
    }

    /// Makes the link from a loop to all others.
    ///
    /// - Parameter loopIndex: The context of the loop.
    init(from loopIndex: LoopIndex) {
        context = loopIndex.context
        let loops = loopIndex.context.nodeCount
        let loop = UInt16(truncatingIfNeeded: loopIndex.number)
        guard loops > 1 else {
            view = View(outgoing: nil, hasWrittenTo: nil, count: 0, loop: loop)
            return
        }
        let rings = UnsafeMutablePointer<PacketRing.View>.allocate(capacity: loops)
        for reader in 0..<loops {
            (rings + reader).initialize(to: loopIndex.context.ring(from: loopIndex.number, to: reader))
        }
        let flags = UnsafeMutablePointer<Bool>.allocate(capacity: loops)
        flags.initialize(repeating: false, count: loops)
        view = View(outgoing: rings, hasWrittenTo: flags, count: loops, loop: loop)
    }

    deinit {
        view.outgoing?.deallocate()
        view.hasWrittenTo?.deallocate()
    }

    /// Converts a time to the milliseconds that a ring's packets are stamped with; wraps around at 32 bits.
    static func milliseconds(_ now: Instant) -> UInt32 {
        UInt32(truncatingIfNeeded: now.nanoseconds / 1_000_000)
    }
}

extension CrossLoopLink.View {
    /// Writes a packet to the ring of a listener's loop.
    ///
    /// - Parameters:
    ///   - packet: A whole RTP packet.
    ///   - sink: The listener and its loop.
    ///   - now: The time by the hub's clock.
    /// - Returns: False if the ring is full because the other loop lags.
    @inline(__always)
    func send(_ packet: UnsafeRawBufferPointer, to sink: RelaySink, at now: Instant) -> Bool {
        guard let outgoing, let hasWrittenTo, Int(sink.loop) < count else { return false }
        hasWrittenTo[Int(sink.loop)] = true
        return outgoing[Int(sink.loop)].write(packet, for: sink.session, at: CrossLoopLink.milliseconds(now))
    }

    /// Writes a record to the ring of a mixer; false if it is full.
    func send(_ record: UnsafeRawBufferPointer, toMixer mixer: UInt16, at now: Instant) -> Bool {
        send(record, to: RelaySink(session: SessionID(index: 0, generation: 0), loop: mixer), at: now)
    }

    /// Wakes the loops whose rings were written to: once for all packets of an iteration.
    func wakeOthers(by context: LoopGroupContext) {
        guard let outgoing, let hasWrittenTo else { return }
        for other in 0..<count where hasWrittenTo[other] {
            hasWrittenTo[other] = false
            if outgoing[other].announce() { context.wake(other) }
        }
    }
}
