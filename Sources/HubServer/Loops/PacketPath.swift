import HubEngine

/// A loop's relay with its links to the other loops' relays.
///
/// The relay is behind a pointer, so that the packet path needs no exclusivity check.
struct PacketPath: ~Copyable {
    private let memory: UnsafeMutablePointer<AudioRelay<Connections>?>
    private let incoming: UnsafeMutablePointer<PacketRing>
    private let marks: UnsafeMutablePointer<Int>
    private let incomingCount: Int
    private let pendingCommands: UnsafeMutablePointer<Bool>
    private let loopIndex: LoopIndex

    /// Makes the path of a loop that has not started.
    ///
    /// - Parameter loopIndex: The context of the loop.
    init(_ loopIndex: LoopIndex) {
        self.loopIndex = loopIndex
        memory = .allocate(capacity: 1)
        memory.initialize(to: nil)
        let others = (0..<loopIndex.network.count).filter { $0 != loopIndex.number }
        incomingCount = others.count
        incoming = .allocate(capacity: max(others.count, 1))
        pendingCommands = .allocate(capacity: 1)
        pendingCommands.initialize(to: false)
        marks = .allocate(capacity: max(others.count, 1))
        marks.initialize(repeating: 0, count: max(others.count, 1))
        for (index, other) in others.enumerated() {
            (incoming + index).initialize(to: loopIndex.network.ring(from: other, to: loopIndex.number))
        }
    }

    deinit {
        memory.pointee?.deallocate()
        memory.deallocate()
        incoming.deallocate()
        marks.deallocate()
        pendingCommands.deallocate()
    }

    /// The relay; nil only before the loop has started.
    @inline(__always)
    var relay: AudioRelay<Connections>? { memory.pointee }

    /// True while the hub has commands for other loops that have not been posted yet.
    @inline(__always)
    var hasPendingCommands: Bool {
        get { pendingCommands.pointee }
        nonmutating set { pendingCommands.pointee = newValue }
    }

    /// Makes the relay.
    ///
    /// - Parameter loop: The loop of the relay.
    /// - Returns: The relay; freed with the path.
    func start(on loop: ServerLoop) -> AudioRelay<Connections> {
        let relay = AudioRelay(
            connections: loop.maximumConnections,
            outlet: loop.connections,
            crossLoopLink: CrossLoopLink(from: loopIndex)
        )
        memory.pointee = relay
        return relay
    }

    /// Marks the ends of the inbound rings.
    ///
    /// A command that opened a gate for a packet in front of the mark is in the mailbox by now.
    func markInboundRings() {
        for index in 0..<incomingCount { marks[index] = incoming[index].lookedAt() }
    }

    /// Delivers packets from other loops to listeners whose gate is open.
    ///
    /// A packet for another listener waits for more commands of the hub, and so do those behind it.
    ///
    /// - Parameter now: The time by the hub's clock.
    func drainInboundRing(at now: Instant) {
        take(at: now) { _ in nil }
    }

    /// Delivers packets from other loops after all commands of the hub have run.
    ///
    /// Unlike `drainInboundRing(at:)`, it drops packets in front of the mark whose listener's gate is shut.
    ///
    /// - Parameter now: The time by the hub's clock.
    func enforceInboundGates(at now: Instant) {
        take(at: now) { marks[$0] }
    }

    @inline(__always)
    private func take(at now: Instant, judgedUntil mark: (Int) -> Int?) {
        guard incomingCount > 0, let relay else { return }
        let staleAfter = UInt32(clamping: relay.outlet.limits.staleAfter)
        for index in 0..<incomingCount {
            relay.drainInboundRing(from: incoming[index], at: now, staleAfter: staleAfter, judgedUntil: mark(index))
        }
    }

    /// Wakes the loops whose rings were written to.
    func wakeOthers() {
        relay?.crossLoopLink.wakeOthers(by: loopIndex.network)
    }
}
