import HubEngine

/// A loop's relay with its links to the other loops' relays.
///
/// Everything that changes is behind a pointer, so that the packet path needs no exclusivity check.
struct PacketPath: ~Copyable {
    private let storage = UniqueMemory<AudioRelayStorage<Connections>?>(nil)
    private let startedRelay = UniqueMemory<AudioRelay<Connections>?>(nil)
    private let incoming: OwnedBuffer<PacketRing.View>
    private let marks: OwnedBuffer<Int>
    private let pendingCommands = UniqueMemory(false)
    private let loopIndex: LoopIndex

    /// Makes the path of a loop that has not started.
    ///
    /// - Parameter loopIndex: The context of the loop.
    init(_ loopIndex: LoopIndex) {
        self.loopIndex = loopIndex
        let others = (0..<loopIndex.context.nodeCount).filter { $0 != loopIndex.number }
        incoming = OwnedBuffer(others.map { loopIndex.context.ring(from: $0, to: loopIndex.number) })
        marks = OwnedBuffer(others.map { _ in 0 })
    }

    /// The relay; nil only before the loop has started.
    @inline(__always)
    var relay: AudioRelay<Connections>? { startedRelay.pointer.pointee }

    /// True while the hub has commands for other loops that have not been posted yet.
    @inline(__always)
    var hasPendingCommands: Bool {
        get { pendingCommands.pointer.pointee }
        nonmutating set { pendingCommands.pointer.pointee = newValue }
    }

    /// Makes the relay.
    ///
    /// - Parameter loop: The loop of the relay.
    /// - Returns: The relay; freed with the path.
    func start(on loop: ServerLoop) -> AudioRelay<Connections> {
        let storage = AudioRelayStorage(
            connections: loop.maximumConnections,
            outlet: loop.connections,
            lateAfter: loop.settings.lateAfter,
            crossLoopLink: CrossLoopLink(from: loopIndex)
        )
        let relay = storage.view
        self.storage.pointer.pointee = consume storage
        startedRelay.pointer.pointee = relay
        return relay
    }

    /// Marks the ends of the inbound rings.
    ///
    /// A command that opened a gate for a packet in front of the mark is in the mailbox by now.
    func markInboundRings() {
        for index in 0..<incoming.count { marks[index] = incoming[index].acknowledgeWrites() }
    }

    /// Delivers packets from other loops to listeners whose gate is open.
    ///
    /// A packet for any other listener stays queued until the hub's next commands, and so do those behind it.
    ///
    /// - Parameter now: The time by the hub's clock.
    func drainInboundRing(at now: Instant) {
        drain(at: now) { _ in nil }
    }

    /// Delivers packets from other loops after all commands of the hub have run.
    ///
    /// Unlike `drainInboundRing(at:)`, it drops packets in front of the mark whose listener's gate is shut.
    ///
    /// - Parameter now: The time by the hub's clock.
    func enforceInboundGates(at now: Instant) {
        drain(at: now) { marks[$0] }
    }

    @inline(__always)
    private func drain(at now: Instant, enforcingGatesBefore mark: (Int) -> Int?) {
        guard !incoming.isEmpty, let relay else { return }
        let staleAfter = UInt32(clamping: relay.outlet.limits.staleAfter)
        for index in 0..<incoming.count {
            relay.drainInboundRing(
                from: incoming[index],
                at: now,
                staleAfter: staleAfter,
                enforcingGatesBefore: mark(index)
            )
        }
    }

    /// Wakes the loops whose rings were written to.
    func wakeOthers() {
        relay?.crossLoopLink.wakeOthers(by: loopIndex.context)
    }
}
