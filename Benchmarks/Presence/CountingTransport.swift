import HubEngine
import HubServer
import HubWire

/// A transport without sockets that counts what the hub sends.
final class CountingTransport: HubTransport {
    /// The number of texts and of their bytes.
    private(set) var texts = 0
    private(set) var textBytes = 0
    /// The time of the hub's next deadline; nil: none.
    private(set) var deadline: Instant?
    /// The number of connections that the hub has closed.
    private(set) var closed = 0

    func sendText(_ bytes: [UInt8], to id: ConnectionID, number: UInt64, isLast: Bool) {
        texts += 1
        textBytes += bytes.count
    }

    func armDeadline(at instant: Instant?) { deadline = instant }

    func close(_ id: ConnectionID, code: UInt16, reason: String) { closed += 1 }

    func markAuthenticated(_ id: ConnectionID) {}
    func markAuthenticating(_ id: ConnectionID, _ isAuthenticating: Bool) {}
    func answer(_ requestID: HTTPRequestID, with response: HTTPResponse) {}
    func notify(_ loop: UInt16, _ command: RelayCommand) {}
    func quality(of session: SessionID) -> LegQuality? { nil }
    func stopAfterClosing() {}
    func allowsRequest(from address: IPAddress, count: Int) -> Bool { true }
    func allowsSignIn(from address: IPAddress) -> Bool { true }
    func isExempt(_ address: IPAddress) -> Bool { true }
    var mixing: Mixing? { nil }
    var mixerStatistics: [MixerStatistics] { [] }
    var queues: QueueBudget? { nil }
    var busyShare: Double { 0 }
    var thread: HubThread { HubThread { _ in } }
    func collectStatistics(then: @escaping ([LoopStatistics]) -> Void) { then([]) }
    func countPackets(then: @escaping ([SessionID: AdminAudio]) -> Void) { then([:]) }
}
