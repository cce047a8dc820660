import Synchronization

/// Where everybody waits while the soak is at rest.
final class SoakGate: Sendable {
    private struct State {
        var isOpen = false
        var isOver = false
        var waiters: [CheckedContinuation<Bool, Never>] = []
    }

    private let state = Mutex(State())

    /// How many are waiting.
    var waiting: Int { state.withLock { $0.waiters.count } }

    /// Waits until the gate is open.
    ///
    /// - Returns: false when it is all over.
    func pass() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = state.withLock {
                if $0.isOver { return false }
                if $0.isOpen { return true }
                $0.waiters.append(continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Opens or closes the gate.
    func set(isOpen: Bool, isOver: Bool = false) {
        let waiters = state.withLock { state in
            (state.isOpen, state.isOver) = (isOpen, isOver)
            guard isOpen || isOver else { return [CheckedContinuation<Bool, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: !isOver) }
    }
}
