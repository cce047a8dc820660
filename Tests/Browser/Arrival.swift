import Dispatch

/// Something that comes once, or not: one waits for it, another brings it.
final class Arrival<Value: Sendable>: Sendable {
    private enum State {
        case open
        case waited(CheckedContinuation<Value, any Error>)
        case here(Result<Value, any Error>)
    }

    private let state = Locked(State.open)

    /// Brings it; a second time does nothing.
    func bring(_ result: Result<Value, any Error>) {
        let waiter: CheckedContinuation<Value, any Error>? = state.withLock { state in
            defer { if case .here = state {} else { state = .here(result) } }
            if case .waited(let continuation) = state { return continuation }
            return nil
        }
        waiter?.resume(with: result)
    }

    /// Waits; one at a time.
    func value(within seconds: Double, _ what: String) async throws -> Value {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
            self?.bring(.failure(BrowserError("\(what): nothing came within \(seconds) s")))
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

/// What a browser refused, or did not do.
public struct BrowserError: Error, CustomStringConvertible {
    /// In words.
    public let description: String

    /// With these words.
    ///
    /// - Parameter description: What went wrong.
    public init(_ description: String) { self.description = description }
}
