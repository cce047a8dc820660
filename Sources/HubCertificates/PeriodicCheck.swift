package import Foundation

/// A function that is called on a thread of its own, again and again, until it is stopped.
package final class PeriodicCheck: @unchecked Sendable {
    private let condition = NSCondition()
    // Guarded by the condition, from here on.
    private var isStopped = false
    private var isWanted = false
    private var isRunning = true

    /// Starts the thread; the first call comes after the interval.
    ///
    /// - Parameters:
    ///   - interval: The time between two calls, in seconds.
    ///   - name: The name of the thread for debuggers.
    ///   - check: The function.
    package init(every interval: TimeInterval, name: String, _ check: @escaping @Sendable () -> Void) {
        let thread = Thread { [self] in
            while waits(for: interval) { check() }
            condition.withLock {
                isRunning = false
                condition.broadcast()
            }
        }
        thread.name = name
        thread.start()
    }

    /// Makes the next call without waiting for its time; returns at once.
    package func wake() {
        condition.withLock {
            isWanted = true
            condition.broadcast()
        }
    }

    /// Stops the calls, and waits for one that is under way.
    package func stop() {
        condition.withLock {
            isStopped = true
            condition.broadcast()
            while isRunning { condition.wait() }
        }
    }

    /// Waits; false once it is stopped.
    private func waits(for interval: TimeInterval) -> Bool {
        let deadline = Date(timeIntervalSinceNow: interval)
        return condition.withLock {
            while !isStopped, !isWanted, condition.wait(until: deadline) {}
            isWanted = false
            return !isStopped
        }
    }
}
