import HubEngine
import HubSimulation
import HubTestSupport

@testable import HubServer

/// The engine and the relays of one loop or several, without sockets and on a virtual clock.
///
/// It does the work of the hub between two messages.
final class RelayFixture {
    var hub: SimulatedHub
    let audioOutlet = AudioOutletSpy()
    /// By loop.
    let relays: [AudioRelay<AudioOutletSpy>]
    let context: LoopGroupContext
    /// The SSRCs of the audio sources that each device has been notified of.
    private(set) var told: [SessionID: Set<UInt32>] = [:]
    /// Milliseconds that a packet may be on its way between two loops.
    var staleAfter: UInt32 = 120
    private let memory: [RelayMemory]
    private let control: RelayControl
    private let pendingUpdates: PendingLoopUpdates
    private var connections: [SessionID: ConnectionID] = [:]

    /// The relay of the hub's own loop.
    var relay: AudioRelay<AudioOutletSpy> { relays[0] }

    /// Makes a fixture; devices are assigned to its loops in turn.
    init(seed: UInt64 = 1, loops: Int = 1) {
        hub = SimulatedHub(EngineConfiguration(seed: seed))
        let context = LoopGroupContext(loops: loops, ringBytes: 1 << 16)
        self.context = context
        let audioOutlet = self.audioOutlet
        memory = (0..<loops).map { RelayMemory(LoopIndex(number: $0, context: context), audioOutlet) }
        relays = memory.map { $0.storage.view }
        let pendingUpdates = PendingLoopUpdates(loops: loops)
        self.pendingUpdates = pendingUpdates
        control = RelayControl { loop, command in pendingUpdates.add(command, for: Int(loop)) }
    }

    /// Signs a device in.
    func open(
        _ account: String,
        configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) throws -> SessionID {
        let session = try hub.open(account, configure: configure)
        let connection = freshConnection(on: connections.count % relays.count)
        connections[session] = connection
        control.open(session, on: connection)
        takeOverRoutes()
        applyAllUpdates()
        return session
    }

    /// Moves a device to another connection.
    func move(_ session: SessionID, to loop: Int) {
        let connection = freshConnection(on: loop)
        connections[session] = connection
        control.attach(session, to: connection)
        pendingUpdates.flush(heard: receivedSSRCs())
    }

    /// Returns the device that has a connection now; nil if there is none.
    func device(at id: ConnectionID) -> SessionID? { connections.first { $0.value == id }?.key }

    private var lastSlot: UInt32 = 0

    private func freshConnection(on loop: Int) -> ConnectionID {
        lastSlot += 1
        return ConnectionID(slot: lastSlot % 256, generation: lastSlot, loop: UInt16(loop))
    }

    /// Changes the hub, and has all relays apply the resulting updates.
    func change<Result>(_ body: (inout SimulatedHub) throws -> Result) rethrows -> Result {
        defer { applyAllUpdates() }
        return try changeWithoutApplying(body)
    }

    /// Changes the hub; the relays apply the resulting updates when they `applyUpdates`.
    func changeWithoutApplying<Result>(_ body: (inout SimulatedHub) throws -> Result) rethrows -> Result {
        defer { takeOverRoutes() }
        return try body(&hub)
    }

    /// Has a loop's relay apply the first of its pending updates.
    ///
    /// - Returns: True if an update was pending.
    @discardableResult
    func applyFirstUpdate(_ loop: Int) -> Bool {
        drainInboundRing(on: loop)
        guard !pendingUpdates.waiting[loop].isEmpty else { return false }
        let update = pendingUpdates.waiting[loop].removeFirst()
        for command in update.commands { _ = relays[loop].apply(command, at: hub.now) }
        for (session, connection) in connections where connection.loop == loop {
            told[session] = update.heard[session] ?? []
        }
        return true
    }

    /// Has a loop's relay apply all its pending updates.
    func applyUpdates(_ loop: Int) {
        while applyFirstUpdate(loop) {}
    }

    /// Has all relays apply all their pending updates.
    func applyAllUpdates() {
        for loop in relays.indices { applyUpdates(loop) }
    }

    /// Returns the write positions of a loop's inbound rings, in bytes, by sending loop.
    func marks(of loop: Int) -> [Int: Int] {
        Dictionary(
            uniqueKeysWithValues: others(of: loop).map { ($0, context.ring(from: $0, to: loop).acknowledgeWrites()) }
        )
    }

    /// Drains a loop's inbound rings, and drops packets before the marks whose listener's gate is shut.
    func drainInboundRing(on loop: Int, enforcingGatesBefore marks: [Int: Int] = [:]) {
        for other in others(of: loop) {
            let ring = context.ring(from: other, to: loop)
            relays[loop].drainInboundRing(
                from: ring,
                at: hub.now,
                staleAfter: staleAfter,
                enforcingGatesBefore: marks[other]
            )
        }
    }

