import Foundation
import HubTestSupport
import LoopMailbox

@testable import HubServer

/// The events of a test server's handler, readable on any thread.
final class HandlerEvents: @unchecked Sendable {
    /// All events up to a moment.
    struct Events {
        /// Names in the order of their handshakes.
        var opened: [ConnectionID] = []
        /// The connection information from the handshakes, in their order.
        var infos: [ConnectionInfo] = []
        /// Texts in order of arrival.
        var texts: [String] = []
        /// Audio packets received.
        var audioCount = 0
        /// Sizes of oversize audio.
        var oversize: [Int] = []
        /// Ends in order.
        var ends: [ConnectionEnd] = []
        /// The number of calls of `slowConsumer`.
        var slowConsumers = 0
        /// The times of the calls of `deadlineReached`, by the loop's clock.
        var deadlines: [UInt64] = []
    }

    private let condition = NSCondition()
    private var events = Events()

    /// A copy of all events so far.
    var now: Events { condition.withLock { events } }

    /// Changes the recorded events.
    func record(_ change: (inout Events) -> Void) {
        condition.withLock {
            change(&events)
            condition.broadcast()
        }
    }

    /// Waits until a predicate holds; returns false if it does not in time.
    func wait(seconds: Double = 10, for predicate: (Events) -> Bool) -> Bool {
        let limit = Date(timeIntervalSinceNow: seconds)
        return condition.withLock {
            while !predicate(events) {
                if !condition.wait(until: limit) { return predicate(events) }
            }
            return true
        }
    }
}

/// The behaviour of a test server towards connections and messages.
enum Behaviour: Sendable {
    /// Echoes all messages, and executes commands, see ``TestHandler``.
    case echo

    /// Forwards audio to all other connections; echoes text.
    case relay

    /// Receives all messages, sends nothing.
    case receiveOnly

    /// Greets each new connection and closes it, all from within `opened`.
    case greetAndClose

    /// Aborts each new connection from within `opened`.
    case abortAtOnce
}

/// A handler for tests that records events and acts by its behaviour.
///
/// Texts beginning with `!` are commands: `!close 4000 reason`, `!abort`, `!abortOthers`,
/// `!closeOthers`, `!deadline milliseconds`, `!sign` (signs in), `!pause` (is read no more).
final class TestHandler: TransportHandler {
    private let log: HandlerEvents
    private let behaviour: Behaviour
    private let signsInAtOnce: Bool
    private(set) unowned var loop: ServerLoop?
    private(set) var ids: [ConnectionID] = []

    init(log: HandlerEvents, behaviour: Behaviour, signsInAtOnce: Bool) {
        self.log = log
        self.behaviour = behaviour
        self.signsInAtOnce = signsInAtOnce
    }

    func started(_ loop: ServerLoop) { self.loop = loop }

    func opened(_ id: ConnectionID, info: ConnectionInfo) {
        if signsInAtOnce { loop?.markAuthenticated(id) }
        ids.append(id)
        log.record {
            $0.opened.append(id)
            $0.infos.append(info)
        }
        switch behaviour {
        case .greetAndClose:
            loop?.sendText(Array("welcome".utf8), to: id)
            loop?.close(id, code: 4001, reason: "full")
        case .abortAtOnce: loop?.abort(id)
        case .echo, .relay, .receiveOnly: break
        }
    }

    func received(text: UnsafeRawBufferPointer, from id: ConnectionID) {
        let string = String(decoding: text, as: UTF8.self)
        log.record { $0.texts.append(string) }
        if string.hasPrefix("!") { return perform(string, from: id) }
        if case .receiveOnly = behaviour { return }
        loop?.sendText(text, to: id)
    }

    func received(audio: UnsafeRawBufferPointer, from id: ConnectionID, at nanoseconds: UInt64) {
        log.record { $0.audioCount += 1 }
        guard let connections = loop?.connections else { return }
        switch behaviour {
        case .receiveOnly, .greetAndClose, .abortAtOnce: return
        case .echo: send(audio, to: id, connections)
        case .relay: for other in ids where other != id { send(audio, to: other, connections) }
        }
    }

