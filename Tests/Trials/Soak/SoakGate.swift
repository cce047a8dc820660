import Synchronization

/// The gate at which all devices wait while the soak is at rest.
final class SoakGate: Sendable {
    private struct State {
        var isOpen = false
        var isOver = false
        var waiters: [CheckedContinuation<Bool, Never>] = []
    }

    private let state = Mutex(State())

    /// The number of devices that wait.
    var waiting: Int { state.withLock { $0.waiters.count } }

    /// Waits until the gate is open.
    ///
    /// - Returns: False when the soak is over.
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

    /// Opens or closes the gate, or ends the soak.
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