    private func others(of loop: Int) -> some Sequence<Int> { relays.indices.lazy.filter { $0 != loop } }

    /// Sends one packet from a device, with an SSRC that may be an old one, and returns its receivers.
    func send(from session: SessionID, ssrc: UInt32) -> [SessionID] {
        // Numbered by the clock, as a real-time sender would.
        let number = Int(hub.now.nanoseconds / 20_000_000)
        let packet = TestPhone.packet([0x78, 1, 2, 3], ssrc: ssrc, number: number)
        audioOutlet.sent = []
        receive(packet, from: session)
        for loop in relays.indices { drainInboundRing(on: loop, enforcingGatesBefore: marks(of: loop)) }
        return audioOutlet.sent.compactMap { device(at: $0.id) }
    }

    /// Receives a packet on a device's connection.
    func receive(_ packet: [UInt8], from session: SessionID) {
        let connection = connections[session] ?? .none
        packet.withUnsafeBytes { relays[Int(connection.loop)].receive($0, from: connection, at: hub.now) }
    }

    private func takeOverRoutes() {
        for effect in hub.lastEffects {
            guard case .audioRouteChanged(let session) = effect else { continue }
            control.setRoute(hub.engine.audioRoute(of: session), of: session, at: hub.now)
        }
        pendingUpdates.flush(heard: receivedSSRCs())
    }

    /// Returns the SSRCs that each device receives by the engine's current audio routes.
    private func receivedSSRCs() -> [SessionID: Set<UInt32>] {
        var heard: [SessionID: Set<UInt32>] = [:]
        for device in connections.keys {
            let route = hub.engine.audioRoute(of: device)
            guard let ssrc = route.ssrc else { continue }
            for sink in route.sinks { heard[sink, default: []].insert(ssrc) }
        }
        return heard
    }
}

/// The memory of a loop's relay; an object, as an array holds no noncopyable values.
private final class RelayMemory {
    let storage: AudioRelayStorage<AudioOutletSpy>

    init(_ loopIndex: LoopIndex, _ outlet: AudioOutletSpy) {
        storage = AudioRelayStorage(
            connections: 256,
            outlet: outlet,
            lateAfter: .milliseconds(500),
            crossLoopLink: CrossLoopLink(from: loopIndex)
        )
    }
}

/// An update from the hub to a loop: commands for its relay, and the SSRCs that each device now receives.
private struct LoopUpdate {
    var commands: [RelayCommand]
    var heard: [SessionID: Set<UInt32>]
}

/// The updates that each loop has been sent and has not yet applied.
private final class PendingLoopUpdates {
    /// By loop.
    var waiting: [[LoopUpdate]]
    private var current: [[RelayCommand]]

    init(loops: Int) {
        waiting = Array(repeating: [], count: loops)
        current = waiting.map { _ in [] }
    }

    func add(_ command: RelayCommand, for loop: Int) {
        current[loop].append(command)
    }

    /// Queues the commands added so far as one update for each loop; later commands form another update.
    func flush(heard: [SessionID: Set<UInt32>]) {
        for loop in current.indices where !current[loop].isEmpty {
            waiting[loop].append(LoopUpdate(commands: current[loop], heard: heard))
            current[loop] = []
        }
    }
}

/// An audio outlet that records the destinations of packets.
final class AudioOutletSpy: AudioOutlet {
    var sent: [(id: ConnectionID, ssrc: UInt32, number: UInt16)] = []
    var droppedQueues: [ConnectionID] = []

    func sendAudio(
        _ packet: UnsafeRawBufferPointer,
        to id: ConnectionID,
        kind: PacketKind,
        mayCoalesce: Bool
    ) -> AudioOutcome {
        let ssrc = UInt32(bigEndian: packet.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        sent.append((id, ssrc, UInt16(bigEndian: packet.loadUnaligned(fromByteOffset: 2, as: UInt16.self))))
        return .sent
    }

    func flushAudio(of id: ConnectionID) {}

    func dropQueuedAudio(of id: ConnectionID, from ssrc: UInt32?) {
        droppedQueues.append(id)
    }

    var relayedPackets: UInt64 { UInt64(sent.count) }
    func droppedFromQueue(_ reason: DropReason) -> UInt64 { 0 }
    func takePathStatistics(of id: ConnectionID) -> PathStatistics? { nil }
    func audioDroppedIfWritable(by id: ConnectionID) -> UInt32? { nil }
}
