import HubEngine

/// The transport interface that the hub uses.
extension VirtualGround: HubGround {
    func sendText(_ bytes: [UInt8], to id: ConnectionID, number: UInt64, isLast: Bool) {
        let outcome = bytes.withUnsafeBytes { connections.sendText($0, to: id, number: number, isLast: isLast) }
        if outcome == .overflow(first: true) { slowConsumers.append(id) }
        if let client = client(id), !client.isFrozen { flush(client) }
    }

    func markSignedIn(_ id: ConnectionID) {
        connections.set(id, .done)
    }

    func markJudged(_ id: ConnectionID, _ isJudged: Bool) {
        connections.set(id, isJudged ? .verifying : .pending)
    }

    func close(_ id: ConnectionID, code: UInt16, reason: String) {
        guard let state = connections.live(id) else { return }
        connections.close(state, code: code, reason: reason, end: .closedByHub)
        if let client = client(id), !client.isFrozen { flush(client) }
    }

    /// Does nothing: there are no HTTP requests in the simulation.
    func answer(_ ticket: HTTPTicket, with response: HTTPResponse) {}

    func tell(_ loop: UInt16, _ command: RelayCommand) {
        if let quality = relay?.apply(command, at: clock.now) { hub?.received(quality) }
    }

    func quality(of session: SessionID) -> LegQuality? {
        relay?.quality(of: session, at: clock.now)
    }

    func armDeadline(at instant: Instant?) {
        deadline = instant
    }

    func stop() {
        isStopping = true
    }

    func mayAsk(from address: IPAddress, count: Int) -> Bool {
        door.mayAsk(from: address, count: count, at: clock.now.nanoseconds)
    }

    func maySignIn(from address: IPAddress) -> Bool {
        door.signsIn(from: address, at: clock.now.nanoseconds)
    }

    func isExempt(_ address: IPAddress) -> Bool { door.isExempt(address) }

    var queues: QueueMemory? { door.queues }

    /// The load is always 0: time stands still while the hub works.
    var busyShare: Double { 0 }

    var thread: HubThread { HubThread { [inbox] work in inbox.add(work) } }

    private var figures: [LoopFigures]? {
        [LoopFigures(transport: counters.pointee, relay: relay?.figures ?? RelayFigures())]
    }

    func gatherFigures(then: @escaping ([LoopFigures]) -> Void) {
        then(figures ?? [])
    }

    func countPackets(then: @escaping ([SessionID: UInt64]) -> Void) {
        then(relay?.packetsReceived ?? [:])
    }
}
