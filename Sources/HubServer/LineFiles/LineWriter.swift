import Foundation

/// Writes lines to a file on its own thread: `add` costs the loop only the encoding of a line.
///
/// If the disk is full, or so slow that the buffer overflows, lines are lost with one warning; calls are not affected.
/// The lock is an NSCondition since `Synchronization.Mutex` gives ThreadSanitizer false positives on this toolchain.
final class LineWriter: @unchecked Sendable {
    /// The purpose of a file of lines, and the consequence of losing lines.
    struct Purpose: Sendable {
        /// The log message when writing begins.
        var beginning: StaticString
        /// The log message when lines are lost.
        var loss: StaticString
        /// The thread's name, for debuggers.
        var thread: String
        /// True if a gap ends the file: an event log with a gap is useless, a call detail record is complete in itself.
        var endsWithLoss: Bool
    }

    /// The path of the file.
    let path: String
    private let file: LineFile
    private let purpose: Purpose
    private let log: HubLog
    private let condition = NSCondition()
    // Access to all below only with the lock held.
    private var pending: [UInt8] = []
    private var state = State.waiting
    private var hasWarned = false

    private enum State {
        /// Lines are queued, the file is not touched.
        case waiting
        /// The thread is writing.
        case writing
        /// No more lines are accepted; pending ones are written.
        case finishing
        /// The file is closed.
        case ended
    }

    /// Makes a writer; nothing is written before `begin()`.
    init(to file: LineFile, for purpose: Purpose, log: HubLog) {
        self.file = file
        self.purpose = purpose
        self.log = log
        path = file.path
    }

    /// Queues one or more lines; the closure appends them to the buffer.
    func add(_ encode: (inout [UInt8]) -> Void) {
        let (isFirst, isTooMuch) = condition.withLock {
            guard state == .waiting || state == .writing else { return (false, false) }
            let isFirst = pending.isEmpty
            encode(&pending)
            guard pending.count > Self.maximumPendingBytes else { return (isFirst, false) }
            if purpose.endsWithLoss { end() } else { pending = [] }
            return (false, true)
        }
        // After the lock is released, or the writer would wake up only to wait for it.
        if isFirst { condition.signal() }
        if isTooMuch { warn("the disk is too slow") }
    }

    /// The number of bytes that wait to be written.
    var pendingBytes: Int { condition.withLock { pending.count } }

    /// Begins to write, once the hub runs.
    func begin() {
        condition.withLock { state = .writing }
        log(.info, purpose.beginning, ["file": path])
        let thread = Thread { [self] in writeAll() }
        thread.start()
        thread.name = purpose.thread
    }

    /// Writes the pending lines, if writing was begun, and closes the file.
    ///
    /// Returns when that is done, or after 5 s if the disk does not respond.
    func finish() {
        let isLate = condition.withLock {
            if state == .waiting {
                end()
                file.close()
            }
            if state == .writing { state = .finishing }
            condition.broadcast()
            let limit = Date(timeIntervalSinceNow: Self.finishSeconds)
            while state == .finishing, condition.wait(until: limit) {}
            return state == .finishing
        }
        if isLate { warn("the disk does not respond") }
    }

    private func writeAll() {
        while let lines = next() {
            guard let fault = file.write(lines) else {
                condition.withLock { hasWarned = false }
                continue
            }
            let wasGoing = condition.withLock { state != .ended }
            if wasGoing { warn(fault) }
            if purpose.endsWithLoss { break }
        }
        file.close()
        condition.withLock { end() }
    }

    /// Waits for lines to write; nil: there will be no more.
    private func next() -> [UInt8]? {
        condition.withLock {
            while pending.isEmpty, state == .writing { condition.wait() }
            guard state != .ended, !pending.isEmpty else { return nil }
            defer { pending = [] }
            return pending
        }
    }

    /// Ends writing; call with the lock held.
    private func end() {
        state = .ended
        pending = []
        condition.broadcast()
    }

    /// Logs a warning once, until a write succeeds again.
    private func warn(_ fault: String) {
        let isNew = condition.withLock {
            defer { hasWarned = true }
            return !hasWarned
        }
        if isNew { log(.warning, purpose.loss, ["file": path, "reason": fault]) }
    }

    /// The maximum number of bytes that wait for the disk.
    ///
    /// More: longer stalls of the disk are bridged; more memory during one.
    private static let maximumPendingBytes = 16 << 20
    /// The maximum time in seconds to wait for the disk at the end.
    ///
    /// Longer: the last lines reach slow disks; a disk that does not respond delays the end of the hub.
    private static let finishSeconds = 5.0
}
