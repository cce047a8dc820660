import HubEngine

/// A loop's relay with its ways to the other loops' relays.
///
/// A trivial view: behind a pointer, so that the packet path pays for no exclusivity check.
struct PacketPath {
    private let memory: UnsafeMutablePointer<AudioRelay<Connections>?>
    private let incoming: UnsafeMutablePointer<PacketRing>
    private let marks: UnsafeMutablePointer<Int>
    private let incomingCount: Int
    private let unsaid: UnsafeMutablePointer<Bool>
    private let place: LoopPlace

    /// The path of a loop that has not started.
    ///
    /// - Parameter place: The loop's.
    init(_ place: LoopPlace) {
        self.place = place
        memory = .allocate(capacity: 1)
        memory.initialize(to: nil)
        let others = (0..<place.network.count).filter { $0 != place.number }
        incomingCount = others.count
        incoming = .allocate(capacity: max(others.count, 1))
        unsaid = .allocate(capacity: 1)
        unsaid.initialize(to: false)
        marks = .allocate(capacity: max(others.count, 1))
        marks.initialize(repeating: 0, count: max(others.count, 1))
        for (index, other) in others.enumerated() {
            (incoming + index).initialize(to: place.network.ring(from: other, to: place.number))
        }
    }

    /// Frees the memory, the relay's too.
    func deallocate() {
        memory.pointee?.deallocate()
        memory.deallocate()
        incoming.deallocate()
        marks.deallocate()
        unsaid.deallocate()
    }

    /// Nil only before the loop has started.
    @inline(__always)
    var relay: AudioRelay<Connections>? { memory.pointee }

    /// Whether the hub has something to say to another loop that is not on its way yet.
    @inline(__always)
    var hasUnsaidWord: Bool {
        get { unsaid.pointee }
        nonmutating set { unsaid.pointee = newValue }
    }

    /// Makes the relay.
    ///
    /// - Parameter loop: The one it is for.
    /// - Returns: The relay, freed with the path.
    func start(on loop: ServerLoop) -> AudioRelay<Connections> {
        let relay = AudioRelay(
            connections: loop.maximumConnections,
            outlet: loop.connections,
            crossing: RelayCrossing(from: place)
        )
        memory.pointee = relay
        return relay
    }

    /// Notes how far other loops have come: whatever opened a gate for those packets is in the mailbox now.
    func markCrossed() {
        for index in 0..<incomingCount { marks[index] = incoming[index].lookedAt() }
    }

    /// Passes on what other loops have left here for listeners whose gate is open; a packet for another one waits for more
    /// of the hub's word, and those behind it.
    ///
    /// - Parameter now: The hub's clock.
    func takeCrossed(at now: Instant) {
        take(at: now) { _ in nil }
    }

    /// The same, when all of the hub's word has been obeyed: what was there at the mark and finds a gate shut is dropped.
    ///
    /// - Parameter now: The hub's clock.
    func judgeCrossed(at now: Instant) {
        take(at: now) { marks[$0] }
    }

    @inline(__always)
    private func take(at now: Instant, judgedUntil mark: (Int) -> Int?) {
        guard incomingCount > 0, let relay else { return }
        let staleAfter = UInt32(clamping: relay.outlet.limits.staleAfter)
        for index in 0..<incomingCount {
            relay.takeCrossed(from: incoming[index], at: now, staleAfter: staleAfter, judgedUntil: mark(index))
        }
    }

    /// Wakes the loops that something was left for.
    func wakeOthers() {
        relay?.crossing.wakeOthers(by: place.network)
    }
}
