import HubEngine

/// What a virtual hub stands on: connections without sockets, the relay of a real hub, and a clock that is told the time.
///
/// Each packet, each text and each tick is a turn of its own; what is sent in it goes out in it, unless its reader is frozen.
/// It outlives the hubs that are killed and started on it, so that no connection ever has the name of an earlier one. One thread's.
final class VirtualGround {
    /// A connection, as its client has it.
    struct Client {
        let id: ConnectionID
        let state: UnsafeMutablePointer<ConnectionState>
        let address: IPAddress
        /// Whether it takes nothing of what it is sent.
        var isFrozen = false
    }

    let settings: TransportSettings
    let time: VirtualTime
    let clock: HubClock
    let door: Door
    let connections: Connections
    private let milliseconds: UnsafeMutablePointer<UInt64>
    let counters: UnsafeMutablePointer<TransportCounters>
    private let packet: UnsafeMutableRawBufferPointer
    /// In the order in which they came.
    var clients: [Client] = []

    private(set) var hub: Hub?
    private(set) var relay: AudioRelay<Connections>?
    private(set) var ticker: RelayTicker?
    private(set) var inbox = VirtualInbox()
    /// When the hub wants to be called.
    var deadline: Instant?
    /// When the relay's ticker does, by the clock's ticks.
    var tick: UInt64?
    /// Whether the hub has said that it is at its end.
    var isStopping = false
    /// What went out, in its order.
    var output: [VirtualMessage] = []
    /// Connections for which too much text waits; the hub is to hear of it.
    var slowConsumers: [ConnectionID] = []

    /// A ground on which nobody stands.
    ///
    /// - Parameters:
    ///   - settings: Of its connections; nothing of it that is about sockets counts.
    ///   - time: Its clock.
    init(_ settings: TransportSettings, _ time: VirtualTime) {
        self.settings = settings
        self.time = time
        clock = HubClock(time)
        door = Door(settings, opensSockets: false)
        milliseconds = .allocate(capacity: 1)
        milliseconds.initialize(to: 0)
        counters = .allocate(capacity: 1)
        counters.initialize(to: TransportCounters())
        let largest = min(max(settings.maximumAudioBytes, 1), Receiver.largestAudio)
        packet = .allocate(byteCount: Self.headRoom + largest, alignment: 16)
        let capacity = min(door.maximumConnections, Self.mostConnections)
        connections = Connections(
            limits: Connections.Limits(settings, capacity: capacity, joinsPackets: false),
            slab: FrameSlab(
                payloadBytes: settings.maximumAudioBytes,
                maximumSlots: settings.maximumQueuedPackets,
                queues: door.queues.view
            ),
            counters: counters,
            queues: door.queues.view,
            clock: .told(milliseconds)
        )
    }

    deinit {
        relay?.deallocate()
        connections.deallocate()
        counters.deallocate()
        milliseconds.deallocate()
        packet.deallocate()
    }

    // MARK: The hub

    /// A hub stands here from now on.
    ///
    /// - Parameters:
    ///   - hub: It has the same clock.
    ///   - sounds: What its relay plays.
    ///   - ssrc: Its own.
    func begin(_ hub: Hub, sounds: BuiltInSounds, ssrc: UInt32) {
        let relay = AudioRelay(connections: connections.limits.capacity, outlet: connections)
        self.hub = hub
        self.relay = relay
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

    /// The hub is gone, and all connections with it.
    ///
    /// - Parameter content: What their clients see of it.
    func end(_ content: VirtualMessage.Content) {
        for client in clients {
            if content == .lost { write(.lost, to: client.id) } else { closeNow(client, content) }
            forget(client)
        }
        clients = []
        (hub, ticker, deadline, tick, isStopping) = (nil, nil, nil, nil, false)
        (inbox, slowConsumers) = (VirtualInbox(), [])
        relay?.deallocate()
        relay = nil
    }

    /// Does what is to be done when a turn is over, until there is nothing more.
    func settle() {
        flushAll()
        while let hub, !isStopping {
            let works = inbox.takeAll()
            let slow = slowConsumers
            slowConsumers = []
            let ended = clients.filter { $0.state.pointee.flags.contains(.closeSent) }
            if works.isEmpty, slow.isEmpty, ended.isEmpty { break }
            for work in works { work(hub) }
            for id in slow {
                guard let state = connections.live(id) else { continue }
                hub.slowConsumer(id, firstLost: connections.dropTexts(of: state))
            }
            for client in ended { end(client, .closedByHub) }
            flushAll()
        }
        ticker?.arm()
        counters.pointee.turnEnded(after: 0)
        if isStopping { end(.closed(code: 1001, reason: "The hub stops.")) }
    }

    // MARK: Clients

    func client(_ id: ConnectionID) -> Client? { clients.first { $0.id == id } }

    /// A connection is gone: the hub hears of it, and its place is free.
    func end(_ client: Client, _ how: ConnectionEnd) {
        guard let index = clients.firstIndex(where: { $0.id == client.id }) else { return }
        clients.remove(at: index)
        client.state.pointee.flags.insert([.closing, .endReported])
        hub?.closed(client.id, how: how)
        forget(client)
    }

    private func forget(_ client: Client) {
        connections.release(client.state)
        door.leaves(client.address, connectedFor: client.address)
    }

    /// Puts a packet where others may write in front of it.
    func withPacket(_ bytes: [UInt8], _ body: (UnsafeMutableRawBufferPointer) -> Void) {
        let place = UnsafeMutableRawBufferPointer(rebasing: packet[Self.headRoom..<(Self.headRoom + bytes.count)])
        place.copyBytes(from: bytes)
        body(place)
    }

    /// The table's clock is the same one.
    func showTime() {
        milliseconds.pointee = time.ticks / 1_000_000
    }

    // MARK: What goes out

    /// What waits for connections whose reader is not frozen goes out.
    private func flushAll() {
        for client in clients where !client.isFrozen { flush(client) }
    }

    /// What waits for a connection goes out, texts first; `settle` ends one whose close goes out with it.
    func flush(_ client: Client) {
        let state = client.state
        let wasBlockedFor = connections.now &- state.pointee.blockedAt
        state.pointee.blockedAt = connections.now
        while let text = connections.takeText(of: state) {
            guard text.isClose else {
                write(.text(text.bytes), to: client.id)
                continue
            }
            state.pointee.flags.insert(.closeSent)
            let code = text.bytes.prefix(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
            let reason = String(decoding: text.bytes.dropFirst(2), as: UTF8.self)
            write(.closed(code: code, reason: reason), to: client.id)
        }
        connections.takeAudio(of: state, wasBlockedFor: wasBlockedFor) { write(.audio($0), to: client.id) }
    }

    /// The last words of a hub that stops, as far as they are taken.
    private func closeNow(_ client: Client, _ content: VirtualMessage.Content) {
        guard !client.isFrozen else { return write(.lost, to: client.id) }
        flush(client)
        if !client.state.pointee.flags.contains(.closeSent) { write(content, to: client.id) }
    }

    func write(_ content: VirtualMessage.Content, to id: ConnectionID) {
        output.append(VirtualMessage(at: time.now, connection: id, content: content))
    }

    /// In front of a packet, as in front of one that was read from a socket.
    private static let headRoom = 64
    /// A hub that is made for each of thousands of stories should not come with a table for ten thousand clients.
    private static let mostConnections = 1_000
}
