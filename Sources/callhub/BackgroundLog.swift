import Foundation

/// Writes the log's lines to standard error on a thread of its own: whoever reads them slowly, or not at all, holds no call up.
///
/// Safe on any thread. The lock is an NSCondition since `Synchronization.Mutex` gives ThreadSanitizer false positives on
/// this toolchain.
final class BackgroundLog: @unchecked Sendable {
    private let condition = NSCondition()
    // All below: with the lock held.
    private var pending: [UInt8] = []
    private var lost = 0
    private var isWriting = false
    private var isOver = false

    /// A log that is written from now on.
    init() {
        let thread = Thread { [self] in writeAll() }
        thread.start()
        thread.name = "callhub-log"
    }

    /// Takes a line, without its end; where too much waits already it is lost, and how many were is said later.
    func write(_ line: String) {
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
        // With the lock free, or the writer would wake up only to wait for it; and where more waits already it is awake.
        if isFirst { condition.signal() }
    }

    /// Waits until what was taken is written, for a while where nobody reads it.
    func finish() {
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

    /// What is to be written now; nil: nothing more will come.
    private func next() -> [UInt8]? {
        condition.withLock {
            while pending.isEmpty, !isOver { condition.wait() }
            guard !pending.isEmpty else { return nil }
            isWriting = true
            defer { pending = [] }
            return pending
        }
    }

    /// More: longer pauses of the reader are survived whole; more memory in one.
    private static let maximumPendingBytes = 1 << 20
    /// Longer: slow readers get the last lines; one that does not read holds up the end.
    private static let finishSeconds = 2.0
}
