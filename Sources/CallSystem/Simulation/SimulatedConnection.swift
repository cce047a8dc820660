import CallAudio
import HubClient
import HubEngine
import HubServer
import HubSimulator
import HubWire

/// The session of a device at a simulated hub: the protocol's messages, without a socket.
///
/// It reconnects and resumes its session at once, unless its link is cut. Confined to the hub's queue.
final class SimulatedConnection: CallBackend, SimulatedLink {
    /// A request without an answer.
    private struct Pending {
        let number: Int
        let request: ClientRequest
        let reply: (Result<ReplyPayload, HubClientError>) -> Void
    }

    let hub: SimulatedHubCore
    private var signIn: SessionOpenRequest
    /// The receiver of all that happens on the connection, before the device handles it; nil: there is none.
    private let observe: ((SimulatedLinkEvent) -> Void)?
    private var receiveEvent: ((BackendEvent) -> Void)?
    private(set) var connection: ConnectionID?
    private var sound: SimulatedSound?
    private var session: SessionOpenResult?
    /// Indicates that the session is open on the connection.
    private var isOpen = false
    private var lastSeq: UInt64 = 0
    private var lastNumber = 0
    private var openNumber: Int?
    private var pending: [Pending] = []
    /// The requests that wait for the connection.
    private var waiting: [Pending] = []
    private var isCut = false
    /// The number of the present loss of the connection.
    private var lossNumber = 0

    init(
        _ hub: SimulatedHubCore,
        _ signIn: SessionOpenRequest,
        observe: ((SimulatedLinkEvent) -> Void)? = nil
    ) {
        (self.hub, self.signIn, self.observe) = (hub, signIn, observe)
    }

    var now: Instant { hub.now }

    func open(_ provider: ProviderConfiguration, offered isOffered: Bool, receive: @escaping (BackendEvent) -> Void) {
        (signIn.provider, signIn.executesTransactions, receiveEvent) = (provider, isOffered, receive)
        hub.afterwards { self.connect() }
    }

    func send(_ request: ClientRequest, reply: @escaping (Result<ReplyPayload, HubClientError>) -> Void) {
        lastNumber += 1
        waiting.append(Pending(number: lastNumber, request: request, reply: reply))
        hub.afterwards { self.sendWaiting() }
    }

    func schedule(after duration: Duration, _ work: @escaping () -> Void) {
        hub.schedule(after: duration, work)
    }

    func whenQuiet(_ work: @escaping () -> Void) {
        hub.afterwards(work)
    }

    func close(_ then: @escaping @Sendable () -> Void) {
        send(.close) { _ in }
        then()
    }

    /// Cuts or restores the link of the device.
    func setCut(_ isCut: Bool) {
        self.isCut = isCut
        if isCut, let connection {
            observe?(.cut)
            hub.drop(connection)
            lose()
        }
        hub.afterwards { self.connect() }
    }

    // MARK: Connecting

    private func connect() {
        guard receiveEvent != nil, !isCut, connection == nil else { return }
        guard let connection = hub.connect(self) else { return hub.whenHubRuns { self.connect() } }
        self.connection = connection
        observe?(.opened)
        sendOpen()
    }

    private func sendOpen() {
        guard let connection else { return }
        var open = signIn
        open.resume = session.map {
            SessionOpenRequest.Resume(session: $0.session, token: $0.resumeToken, seq: lastSeq)
        }
        lastNumber += 1
        openNumber = lastNumber
        send(.open(open), lastNumber, over: connection)
    }

    private func send(_ request: ClientRequest, _ number: Int, over connection: ConnectionID) {
        let bytes = encoded(request, number)
        observe?(.sent(request, bytes))
        hub.send(bytes, over: connection)
    }

    /// Handles the loss of the connection; requests without an answer are sent again.
    private func lose() {
        (connection, isOpen, openNumber) = (nil, false, nil)
        waiting = pending + waiting
        pending = []
        hub.afterwards { self.connect() }
        lossNumber += 1
        guard let grace = session?.limits.resumeGraceSeconds else { return }
        hub.schedule(after: .seconds(grace)) { [lossNumber] in self.endLostSession(lossNumber) }
    }

    /// Gives a session up as the hub has, unless it was resumed.
    private func endLostSession(_ loss: Int) {
        guard loss == lossNumber, !isOpen, session != nil else { return }
        if let connection { hub.drop(connection) }
        end(.unreachable(address: "the simulated hub", reason: "its link is cut"))
    }

    /// Handles a close by the hub, after which there is no session.
    private func closed(_ reason: String) {
        end(.endedByHub(reason: reason))
    }

    private func end(_ error: HubClientError) {
        (connection, isOpen, session) = (nil, false, nil)
        let failed = pending + waiting
        (pending, waiting) = ([], [])
        receiveEvent?(.requestsFail(error))
        for request in failed { request.reply(.failure(error)) }
        receiveEvent?(.ended(error))
    }

    private func sendWaiting() {
        guard isOpen, let connection else { return }
        let requests = waiting
        waiting = []
        pending += requests
        for request in requests { send(request.request, request.number, over: connection) }
    }

    // MARK: Receiving

    func receive(_ message: VirtualHubOutput) {
        observe?(.received(message))
        switch message.content {
        case .text(let text): receive(text)
        case .audio(let packet): sound?.receive(packet)
        // A hub that goes away comes back, or another one does.
        case .closed(1001, _): lose()
        case .closed(_, let reason): if hub.hub.isRunning { closed(reason) } else { lose() }
        case .lost: lose()
        }
    }

    /// Handles a text message of the hub.
    private func receive(_ text: [UInt8]) {
        guard let message = try? HubMessage(parsing: text) else { return }
        switch message {
        case .notification(let seq, let notification):
            guard seq > lastSeq else { return }
            lastSeq = seq
            sound?.handle(notification)
            receiveEvent?(.notification(notification))
        case .reply(let id, let result):
            if let openNumber, id == RequestID(openNumber) {
                opened(result)
            } else if let index = pending.firstIndex(where: { id == RequestID($0.number) }) {
                pending.remove(at: index).reply(result.mapError { .refused($0) })
            }
        }
    }

    // MARK: Sound

    func attach(_ audio: DeviceAudio) {
        sound = SimulatedSound(audio, self)
    }

    var packetOutput: (any PacketOutput)? { sound }

    private func opened(_ result: Result<ReplyPayload, WireError>) {
        openNumber = nil
        switch result {
        case .success(.opened(let opened)):
            let isFirst = session == nil
            if !opened.resumed { lastSeq = 0 }
            (session, isOpen) = (opened, true)
            if !isFirst, !opened.resumed { receiveEvent?(.reset) }
            // What has happened during a loss follows, in its order.
            if !opened.resumed { receiveEvent?(.opened(opened)) }
            sendWaiting()
        case .failure(let error) where error.code == .sessionGone:
            receiveEvent?(.reset)
            session = nil
            sendOpen()
        case .success, .failure:
            let error = if case .failure(let error) = result { error } else { WireError(.internalError, "no session") }
            closed(error.message)
        }
    }

    private func encoded(_ request: ClientRequest, _ number: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        request.encode(id: RequestID(number), into: &bytes)
        return bytes
    }
}
