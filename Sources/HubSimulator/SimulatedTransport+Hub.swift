import HubEngine
import HubServer
import HubWire

/// The transport interface that the hub uses.
extension SimulatedTransport: HubTransport {
    func sendText(_ bytes: [UInt8], to id: ConnectionID, number: UInt64, isLast: Bool) {
        let outcome = bytes.withUnsafeBytes { connections.sendText($0, to: id, number: number, isLast: isLast) }
        if outcome == .overflow(first: true) { slowConsumers.append(id) }
        if let client = client(id), !client.isFrozen { flush(client) }
    }

    func markAuthenticated(_ id: ConnectionID) {
        connections.set(id, .done)
    }

    func markAuthenticating(_ id: ConnectionID, _ isAuthenticating: Bool) {
        connections.set(id, isAuthenticating ? .verifying : .pending)
    }

    func close(_ id: ConnectionID, code: UInt16, reason: String) {
        guard let state = connections.stateIfOpen(id) else { return }
        connections.close(state, code: code, reason: reason, end: .closedByHub)
        if let client = client(id), !client.isFrozen { flush(client) }
    }

    /// Does nothing: there are no HTTP requests in the simulation.
    func answer(_ requestID: HTTPRequestID, with response: HTTPResponse) {}

    func notify(_ loop: UInt16, _ command: RelayCommand) {
        if let quality = relay?.apply(command, at: clock.now) { hub?.received(quality) }
    }

    func quality(of session: SessionID) -> LegQuality? {
        relay?.quality(of: session, at: clock.now)
    }

    func armDeadline(at instant: Instant?) {
        deadline = instant
    }

    func stopAfterClosing() {
        isStopping = true
    }

    func allowsRequest(from address: IPAddress, count: Int) -> Bool {
        connectionLimiter.allowsRequest(from: address, count: count, at: clock.now.nanoseconds)
    }

    func allowsSignIn(from address: IPAddress) -> Bool {
        connectionLimiter.allowsSignIn(from: address, at: clock.now.nanoseconds)
    }

    func isExempt(_ address: IPAddress) -> Bool { connectionLimiter.isExempt(address) }

    /// Nothing is mixed in virtual time.
    var mixing: Mixing? { nil }

    var mixerStatistics: [MixerStatistics] { [] }

    var queues: QueueBudget? { connectionLimiter.queues }

    /// The load is always 0: time stands still while the hub works.
    var busyShare: Double { 0 }

    var thread: HubThread { HubThread { [inbox] work in inbox.add(work) } }

    private var statistics: [LoopStatistics]? {
        [LoopStatistics(transport: counters.pointee, relay: relay)]
    }

    func collectStatistics(then: @escaping ([LoopStatistics]) -> Void) {
        then(statistics ?? [])
    }

    func countPackets(then: @escaping ([SessionID: AdminAudio]) -> Void) {
        then(relay?.packetCounts(at: clock.now) ?? [:])
    }
}
