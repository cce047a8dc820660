import Dispatch

/// The number of calls into an app, and out of it, that are queued or running.
///
/// In a simulation, time may pass when there are none.
final class ActivityCounter: Sendable {
    private struct State {
        var count = 0
        var callbackCount = 0
        var waiters: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    /// Counts a call that has been queued.
    func begin() {
        state.withLock { $0.count += 1 }
    }

    /// Counts the end of a call.
    func end() {
        let waiters: [@Sendable () -> Void] = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter() }
    }

    /// Counts the call of a part of an app, which may begin or continue a task that is not counted.
    func noteCallback() {
        state.withLock { $0.callbackCount += 1 }
    }

    /// The number of parts of apps that were ever called.
    var callbackCount: Int { state.withLock { $0.callbackCount } }

    /// Waits until no call is queued or running.
    func settle() async {
        await withCheckedContinuation { waiter in
            whenSettled { waiter.resume() }
        }
    }

    /// Blocks the thread until no call is queued or running; not for the threads of an app.
    func waitUntilSettled() {
        let semaphore = DispatchSemaphore(value: 0)
        whenSettled { semaphore.signal() }
        semaphore.wait()
    }

    private func whenSettled(_ then: @escaping @Sendable () -> Void) {
        let isSettled = state.withLock { state in
            if state.count > 0 { state.waiters.append(then) }
            return state.count == 0
        }
        if isSettled { then() }
    }
}
