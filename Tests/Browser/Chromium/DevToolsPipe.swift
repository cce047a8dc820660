import Foundation
import Glibc
import HubTestSupport

/// The Chrome DevTools Protocol over `--remote-debugging-pipe`: JSON messages that end in NUL, on descriptors 3 and 4.
final class DevToolsPipe: Sendable {
    /// An event of a session.
    struct Event: Sendable {
        let method: String
        let parameters: JSON
        let session: String?
    }

    private struct State {
        var lastNumber = 0
        var open: [Int: PendingResult<JSON>] = [:]
        var listeners: [String: @Sendable (Event) -> Void] = [:]
        var isOver = false
    }

    private let process: GuardedProcess
    private let state = Locked(State())
    private let writing = Locked(())

    init(_ process: GuardedProcess) {
        self.process = process
        let answers = process.answers
        let thread = Thread { [weak self] in
            var pending: [UInt8] = []
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(answers, &bytes, bytes.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                for piece in bytes[..<count].split(separator: 0, omittingEmptySubsequences: false).enumerated() {
                    if piece.offset > 0 {
                        self?.take(pending)
                        pending = []
                    }
                    pending += piece.element
                }
            }
            self?.end()
            close(answers)
        }
        thread.start()
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Sets the listener for events of a session; it is called on the reader's thread.
    ///
    /// An empty name stands for all sessions that have no listener.
    func listen(to session: String, _ listener: (@Sendable (Event) -> Void)?) {
        state.withLock { $0.listeners[session] = listener }
    }

    /// Sends a command and waits for its result, for 30 s by default.
    @discardableResult
    func send(
        _ method: String,
        _ parameters: JSON = [:],
        session: String? = nil,
        within seconds: Double = 30
    ) async throws -> JSON {
        // Of a script the beginning: which one of a test has no answer?
        let words = "\(method) \(parameters["expression"].text?.prefix(300) ?? "")"
        return try await post(method, parameters, session: session).value(within: seconds, words)
    }

    /// Sends a command without waiting; the returned arrival delivers its result.
    @discardableResult
    func post(_ method: String, _ parameters: JSON = [:], session: String? = nil) -> PendingResult<JSON> {
        let answer = PendingResult<JSON>()
        let (number, isOver) = state.withLock { state in
            state.lastNumber += 1
            if !state.isOver { state.open[state.lastNumber] = answer }
            return (state.lastNumber, state.isOver)
        }
        guard !isOver else {
            answer.complete(
                .failure(BrowserError("\(method): the browser has ended: \(process.output.text.suffix(2_000))"))
            )
            return answer
        }
        var message: [String: JSON] = ["id": .number(Double(number)), "method": .string(method), "params": parameters]
        if let session { message["sessionId"] = .string(session) }
        write(Array(JSON.object(message).description.utf8) + [0])
        return answer
    }

    private func write(_ bytes: [UInt8]) {
        writing.withLock { _ in
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Glibc.write(process.commands, $0.baseAddress.map { $0 + sent }, bytes.count - sent)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return end() }
                sent += count
            }
        }
    }

    private func take(_ bytes: [UInt8]) {
        guard let message = try? JSON(reading: bytes) else { return }
        if let number = message["id"].number {
            let answer = state.withLock { $0.open.removeValue(forKey: Int(number)) }
            guard message["error"] == .null else {
                answer?.complete(.failure(BrowserError(message["error"].description)))
                return
            }
            answer?.complete(.success(message["result"]))
        } else if let method = message["method"].text {
            let event = Event(method: method, parameters: message["params"], session: message["sessionId"].text)
            let listener = state.withLock { $0.listeners[event.session ?? ""] ?? $0.listeners[""] }
            listener?(event)
        }
    }

    private func end() {
        let open = state.withLock { state in
            state.isOver = true
            defer { state.open = [:] }
            return state.open
        }
        for answer in open.values { answer.complete(.failure(BrowserError("the browser has ended"))) }
    }
}
