import HubEngine

/// A loop's relay with its ways to the other loops' relays.
///
/// A trivial view: behind a pointer, so that the packet path pays for no exclusivity check.
struct PacketPath {
    private let memory: UnsafeMutablePointer<AudioRelay<Connections>?>
    private let incoming: UnsafeMutablePointer<PacketRing>
    private let incomingCount: Int
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
        for (index, other) in others.enumerated() {
            (incoming + index).initialize(to: place.network.ring(from: other, to: place.number))
        }
    }

    /// Frees the memory, the relay's too.
    func deallocate() {
        memory.pointee?.deallocate()
        memory.deallocate()
        incoming.deallocate()
    }

    /// Nil only before the loop has started.
    @inline(__always)
    var relay: AudioRelay<Connections>? { memory.pointee }

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

    /// Passes on what other loops have left here.
    ///
    /// - Parameters:
    ///   - now: The hub's clock.
    ///   - isFinal: See ``AudioRelay/takeCrossed(from:at:staleAfter:isFinal:)``.
    func takeCrossed(at now: Instant, isFinal: Bool) {
        guard incomingCount > 0, let relay else { return }
        let staleAfter = UInt32(clamping: relay.outlet.limits.staleAfter)
        for index in 0..<incomingCount {
            if isFinal { incoming[index].noteLooking() }
            relay.takeCrossed(from: incoming[index], at: now, staleAfter: staleAfter, isFinal: isFinal)
        }
    }

    /// Wakes the loops that something was left for.
    func wakeOthers() {
        relay?.crossing.wakeOthers(by: place.network)
    }
}
