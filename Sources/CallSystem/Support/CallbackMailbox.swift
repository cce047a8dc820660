import Dispatch

/// The callbacks of one receiver, run on its queue one after another, even if that queue is concurrent.
///
/// The next callback begins when the previous one has returned and the requests that it made are queued. Callbacks wait
/// while there is nobody to receive them. Confined to the queue of the core.
final class CallbackMailbox {
    /// A callback; it returns false if there is nobody to receive it, and is then called again later.
    typealias Callback = @Sendable () -> Bool

    /// The queue on which the callbacks run.
    var target: DispatchQueue
    private let run: CallbackRunner
    private var callbacks: [Callback] = []
    private var isBusy = false
    private var isClosed = false
    private var holdCount = 0
    /// Indicates that the first callback waits for a receiver.
    private var isWaiting = false
    /// Indicates that a receiver has come while a callback was running, which may have missed it.
    private var hasNewReceiver = false

    init(_ target: DispatchQueue, _ run: CallbackRunner) {
        (self.target, self.run) = (target, run)
    }

    deinit { endActivity() }

    /// Queues a callback.
    func post(_ callback: @escaping @Sendable () -> Void) {
        post(delivering: {
            callback()
            return true
        })
    }

    /// Queues a callback that may find nobody to receive it.
    ///
    /// - Parameters:
    ///   - isFirst: True to put it before those that wait for a receiver.
    ///   - callback: The callback.
    func post(first isFirst: Bool = false, delivering callback: @escaping Callback) {
        guard !isClosed else { return }
        callbacks.insert(callback, at: isFirst && isWaiting ? 0 : callbacks.endIndex)
        if isWaiting, callbacks.count > Self.maximumWaiting { callbacks.removeFirst() }
        // Callbacks that wait for a receiver are no activity: they may wait for ever.
        if !isWaiting { run.activity.begin() }
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

    /// Calls the callbacks again that found nobody.
    func receiverHasCome() {
        hasNewReceiver = isBusy
        guard isWaiting else { return }
        isWaiting = false
        for _ in callbacks { run.activity.begin() }
        runNext()
    }

    /// Drops the callbacks that have not begun; later ones are dropped, too.
    func close() {
        isClosed = true
        endActivity()
        callbacks = []
    }

    /// Counts the callbacks no more that have not begun: an app that goes away keeps nobody waiting for them.
    private func endActivity() {
        if !isWaiting { for _ in callbacks { run.activity.end() } }
    }

    /// More: an app without a receiver may get one later; less memory for one that never has any.
    private static let maximumWaiting = 1_000

    private func runNext() {
        guard !isBusy, !isWaiting, holdCount == 0, !callbacks.isEmpty else { return }
        isBusy = true
        let callback = callbacks.removeFirst()
        let isDelivered = Locked(false)
        let deliver: @Sendable () -> Void = {
            let result = callback()
            isDelivered.withLock { $0 = result }
        }
        run(deliver, on: target) { [weak self, activity = run.activity] in
            self?.finish(callback, isDelivered: isDelivered.withLock { $0 })
            activity.end()
        }
    }

    private func finish(_ callback: @escaping Callback, isDelivered: Bool) {
        isBusy = false
        if !isDelivered, !isClosed {
            callbacks.insert(callback, at: 0)
            if hasNewReceiver {
                run.activity.begin()
            } else {
                isWaiting = true
                for _ in callbacks.dropFirst() { run.activity.end() }
            }
        }
        hasNewReceiver = false
        runNext()
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
        activity.noteCallback()
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
