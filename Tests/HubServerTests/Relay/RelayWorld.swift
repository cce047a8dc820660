import HubEngine
import HubSimulation
import HubTestSupport

@testable import HubServer

/// The engine and the relay together, without sockets and on a virtual clock: what the hub does between two messages.
final class RelayWorld {
    var hub: SimulatedHub
    let notebook = Notebook()
    let relay: AudioRelay<Notebook>
    private var connections: [SessionID: ConnectionID] = [:]

    init(seed: UInt64 = 1) {
        hub = SimulatedHub(EngineConfiguration(seed: seed))
        relay = AudioRelay(connections: 64, outlet: notebook)
    }

    deinit {
        relay.deallocate()
    }

    /// Signs a device in.
    func open(
        _ account: String,
        configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) throws -> SessionID {
        let session = try hub.open(account, configure: configure)
        let connection = ConnectionID(slot: session.index + 7, generation: 1)
        connections[session] = connection
        relay.open(session, on: connection)
        takeOverRoutes()
        return session
    }

    /// Does something to the hub, and has the relay take over what came of it.
    func change<Result>(_ body: (inout SimulatedHub) throws -> Result) rethrows -> Result {
        defer { takeOverRoutes() }
        return try body(&hub)
    }

    /// A device sends one packet, with an SSRC that may be an old one; who got it.
    func send(from session: SessionID, ssrc: UInt32) -> [SessionID] {
        // Numbered by the clock, as a real-time sender would.
        let number = Int(hub.now.nanoseconds / 20_000_000)
        let packet = TestPhone.packet([0x78, 1, 2, 3], ssrc: ssrc, number: number)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 + packet.count, alignment: 16)
        defer { memory.deallocate() }
        let body = UnsafeMutableRawBufferPointer(rebasing: memory[16...])
        body.copyBytes(from: packet)
        notebook.sent = []
        relay.receive(body, from: connections[session] ?? .none, at: hub.now)
        return notebook.sent.compactMap { id in connections.first { $0.value == id }?.key }
    }

    private func takeOverRoutes() {
        for effect in hub.lastEffects {
            guard case .audioRouteChanged(let session) = effect else { continue }
            relay.setRoute(hub.engine.audioRoute(of: session), of: session, at: hub.now)
        }
    }
}

/// Takes down where packets go.
final class Notebook: AudioOutlet {
    var sent: [ConnectionID] = []
    var forgotten: [ConnectionID] = []

    func sendAudio(_ packet: UnsafeMutableRawBufferPointer, to id: ConnectionID) -> AudioSendResult {
        sent.append(id)
        return AudioSendResult(outcome: .sent, dropped: 0)
    }

    func dropQueuedAudio(of id: ConnectionID) {
        forgotten.append(id)
    }

    func takeLinkState(of id: ConnectionID) -> LinkState? { nil }
}
