import HubEngine
import HubSimulation
import HubTestSupport

@testable import HubServer

/// The engine and the relays of one loop or several together, without sockets and on a virtual clock: what the hub does between
/// two messages.
final class RelayWorld {
    var hub: SimulatedHub
    let notebook = Notebook()
    /// By loop.
    let relays: [AudioRelay<Notebook>]
    let network: LoopNetwork
    /// Whom each device has been told that it hears, by SSRC.
    private(set) var told: [SessionID: Set<UInt32>] = [:]
    /// Milliseconds that a packet may be on its way between two loops.
    var staleAfter: UInt32 = 120
    private let control: RelayControl
    private let orders: Orders
    private var connections: [SessionID: ConnectionID] = [:]

    /// The relay of the hub's own loop.
    var relay: AudioRelay<Notebook> { relays[0] }

    /// A world; each device is on the next one of its loops.
    init(seed: UInt64 = 1, loops: Int = 1) {
        hub = SimulatedHub(EngineConfiguration(seed: seed))
        let network = LoopNetwork(loops: loops, ringBytes: 1 << 16)
        self.network = network
        let notebook = self.notebook
        relays = (0..<loops).map { number in
            let crossing = RelayCrossing(from: LoopPlace(number: number, network: network))
            return AudioRelay(connections: 256, outlet: notebook, crossing: crossing)
        }
        let orders = Orders(loops: loops)
        self.orders = orders
        control = RelayControl { loop, command in orders.add(command, for: Int(loop)) }
    }

    deinit {
        for relay in relays { relay.deallocate() }
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
        obeyAll()
        return session
    }

    /// A device comes back on another connection.
    func move(_ session: SessionID, to loop: Int) {
        let connection = freshConnection(on: loop)
        connections[session] = connection
        control.attach(session, to: connection)
        orders.flush(heard: heardNow())
    }

    /// Whose connection that is now.
    func device(at id: ConnectionID) -> SessionID? { connections.first { $0.value == id }?.key }

    private var lastSlot: UInt32 = 0

    private func freshConnection(on loop: Int) -> ConnectionID {
        lastSlot += 1
        return ConnectionID(slot: lastSlot % 256, generation: lastSlot, loop: UInt16(loop))
    }

    /// Does something to the hub, and has the relays take over what came of it.
    func change<Result>(_ body: (inout SimulatedHub) throws -> Result) rethrows -> Result {
        defer { obeyAll() }
        return try changeSilently(body)
    }

    /// Does something to the hub; the relays hear of it when they `obey`.
    func changeSilently<Result>(_ body: (inout SimulatedHub) throws -> Result) rethrows -> Result {
        defer { takeOverRoutes() }
        return try body(&hub)
    }

    /// A loop's relay does what it was told first, and has not done yet.
    ///
    /// - Returns: Whether there was something.
    @discardableResult
    func obeyFirst(_ loop: Int) -> Bool {
        takeCrossed(on: loop)
        guard !orders.waiting[loop].isEmpty else { return false }
        let word = orders.waiting[loop].removeFirst()
        for command in word.commands { _ = relays[loop].apply(command, at: hub.now) }
        for (session, connection) in connections where connection.loop == loop {
            told[session] = word.heard[session] ?? []
        }
        return true
    }

    /// A loop's relay does all that it was told.
    func obey(_ loop: Int) {
        while obeyFirst(loop) {}
    }

    /// All of them do.
    func obeyAll() {
        for loop in relays.indices { obey(loop) }
    }

    /// How far the others have come with what they leave for a loop.
    func marks(of loop: Int) -> [Int: Int] {
        Dictionary(uniqueKeysWithValues: others(of: loop).map { ($0, network.ring(from: $0, to: loop).lookedAt()) })
    }

