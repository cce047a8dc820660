import Foundation

/// Does what takes long one after the other: a password takes a tenth of a second and tens of megabytes, by intention.
///
/// The thread is nice to all others: calls go on while many sign in.
final class NiceThread: @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [@Sendable () -> Void] = []
    private var isEnded = false

    private let mostWaiting: Int

    /// Starts it.
    ///
    /// - Parameters:
    ///   - name: For whoever looks at threads.
    ///   - mostWaiting: How much may wait. More: more is taken in one go; the last of it waits longer.
    init(_ name: String, mostWaiting: Int) {
        self.mostWaiting = mostWaiting
        let thread = Thread { [self] in
            // Linux has a niceness for each thread.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
            work()
        }
        thread.name = name
        thread.start()
    }

    /// Has something done.
    ///
    /// - Parameter job: Run on the thread.
    /// - Returns: False where too many wait already.
    func add(_ job: @escaping @Sendable () -> Void) -> Bool {
        condition.withLock {
            guard waiting.count < mostWaiting, !isEnded else { return false }
            waiting.append(job)
            condition.signal()
            return true
        }
    }

    /// Takes nothing more; what waits is not done.
    func end() {
        condition.withLock {
            isEnded = true
            waiting = []
            condition.signal()
        }
    }

    private func work() {
        while let job = next() { job() }
    }

    private func next() -> (@Sendable () -> Void)? {
        condition.withLock {
            while waiting.isEmpty, !isEnded { condition.wait() }
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }
}
