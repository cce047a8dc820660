import HubEngine
import HubServer

/// The actions of clients: connect, send, disconnect.
extension SimulatedTransport {
    /// Accepts a connection and returns its ID; nil: it was rejected, or no hub runs.
    func connect(from address: IPAddress) -> ConnectionID? {
        guard let hub, case .accepted = connectionLimiter.accept(from: address, at: clock.now.nanoseconds) else {
            return nil
        }
        guard connectionLimiter.upgrade(address, for: address) else {
            connectionLimiter.release(address, connectedFor: nil)
            return nil
        }
        guard let state = connections.open(nil) else {
            connectionLimiter.release(address, connectedFor: address)
            return nil
        }
        let id = connections.id(of: state)
        clients.append(Client(id: id, state: state, address: address))
        hub.opened(id, info: ConnectionInfo(address: address))
        settle()
        return id
    }

    /// Passes a text message of a client to the hub.
    func receive(text: [UInt8], from id: ConnectionID) {
        guard let hub, let state = connections.stateIfOpen(id) else { return }
        state.pointee.receivedAt = connections.now
        text.withUnsafeBytes { text in
            if text.count > max(settings.maximumMessageBytes, 1) {
                counters.pointee.messagesTooLong &+= 1
                close(id, code: 1009, reason: "A message has at most \(settings.maximumMessageBytes) bytes.")
            } else if !text.isValidUTF8 {
                close(id, code: 1007, reason: "Text is UTF-8.")
            } else {
                counters.pointee.textsReceived &+= 1
                counters.pointee.textBytesReceived &+= text.count
                hub.received(text: text, from: id)
            }
        }
        settle()
    }

    /// Passes a binary message of a client to the relay.
    func receive(audio: [UInt8], from id: ConnectionID) {
        guard let relay, let state = connections.stateIfOpen(id) else { return }
        state.pointee.receivedAt = connections.now
        if audio.count > settings.maximumAudioBytes {
            relay.receiveOversize(audio.count, from: id)
        } else {
            counters.pointee.audioReceived &+= 1
            audio.withUnsafeBytes { relay.receive($0, from: id, at: clock.now) }
        }
        settle()
    }

    /// Ends a connection, either closed by its client (`isNormal`) or lost.
    func end(_ id: ConnectionID, isNormal: Bool) {
        guard let client = client(id) else { return }
        let isByHub = client.state.pointee.phase.unreportedEnd == .closedByHub
        end(client, isByHub ? .closedByHub : isNormal ? .normal : .lost)
        settle()
    }

    /// Freezes or thaws a client; a frozen client accepts no data, a thawed one receives what is queued.
    func freeze(_ id: ConnectionID, _ isFrozen: Bool) {
        guard let index = clients.firstIndex(where: { $0.id == id }), clients[index].isFrozen != isFrozen else {
            return
        }
        clients[index].isFrozen = isFrozen
        // The time for which it was blocked decides which packets are still fresh.
        if isFrozen { clients[index].state.pointee.output = .blocked(since: connections.now) }
        settle()
    }
}