    /// A loop's relay passes on what others have left for it, and drops what nobody may hear that was there at the marks.
    func takeCrossed(on loop: Int, judgedUntil marks: [Int: Int] = [:]) {
        for other in others(of: loop) {
            let ring = network.ring(from: other, to: loop)
            relays[loop].takeCrossed(from: ring, at: hub.now, staleAfter: staleAfter, judgedUntil: marks[other])
        }
    }

    private func others(of loop: Int) -> some Sequence<Int> { relays.indices.lazy.filter { $0 != loop } }

    /// A device sends one packet, with an SSRC that may be an old one; who got it.
    func send(from session: SessionID, ssrc: UInt32) -> [SessionID] {
        // Numbered by the clock, as a real-time sender would.
        let number = Int(hub.now.nanoseconds / 20_000_000)
        let packet = TestPhone.packet([0x78, 1, 2, 3], ssrc: ssrc, number: number)
        notebook.sent = []
        receive(packet, from: session)
        for loop in relays.indices { takeCrossed(on: loop, judgedUntil: marks(of: loop)) }
        return notebook.sent.compactMap { device(at: $0.id) }
    }

    /// A packet comes on a device's connection.
    func receive(_ packet: [UInt8], from session: SessionID) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 + packet.count, alignment: 16)
        defer { memory.deallocate() }
        let body = UnsafeMutableRawBufferPointer(rebasing: memory[16...])
        body.copyBytes(from: packet)
        let connection = connections[session] ?? .none
        relays[Int(connection.loop)].receive(body, from: connection, at: hub.now)
    }

    private func takeOverRoutes() {
        for effect in hub.lastEffects {
            guard case .audioRouteChanged(let session) = effect else { continue }
            control.setRoute(hub.engine.audioRoute(of: session), of: session)
        }
        orders.flush(heard: heardNow())
    }

    /// Whom each device hears by the engine's word.
    private func heardNow() -> [SessionID: Set<UInt32>] {
        var heard: [SessionID: Set<UInt32>] = [:]
        for device in connections.keys {
            let route = hub.engine.audioRoute(of: device)
            guard let ssrc = route.ssrc else { continue }
            for sink in route.sinks { heard[sink, default: []].insert(ssrc) }
        }
        return heard
    }
}

/// What the hub says to a loop in one go: to its relay, and to its clients whom they hear now.
private struct Word {
    var commands: [RelayCommand]
    var heard: [SessionID: Set<UInt32>]
}

/// What each loop has been told and has not done yet.
private final class Orders {
    /// By loop.
    var waiting: [[Word]]
    private var current: [[RelayCommand]]

    init(loops: Int) {
        waiting = Array(repeating: [], count: loops)
        current = waiting.map { _ in [] }
    }

    func add(_ command: RelayCommand, for loop: Int) {
        current[loop].append(command)
    }

    /// What is said next is said in another go.
    func flush(heard: [SessionID: Set<UInt32>]) {
        for loop in current.indices where !current[loop].isEmpty {
            waiting[loop].append(Word(commands: current[loop], heard: heard))
            current[loop] = []
        }
    }
}

/// Takes down where packets go.
final class Notebook: AudioOutlet {
    var sent: [(id: ConnectionID, ssrc: UInt32)] = []
    var forgotten: [ConnectionID] = []

    func sendAudio(
        _ packet: UnsafeMutableRawBufferPointer,
        to id: ConnectionID,
        kind: PacketKind,
        joins: Bool
    ) -> AudioOutcome {
        sent.append((id, UInt32(bigEndian: packet.loadUnaligned(fromByteOffset: 8, as: UInt32.self))))
        return .sent
    }

    func flushAudio(of id: ConnectionID) {}

    func dropQueuedAudio(of id: ConnectionID, from ssrc: UInt32?) {
        forgotten.append(id)
    }

    var relayedPackets: UInt64 { UInt64(sent.count) }
    func droppedWaiting(_ reason: DropReason) -> UInt64 { 0 }
    func takeLinkState(of id: ConnectionID) -> LinkState? { nil }
}
