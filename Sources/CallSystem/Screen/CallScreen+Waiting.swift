import Dispatch
import HubEngine

extension CallScreen {
    /// Waits until the calls on the screen are as expected.
    ///
    /// In a simulation no time passes meanwhile: this is for apps that act later, from tasks of their own.
    ///
    /// - Parameters:
    ///   - timeout: The maximum time to wait, on the clock of the machine.
    ///   - condition: The expectation.
    /// - Returns: The calls that meet the expectation.
    /// - Throws: `CallSystemError` with the calls as they are, after the timeout.
    @discardableResult
    public func wait(
        timeout: Duration = .seconds(10),
        until condition: @escaping @Sendable ([ScreenCall]) -> Bool
    ) async throws(CallSystemError) -> [ScreenCall] {
        let result: Result<[ScreenCall], CallSystemError> = await withCheckedContinuation { done in
            system.post { core in
                if condition(core.screenCalls) { return done.resume(returning: .success(core.screenCalls)) }
                let watcher = Watcher(done)
                watcher.number = core.addWatcher { [unowned core] in
                    if condition(core.screenCalls) { watcher.end(.success(core.screenCalls), core) }
                }
                // Not counted: the wait itself is no activity of the app.
                nonisolated(unsafe) let timed = watcher
                nonisolated(unsafe) let owner = core
                core.run.queue.asyncAfter(deadline: .now() + .nanoseconds(Int(timeout.wholeNanoseconds))) {
                    let calls = owner.screenCalls.map { "\($0.name) \($0.state.rawValue)" }.joined(separator: ", ")
                    let sentence = "After \(timeout) the calls are not as expected, but these: \(calls)."
                    timed.end(.failure(CallSystemError(.unknown, sentence)), owner)
                }
            }
        }
        return try result.get()
    }

    /// A wait for a condition; confined to the core's queue.
    private final class Watcher {
        var number = 0
        private var done: CheckedContinuation<Result<[ScreenCall], CallSystemError>, Never>?

        init(_ done: CheckedContinuation<Result<[ScreenCall], CallSystemError>, Never>) {
            self.done = done
        }

        func end(_ result: Result<[ScreenCall], CallSystemError>, _ core: SystemCore) {
            core.watchers[number] = nil
            done?.resume(returning: result)
            done = nil
        }
    }
}
