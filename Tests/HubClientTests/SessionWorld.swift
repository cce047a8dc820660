import HubEngine
import HubWire

@testable import HubClient

/// A session core with a simulated clock and a hub whose messages the test supplies.
struct SessionWorld {
    var core: SessionCore
    var now = Instant(nanoseconds: 1_000_000_000)
    /// The effects of the last input.
    var effects: [SessionEffect] = []
    var nextToken: UInt64 = 0

    init(timing: ClientTiming = ClientTiming(), address: String = "ws://hub/v1") {
        core = SessionCore(signIn: SessionOpenRequest(account: "alice"), address: address, timing: timing, seed: 1)
    }

    /// Returns a world whose client has signed in over socket 1.
    static func signedIn(
        timing: ClientTiming = ClientTiming(),
        address: String = "ws://hub/v1"
    ) -> SessionWorld {
        var world = SessionWorld(timing: timing, address: address)
        world.feed(.begin)
        world.feed(.socketOpened(1))
        world.replyToOpen(socket: 1)
        return world
    }

    mutating func feed(_ input: SessionInput) {
        effects = []
        core.handle(input, at: now, into: &effects)
    }

    /// Advances the clock to the next deadline; false if there is none.
    @discardableResult
    mutating func advanceToNextDeadline() -> Bool {
        guard let deadline = core.deadline else { return false }
        now = max(now, deadline)
        feed(.timePassed)
        return true
    }

    mutating func advanceClock(_ duration: Duration) { now = now + duration }

    mutating func ask(_ request: ClientRequest = .ping(nil)) -> UInt64 {
        nextToken += 1
        feed(.request(request, token: nextToken))
        return nextToken
    }

    // MARK: Messages of the hub

    mutating func replyToOpen(socket: Int, session: String = "s1", resumed: Bool = false) {
        let opened = SessionOpenResult(
            session: session,
            resumeToken: "secret",
            resumed: resumed,
            account: "alice",
            handles: [.generic("alice")],
            device: SessionOpenRequest.Device(id: "d1"),
            hub: SessionOpenResult.Hub(version: "1", node: "n"),
            limits: SessionOpenResult.Limits(
                maximumMessageBytes: 65_536,
                resumeGraceSeconds: 60,
                ringTimeoutSeconds: 45
            )
        )
        reply(.success(.opened(opened)), socket: socket)
    }

    /// Answers the last request.
    mutating func reply(_ result: Result<ReplyPayload, WireError>, socket: Int) {
        receive(.reply(RequestID(core.lastRequestNumber), result), socket: socket)
    }

    mutating func notify(_ seq: UInt64, _ notification: WireNotification = .didReset, socket: Int = 1) {
        receive(.notification(seq: seq, notification), socket: socket)
    }

    mutating func receive(_ message: HubMessage, socket: Int) {
        var text: [UInt8] = []
        message.encode(into: &text)
        feed(.text(socket, text))
    }

    mutating func activateAudio(seq: UInt64) {
        let id = AudioSessionUUID(high: 1, low: 2)
        let text = """
            {"jsonrpc":"2.0","method":"provider.didActivateAudioSession","params":{"seq":\(seq),"audioSession":\
            {"id":"\(id.uuidText)","ssrc":7,"calls":[],"group":null}}}
            """
        feed(.text(1, Array(text.utf8)))
    }

    // MARK: Effects

    /// The effects of the last input in short form, as in "open 2", "drop 1", "event resumed".
    var effectSummaries: [String] { effects.map(\.summary) }

    /// The requests sent by the last input.
    var sent: [ClientRequest] {
        effects.compactMap { effect in
            guard case .send(_, let text) = effect else { return nil }
            return try? IncomingMessage(parsing: text).content.get()
        }
    }
}

extension SessionEffect {
    var summary: String {
        switch self {
        case .openSocket(let socket): "open \(socket)"
        case .dropSocket(let socket): "drop \(socket)"
        case .closeSocket(let socket): "close \(socket)"
        case .send(let socket, let text):
            "send \(socket) \(IncomingMessage(parsing: text).method?.rawValue ?? "?")"
        case .ping(let socket): "ping \(socket)"
        case .opened: "opened"
        case .failed(let error): "failed \(error.kind)"
        case .answer(let token, .success): "answer \(token)"
        case .answer(let token, .failure(let error)): "answer \(token) \(error.kind)"
        case .event(let event): "event \(event.summary)"
        }
    }
}

extension ClientEvent {
    var summary: String {
        switch self {
        case .notification(let notification): notification.method
        case .connectionLost: "lost"
        case .resumed: "resumed"
        case .reset: "reset"
        case .refreshed: "refreshed"
        case .missedNotifications(let expected, let received): "missed \(expected)..<\(received)"
        case .unexpectedMessage: "unexpected"
        case .ended(let error): "ended \(error.kind)"
        }
    }
}

extension HubClientError {
    var kind: String {
        switch self {
        case .invalidAddress: "invalidAddress"
        case .unreachable: "unreachable"
        case .signInRefused: "signInRefused"
        case .refused: "refused"
        case .connectionLost: "connectionLost"
        case .notConnected: "notConnected"
        case .noResponse: "noAnswer"
        case .malformedResponse: "malformedAnswer"
        case .endedByHub: "endedByHub"
        case .closed: "closed"
        case .unavailable: "unavailable"
        }
    }
}
