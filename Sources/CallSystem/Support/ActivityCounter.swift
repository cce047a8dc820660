/// The number of calls into an app, and out of it, that are queued or running.
///
/// In a simulation, time may pass when there are none.
final class ActivityCounter: Sendable {
    private struct State {
        var count = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    /// Counts a call that has been queued.
    func begin() {
        state.withLock { $0.count += 1 }
    }

    /// Counts the end of a call.
    func end() {
        let waiters: [CheckedContinuation<Void, Never>] = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Indicates that no call is queued or running.
    var isSettled: Bool { state.withLock { $0.count == 0 } }

    /// Waits until no call is queued or running.
    func settle() async {
        await withCheckedContinuation { waiter in
            let isSettled = state.withLock { state in
                if state.count > 0 { state.waiters.append(waiter) }
                return state.count == 0
            }
            if isSettled { waiter.resume() }
        }
    }
}
