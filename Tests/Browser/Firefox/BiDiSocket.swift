import Foundation
import HubTestSupport

/// WebDriver BiDi over the WebSocket that Firefox opens with `--remote-debugging-port`: JSON messages.
final class BiDiSocket: @unchecked Sendable {
    private let socket: RawWebSocket
    private let lock = NSLock()
    private var lastNumber = 0
    private var open: [Int: PendingResult<JSON>] = [:]
    private var listeners: [String: @Sendable (String, JSON) -> Void] = [:]
    private var isOver = false

    init(port: Int) throws {
        socket = try RawWebSocket(port: port, path: "/session", subprotocol: nil)
        let socket = UncheckedSocket(socket)
        let thread = Thread { [weak self] in
            var message: [UInt8] = []
            while let frame = try? socket.value.readFrame(timeout: 86_400), frame.opcode != 8 {
                guard frame.opcode < 3 else { continue }
                message += frame.payload
                guard frame.isFinal else { continue }
                self?.take(message)
                message = []
            }
            self?.end()
        }
        thread.start()
    }

    deinit { shutdown(socket.socket.descriptor, Int32(SHUT_RDWR)) }

    /// Sets the listener for events of a browsing context; it is called on the reader's thread.
    func listen(to context: String, _ listener: (@Sendable (String, JSON) -> Void)?) {
        lock.withLock { listeners[context] = listener }
    }

    @discardableResult
    func send(_ method: String, _ parameters: JSON = [:], within seconds: Double = 30) async throws -> JSON {
        let answer = PendingResult<JSON>()
        try post(method, parameters, answer)
        return try await answer.value(within: seconds, method)
    }

    private func post(_ method: String, _ parameters: JSON, _ answer: PendingResult<JSON>) throws {
        try lock.withLock {
            guard !isOver else { throw BrowserError("\(method): Firefox has ended") }
            lastNumber += 1
            open[lastNumber] = answer
            let message: JSON = ["id": .number(Double(lastNumber)), "method": .string(method), "params": parameters]
            try socket.send(text: message.description)
        }
    }

    private func take(_ bytes: [UInt8]) {
        guard let message = try? JSON(reading: bytes) else { return }
        if let number = message["id"].number {
            let answer = lock.withLock { open.removeValue(forKey: Int(number)) }
            let isError = message["type"] == "error"
            answer?.complete(isError ? .failure(BrowserError(message.description)) : .success(message["result"]))
        } else if let method = message["method"].text {
            let parameters = message["params"]
            let context = parameters["context"].text ?? parameters["source"]["context"].text ?? ""
            lock.withLock { listeners[context] }?(method, parameters)
        }
    }

    private func end() {
        let waiting = lock.withLock {
            isOver = true
            defer { open = [:] }
            return open
        }
        for answer in waiting.values { answer.complete(.failure(BrowserError("Firefox has ended"))) }
    }

    /// The socket for the reader's thread: reading and writing share no state, so one thread reads while others write.
    private struct UncheckedSocket: @unchecked Sendable {
        let value: RawWebSocket
        init(_ value: RawWebSocket) { self.value = value }
    }
}
