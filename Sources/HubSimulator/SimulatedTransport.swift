import HubEngine
import HubServer

/// A simulated transport for a hub: connections without sockets, a real relay, and a simulated clock.
///
/// Its connections have no socket and are always blocked: what is queued is taken at once or, by a frozen client, when
/// it reads again. So back-pressure is that of a running hub, but for the kernel's buffers.
///
/// Each packet, text and tick is an iteration of its own; data sent in it is delivered in it, unless the client
/// is frozen. It outlives the hubs that are killed and started on it, so that no connection ID is ever used again. For
/// one thread.
final class SimulatedTransport {
    /// A connection with the simulation's state of its client.
    struct Client {
        let id: ConnectionID
        let state: UnsafeMutablePointer<ConnectionState>
        let address: IPAddress
        /// Indicates that the client accepts no data.
        var isFrozen = false
    }

    let settings: TransportSettings
    let time: VirtualClock
    let clock: HubClock
    let connectionLimiter: ConnectionLimiter
    let connections: Connections
    // Before the memory of its clock, so that it ends first.
    private let table: ConnectionTable
    private let milliseconds = UniqueMemory<UInt64>(0)
    let counters: UnsafeMutablePointer<TransportCounters>
    /// The connected clients, in the order of their connection.
    var clients: [Client] = []

    private(set) var hub: Hub?
    private var relayStorage: AudioRelayStorage<Connections>?
    private(set) var ticker: RelayTicker?
    private(set) var inbox = VirtualWorkQueue()
    /// The time of the hub's next deadline; nil: none.
    var deadline: Instant?
    /// The time of the relay's next tick, in ticks of the clock; nil: none.
    var tick: UInt64?
    /// Indicates that the hub has requested its stop.
    var isStopping = false
    /// The data delivered to clients, in order.
    var output: [VirtualHubOutput] = []
    /// The connections with too much queued text, of which the hub is to be notified.
    var slowConsumers: [ConnectionID] = []

    /// Creates a transport without a hub.
    ///
    /// - Parameters:
    ///   - settings: The limits of its connections; those of sockets have no effect.
    ///   - time: The simulated clock.
    init(_ settings: TransportSettings, _ time: VirtualClock) {
        self.settings = settings
        self.time = time
        clock = HubClock(time)
        connectionLimiter = ConnectionLimiter(settings, opensSockets: false)
        let capacity = min(connectionLimiter.maximumConnections, Self.mostConnections)
        table = ConnectionTable(
            limits: Connections.Limits(settings, capacity: capacity, coalescesPackets: false),
            settings: settings,
            queues: connectionLimiter.queues,
            clock: .manual(milliseconds.pointer)
        )
        connections = table.view
        counters = table.counters.pointer
    }

    // MARK: The hub

    /// The relay of the hub; nil while none is attached.
    var relay: AudioRelay<Connections>? { relayStorage?.view }

    /// Attaches a hub and starts it.
    ///
    /// - Parameters:
    ///   - hub: The hub; it must use the same clock.
    ///   - sounds: The sounds that its relay plays.
    ///   - ssrc: The SSRC of the relay.
    func begin(_ hub: Hub, sounds: BuiltInSounds, ssrc: UInt32) {
        let storage = AudioRelayStorage(
            connections: connections.limits.capacity,
            outlet: connections,
            lateAfter: settings.lateAfter
        )
        let relay = storage.view
        relayStorage = consume storage
        self.hub = hub
        ticker = RelayTicker(
            relay,
            sounds: sounds,
            clock: clock,
            ssrc: ssrc,
            dropReportInterval: settings.dropReportInterval,
            reportDrops: { [unowned hub] in hub.notify($0) },
            arm: { [unowned self] in tick = $0 }
        )
        hub.begin(on: self)
        settle()
    }

    /// Ends the hub and all connections.
    ///
    /// - Parameter content: The event that clients receive: a close, or the loss of the connection.
    func end(_ content: VirtualHubOutput.Content) {
        for client in clients {
            if content == .lost { write(.lost, to: client.id) } else { closeNow(client, content) }
            forget(client)
        }
        clients = []
        (hub, ticker, deadline, tick, isStopping) = (nil, nil, nil, nil, false)
        (inbox, slowConsumers) = (VirtualWorkQueue(), [])
        relayStorage = nil
    }

    /// Completes an iteration: delivers data and runs posted work until nothing is left.
    func settle() {
        flushAll()
        while let hub, !isStopping {
            let works = inbox.takeAll()
            let slow = slowConsumers
            slowConsumers = []
            let ended = clients.filter { connections.hasSentClose($0.state) }
            if works.isEmpty, slow.isEmpty, ended.isEmpty { break }
            for work in works { work(hub) }
            for id in slow {
                guard let state = connections.stateIfOpen(id) else { continue }
                hub.slowConsumer(id, firstLost: connections.dropTexts(of: state))
            }
            for client in ended { end(client, .closedByHub) }
            flushAll()
        }
        ticker?.arm()
        counters.pointee.iterationEnded(after: 0)
        if isStopping { end(.closed(code: 1001, reason: "The hub stops.")) }
    }

    // MARK: Clients

    func client(_ id: ConnectionID) -> Client? { clients.first { $0.id == id } }

    /// Ends a connection: notifies the hub and releases its slot.
    func end(_ client: Client, _ reason: ConnectionEnd) {
        guard let index = clients.firstIndex(where: { $0.id == client.id }) else { return }
        clients.remove(at: index)
        _ = connections.takeEnd(client.state, isSocketEnding: true)
        hub?.closed(client.id, reason: reason)
        forget(client)
    }

    private func forget(_ client: Client) {
        connections.release(client.state)
        connectionLimiter.release(client.address, connectedFor: client.address)
    }

    /// Updates the clock of the connection table to the simulated time.
    func updateClock() {
        milliseconds.pointer.pointee = time.uptimeNanoseconds / 1_000_000
    }

    // MARK: Output

    /// Delivers the queued data of all clients that are not frozen.
    private func flushAll() {
        for client in clients where !client.isFrozen { flush(client) }
    }

    /// Delivers the queued data of a connection, texts first; after a close frame `settle` ends the connection.
    func flush(_ client: Client) {
        let state = client.state
        var wasBlockedFor: UInt64 = 0
        if case .blocked(let since) = state.pointee.output { wasBlockedFor = connections.now &- since }
        state.pointee.output = .blocked(since: connections.now)
        while let text = connections.takeText(of: state) {
            guard text.isClose else {
                write(.text(text.bytes), to: client.id)
                continue
            }
            connections.markCloseSent(state)
            let code = text.bytes.prefix(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
            let reason = String(decoding: text.bytes.dropFirst(2), as: UTF8.self)
            write(.closed(code: code, reason: reason), to: client.id)
        }
        connections.takeAudio(of: state, wasBlockedFor: wasBlockedFor) { write(.audio($0), to: client.id) }
    }

    /// Delivers the queued data and the close of a stopping hub; a frozen client loses the connection.
    private func closeNow(_ client: Client, _ content: VirtualHubOutput.Content) {
        guard !client.isFrozen else { return write(.lost, to: client.id) }
        flush(client)
        if !connections.hasSentClose(client.state) { write(content, to: client.id) }
    }

    func write(_ content: VirtualHubOutput.Content, to id: ConnectionID) {
        output.append(VirtualHubOutput(at: time.now, connection: id, content: content))
    }

    /// The maximum number of connections.
    ///
    /// Thousands of scenarios create a hub each, which should not need a table for ten thousand clients.
    private static let mostConnections = 1_000
}
