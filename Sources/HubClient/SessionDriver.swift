import HubEngine
import HubWire

/// The executor of the effects of `SessionCore`, with the sockets and the time of its loop; on the loop's thread.
final class SessionDriver {
    typealias Answer = CheckedContinuation<Result<ReplyPayload, HubClientError>, Never>
    typealias Opening = CheckedContinuation<Result<SessionOpenResult, HubClientError>, Never>

    private let box: LoopBoundBox<SessionDriver>
    private unowned let loop: LoopThread
    private let address: HubAddress
    private let trust: CertificateTrust
    private let state: ClientState
    private let events: AsyncStream<ClientEvent>.Continuation
    private let onAudio: (@Sendable (ReceivedAudio) -> Void)?
    private let onAudioSources: (@Sendable ([AudioSource]) -> Void)?
    private let onEvent: (@Sendable (ClientEvent) -> Void)?
    private let tokenProvider: (@Sendable () -> String?)?

    private var core: SessionCore
    private var sockets: [Int: ClientSocket] = [:]
    private var opening: Opening?
    private var pendingResponses: [UInt64: Answer] = [:]
    private var lastToken: UInt64 = 0
    private var closeContinuations: [CheckedContinuation<Void, Never>] = []
    private var inputs: [SessionInput] = []
    private var isRunning = false

    /// Creates the driver of a session that has not begun.
    ///
    /// - Parameters:
    ///   - box: The empty box through which the client reaches its driver.
    ///   - loop: The loop of the session's sockets.
    ///   - address: The address of the hub.
    ///   - core: The state machine of the session.
    ///   - options: The options of the client.
    ///   - state: The state that the client's other threads see.
    ///   - events: The receiver of the events.
    init(
        box: LoopBoundBox<SessionDriver>,
        loop: LoopThread,
        address: HubAddress,
        core: SessionCore,
        options: ClientOptions,
        state: ClientState,
        events: AsyncStream<ClientEvent>.Continuation
    ) {
        self.box = box
        self.loop = loop
        self.address = address
        self.core = core
        self.state = state
        self.events = events
        trust = options.certificateTrust
        onAudio = options.onAudio
        onAudioSources = options.onAudioSources
        onEvent = options.onEvent
        tokenProvider = options.tokenProvider
    }

    /// Puts itself into its box until the session has ended, and signs in; the continuation is resumed with the result.
    func begin(_ opening: Opening) {
        self.opening = opening
        box.set(self, on: loop)
        loop.add(self)
        handle(.begin)
    }

    /// Sends a request to the hub; the continuation is resumed with the response.
    func sendRequest(_ request: ClientRequest, _ answer: Answer) {
        lastToken += 1
        pendingResponses[lastToken] = answer
        handle(.request(request, token: lastToken))
    }

    /// Ends the session; the continuation is resumed when that is done.
    func close(_ closeContinuation: CheckedContinuation<Void, Never>?) {
        if let closeContinuation { closeContinuations.append(closeContinuation) }
        handle(.close)
    }

    /// Sends a binary message unchanged, over the current connection.
    func send(binary: [UInt8]) {
        core.live.flatMap { sockets[$0.socket] }?.send(binary: binary)
    }

    /// Sends a text message unchanged, over the current connection.
    func send(text: [UInt8]) {
        core.live.flatMap { sockets[$0.socket] }?.send(text: text)
    }

    /// Breaks the connection, as a failing network would.
    func breakConnection() {
        guard let live = core.live else { return }
        sockets.removeValue(forKey: live.socket)?.drop()
        handle(.socketEnded(live.socket, reason: "it was broken on purpose"))
    }

    /// Handles one input after the other: inputs caused by an effect wait until all effects of its input are done.
    private func handle(_ input: SessionInput) {
        inputs.append(input)
        guard !isRunning else { return }
        isRunning = true
        while !inputs.isEmpty {
            var effects: [SessionEffect] = []
            core.handle(inputs.removeFirst(), at: loop.now, into: &effects)
            state.adopt(core)
            for effect in effects { run(effect) }
        }
        isRunning = false
        loop.deadlineChanged(of: self)
    }

    private func run(_ effect: SessionEffect) {
        switch effect {
        case .openSocket(let socket):
            sockets[socket] = loop.openSocket(
                socket,
                to: core.usesRedirect ? core.redirectAddress ?? address : address,
                trust: trust,
                delegate: self
            )
        case .dropSocket(let socket):
            sockets.removeValue(forKey: socket)?.drop()
        case .closeSocket(let socket):
            sockets.removeValue(forKey: socket)?.close()
        case .send(let socket, let text):
            sockets[socket]?.send(text: text)
        case .ping(let socket):
            sockets[socket]?.ping()
        case .opened(let opened):
            opening?.resume(returning: .success(opened))
            opening = nil
        case .failed(let error):
            opening?.resume(returning: .failure(error))
            opening = nil
            end()
        case .answer(let token, let result):
            pendingResponses.removeValue(forKey: token)?.resume(returning: result)
        case .event(let event):
            if let sources = event.audioSources { onAudioSources?(sources) }
            if let onEvent { onEvent(event) } else { events.yield(event) }
            if case .ended = event { end() }
        }
    }

    private func end() {
        events.finish()
        for closeContinuation in closeContinuations { closeContinuation.resume() }
        closeContinuations = []
        box.set(nil, on: loop)
        loop.remove(self)
    }
}

extension SessionDriver: DeadlineHandler {
    var deadline: Instant? { core.deadline }

    func wake() { handle(.timePassed) }
}

extension SessionDriver: ClientSocketDelegate {
    func socketOpened(_ socket: ClientSocket) {
        // The sign-in follows.
        if let token = tokenProvider?() { core.signIn.token = token }
        handle(.socketOpened(socket.tag))
    }

    func socket(_ socket: ClientSocket, receivedText text: [UInt8]) { handle(.text(socket.tag, text)) }

    func socketIsAlive(_ socket: ClientSocket) { receivedData(socket) }

    func socketEnded(_ socket: ClientSocket, reason: String) {
        sockets[socket.tag] = nil
        handle(.socketEnded(socket.tag, reason: reason))
    }

    func socket(_ socket: ClientSocket, receivedBinary bytes: UnsafeRawBufferPointer) {
        receivedData(socket)
        guard socket.tag == core.live?.socket else { return }
        let span = bytes.bindMemory(to: UInt8.self).span
        guard span.count >= 2 else { return }
        if RTPPacket.isRTCP(secondByte: span[1]) {
            guard let reports = try? RTCPReports(parsing: span) else { return }
            state.withSender { sender in
                for report in reports.reportBlocks {
                    sender.reported(ssrc: report.ssrc, highest: report.extendedHighestSequenceNumber)
                }
            }
        } else if let onAudio, let packet = try? RTPPacket(parsing: span) {
            onAudio(ReceivedAudio(packet, in: bytes, at: loop.now))
        }
    }

    /// Handles data on a socket: fifty times a second for each talker, so it does no more than the core's own work.
    private func receivedData(_ socket: ClientSocket) { handle(.alive(socket.tag)) }
}

extension ClientEvent {
    /// The audio sources after the event; nil: it does not change them.
    fileprivate var audioSources: [AudioSource]? {
        switch self {
        case .notification(.audioSources(let sources)): sources
        case .notification(.didReset), .reset: []
        default: nil
        }
    }
}
