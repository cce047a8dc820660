import Dispatch

/// A single value or error that one task awaits and another thread delivers.
final class PendingResult<Value: Sendable>: Sendable {
    private enum State {
        case open
        case waited(CheckedContinuation<Value, any Error>)
        case here(Result<Value, any Error>)
    }

    private let state = Locked(State.open)

    /// Delivers the value or the error; every call but the first is ignored.
    func complete(_ result: Result<Value, any Error>) {
        let waiter: CheckedContinuation<Value, any Error>? = state.withLock { state in
            defer { if case .here = state {} else { state = .here(result) } }
            if case .waited(let continuation) = state { return continuation }
            return nil
        }
        waiter?.resume(with: result)
    }

    /// Returns the value once it has been delivered; one task at a time may wait.
    func value(within seconds: Double, _ what: String) async throws -> Value {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
            self?.complete(.failure(BrowserError("\(what): nothing came within \(seconds) s")))
        }
        return try await withCheckedThrowingContinuation { continuation in
            let result: Result<Value, any Error>? = state.withLock { state in
                if case .here(let result) = state { return result }
                state = .waited(continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }
}

/// An error of the browser or its driver: a refused command, an exception in the page, or a timeout.
public struct BrowserError: Error, CustomStringConvertible {
    /// The error message.
    public let description: String

    /// Creates an error.
    ///
    /// - Parameter description: The error message.
    public init(_ description: String) { self.description = description }
}
