import Dispatch

/// The callbacks of one receiver, run on its queue one after another, even if that queue is concurrent.
///
/// The next callback begins when the previous one has returned and the requests that it made are queued. Confined to
/// the queue of the core.
final class CallbackMailbox {
    /// The queue on which the callbacks run.
    var target: DispatchQueue
    private let run: CallbackRunner
    private var callbacks: [@Sendable () -> Void] = []
    private var isBusy = false
    private var isClosed = false
    private var holdCount = 0

    init(_ target: DispatchQueue, _ run: CallbackRunner) {
        (self.target, self.run) = (target, run)
    }

    /// Queues a callback.
    func post(_ callback: @escaping @Sendable () -> Void) {
        guard !isClosed else { return }
        callbacks.append(callback)
        run.activity.begin()
        runNext()
    }

    /// Lets no callback begin until `release` is called as often.
    func hold() {
        holdCount += 1
    }

    /// Lets callbacks begin again.
    func release() {
        holdCount -= 1
        runNext()
    }

    /// Drops the callbacks that have not begun; later ones are dropped, too.
    func close() {
        isClosed = true
        for _ in callbacks { run.activity.end() }
        callbacks = []
    }

    private func runNext() {
        guard !isBusy, holdCount == 0, !callbacks.isEmpty else { return }
        isBusy = true
        let callback = callbacks.removeFirst()
        run(callback, on: target) { [weak self, activity = run.activity] in
            self?.isBusy = false
            self?.runNext()
            activity.end()
        }
    }
}

/// Runs callbacks of an app on its queues, with the system that they belong to as the current one.
struct CallbackRunner {
    let queue: DispatchQueue
    let activity: ActivityCounter
    /// The closure that calls another one with the current system set.
    let inContext: @Sendable (_ body: () -> Void) -> Void

    /// Runs a callback on a queue of the app.
    ///
    /// - Parameters:
    ///   - callback: The callback.
    ///   - target: The queue of the app.
    ///   - then: The closure that is called on the queue of the core when the callback has returned.
    func callAsFunction(
        _ callback: @escaping @Sendable () -> Void,
        on target: DispatchQueue,
        then: @escaping () -> Void
    ) {
        // Run on the core's queue, as it was made there.
        nonisolated(unsafe) let then = then
        target.async { [queue, inContext] in
            inContext(callback)
            queue.async { then() }
        }
    }

    /// Runs a single callback on a queue of the app, such as a completion.
    ///
    /// - Parameters:
    ///   - target: The queue of the app.
    ///   - then: The closure that is called on the queue of the core when the callback has returned.
    ///   - callback: The callback.
    func once(
        on target: DispatchQueue,
        then: @escaping () -> Void = {},
        _ callback: @escaping @Sendable () -> Void
    ) {
        activity.begin()
        self(callback, on: target) { [activity] in
            then()
            activity.end()
        }
    }
}
