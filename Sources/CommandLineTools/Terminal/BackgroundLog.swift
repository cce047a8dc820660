import Foundation

/// Writes log lines to standard error on a thread of its own, so that a slow or absent reader delays no call.
///
/// Safe on any thread. The lock is an NSCondition since `Synchronization.Mutex` gives ThreadSanitizer false
/// positives on this toolchain.
package final class BackgroundLog: @unchecked Sendable {
    private let condition = NSCondition()
    // The lock protects all that follows.
    private var pending: [UInt8] = []
    private var lost = 0
    private var isWriting = false
    private var isOver = false

    /// Creates a log and starts its writer thread.
    package init() {
        let thread = Thread { [self] in writeAll() }
        thread.start()
        thread.name = "callhub-log"
    }

    /// Queues a line, given without its line end; a line that finds the queue full is dropped and counted.
    ///
    /// The number of dropped lines is written before the next line that is queued.
    package func write(_ line: String) {
        let isFirst = condition.withLock {
            guard pending.count < Self.maximumPendingBytes else {
                lost += 1
                return false
            }
            let isFirst = pending.isEmpty
            if lost > 0 {
                pending += Array("(\(lost) lines of the log were lost: nobody read them in time)\n".utf8)
                lost = 0
            }
            pending += line.utf8
            pending.append(UInt8(ascii: "\n"))
            return isFirst
        }
        // After the lock is released, or the writer would wake up only to wait for it. If bytes were pending before,
        // it is awake already.
        if isFirst { condition.signal() }
    }

    /// Waits until the queued lines are written, for at most two seconds if nobody reads them.
    package func finish() {
        condition.withLock {
            isOver = true
            condition.broadcast()
            let limit = Date(timeIntervalSinceNow: Self.finishSeconds)
            while !pending.isEmpty || isWriting, condition.wait(until: limit) {}
        }
    }

    private func writeAll() {
        while let bytes = next() {
            Console.err(String(decoding: bytes, as: UTF8.self))
            condition.withLock {
                isWriting = false
                condition.broadcast()
            }
        }
    }

    /// Waits for pending bytes and takes them all; nil: the log has finished.
    private func next() -> [UInt8]? {
        condition.withLock {
            while pending.isEmpty, !isOver { condition.wait() }
            guard !pending.isEmpty else { return nil }
            isWriting = true
            defer { pending = [] }
            return pending
        }
    }

    /// More: longer pauses of the reader lose no line; more memory is used meanwhile.
    private static let maximumPendingBytes = 1 << 20
    /// Longer: slow readers get the last lines; a reader that has stopped delays the exit.
    private static let finishSeconds = 2.0
}