    func receivedOversizeAudio(byteCount: Int, from id: ConnectionID) {
        log.record { $0.oversize.append(byteCount) }
    }

    func slowConsumer(_ id: ConnectionID, firstLost: UInt64?) {
        log.record { $0.slowConsumers += 1 }
        loop?.close(id, code: 1008, reason: "slowConsumer")
    }

    func closed(_ id: ConnectionID, reason: ConnectionEnd) {
        ids.removeAll { $0 == id }
        log.record { $0.ends.append(reason) }
    }

    func deadlineReached() {
        let now = loop?.now ?? 0
        log.record { $0.deadlines.append(now) }
    }

    func httpGet(_ request: HTTPRequest, requestID: HTTPRequestID) -> HTTPHandlerResult {
        guard request.path == "/healthz" else { return .unhandled }
        return .now(HTTPResponse(contentType: "text/plain", body: Array("ok".utf8)))
    }

    private func send(_ audio: UnsafeRawBufferPointer, to id: ConnectionID, _ connections: Connections) {
        connections.sendAudio(audio, to: id)
    }

    private func perform(_ order: String, from id: ConnectionID) {
        let words = order.split(separator: " ", maxSplits: 2)
        switch words[0] {
        case "!close":
            loop?.sendText(Array("last words".utf8), to: id)
            loop?.close(id, code: UInt16(words[1]) ?? 1000, reason: words.count > 2 ? String(words[2]) : "")
        case "!abort": loop?.abort(id)
        case "!abortOthers": for other in ids where other != id { loop?.abort(other) }
        case "!closeOthers": for other in ids where other != id { loop?.close(other, code: 4002, reason: "") }
        case "!pause": loop?.setReading(false, from: id)
        case "!sign": loop?.markAuthenticated(id)
        case "!deadline":
            if let loop { loop.armDeadline(at: loop.now + (UInt64(words[1]) ?? 0) * 1_000_000) }
        default: break
        }
    }
}

/// A server for one test, on a port of its own.
final class TestServer: Sendable {
    let log = HandlerEvents()
    let loopGroup: EventLoopGroup

    var port: Int { loopGroup.port }

    init(
        _ behaviour: Behaviour = .echo,
        signsInAtOnce: Bool = true,
        _ change: (inout TransportSettings) -> Void = { _ in }
    ) throws {
        var settings = TransportSettings()
        settings.port = 0
        settings.maximumConnections = 200
        settings.sweepInterval = .milliseconds(20)
        change(&settings)
        let log = self.log
        loopGroup = try EventLoopGroup.launch(settings: settings) { _ in
            TestHandler(log: log, behaviour: behaviour, signsInAtOnce: signsInAtOnce)
        }
    }

    /// Runs something on the loop's thread and waits for its result.
    func onLoop<Value: Sendable>(_ work: @escaping @Sendable (ServerLoop) -> Value) -> Value? {
        let box = Box<Value>()
        guard loopGroup.mailbox.post({ box.put(work($0)) }) else { return nil }
        return box.wait()
    }

    /// Waits, on the test's thread, until a predicate of the loop's counters holds.
    func waitForCounters(seconds: Double = 10, _ predicate: (TransportCounters) -> Bool) -> Bool {
        let deadline = Deadline(seconds: seconds)
        while !deadline.isOver {
            if let counters = onLoop({ $0.counters }), predicate(counters) { return true }
        }
        return false
    }

    func stop() {
        loopGroup.stop()
        loopGroup.join()
    }
}

/// A value that is passed from one thread to another.
private final class Box<Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var value: Value?

    func put(_ value: Value) {
        condition.withLock {
            self.value = value
            condition.broadcast()
        }
    }

    func wait() -> Value? {
        let limit = Date(timeIntervalSinceNow: 10)
        return condition.withLock {
            while value == nil { if !condition.wait(until: limit) { return value } }
            return value
        }
    }
}
