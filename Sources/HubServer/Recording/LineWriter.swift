import Foundation

/// Writes lines to a file on a thread of its own: `add` costs the loop the encoding of a line.
///
/// A disk that is full, or so slow that the buffer overflows, costs lines and one warning, and never disturbs a call.
/// The lock is an NSCondition since `Synchronization.Mutex` gives ThreadSanitizer false positives on this toolchain.
final class LineWriter: @unchecked Sendable {
    /// What a file of lines is for, and what becomes of it when lines are lost.
    struct Purpose: Sendable {
        /// Said when writing begins.
        var beginning: StaticString
        /// Said when lines are lost.
        var loss: StaticString
        /// The thread's name, for debuggers.
        var thread: String
        /// Whether a gap is the end: a recording with a hole is worth nothing, a record stands for itself.
        var endsWithLoss: Bool
    }

    /// The file that is written to.
    let path: String
    private let file: RecordingFile
    private let purpose: Purpose
    private let log: HubLog
    private let condition = NSCondition()
    // All below: with the lock held.
    private var pending: [UInt8] = []
    private var state = State.waiting
    private var hasWarned = false

    private enum State {
        /// Lines are kept, the file is not touched.
        case waiting
        /// The writer is at work.
        case writing
        /// No more lines are taken; what is pending is written.
        case finishing
        /// Over.
        case ended
    }

    /// A writer; nothing is written before `begin()`.
    init(to file: RecordingFile, for purpose: Purpose, log: HubLog) {
        self.file = file
        self.purpose = purpose
        self.log = log
        path = file.path
    }

    /// Takes a line, or several; the closure appends them to what it gets.
    func add(_ encode: (inout [UInt8]) -> Void) {
        let (isFirst, isTooMuch) = condition.withLock {
            guard state == .waiting || state == .writing else { return (false, false) }
            let isFirst = pending.isEmpty
            encode(&pending)
            guard pending.count > Self.maximumPendingBytes else { return (isFirst, false) }
            if purpose.endsWithLoss { end() } else { pending = [] }
            return (false, true)
        }
        // With the lock free, or the writer would wake up only to wait for it.
        if isFirst { condition.signal() }
        if isTooMuch { warn("the disk is too slow") }
    }

    /// How much waits to be written.
    var pendingBytes: Int { condition.withLock { pending.count } }

    /// Begins to write; the hub runs.
    func begin() {
        condition.withLock { state = .writing }
        log(.info, purpose.beginning, ["file": path])
        let thread = Thread { [self] in writeAll() }
        thread.start()
        thread.name = purpose.thread
    }

    /// Writes what is pending, if writing was begun, and ends; returns when that is done, or after a while when the disk
    /// does not answer.
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
        if isLate { warn("the disk does not answer") }
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

    /// What is to be written now; nil: nothing more will come.
    private func next() -> [UInt8]? {
        condition.withLock {
            while pending.isEmpty, state == .writing { condition.wait() }
            guard state != .ended, !pending.isEmpty else { return nil }
            defer { pending = [] }
            return pending
        }
    }

    /// With the lock held.
    private func end() {
        state = .ended
        pending = []
        condition.broadcast()
    }

    /// Once, until something is written again.
    private func warn(_ fault: String) {
        let isNew = condition.withLock {
            defer { hasWarned = true }
            return !hasWarned
        }
        if isNew { log(.warning, purpose.loss, ["file": path, "reason": fault]) }
    }

    /// How much may wait for the disk.
    ///
    /// More: longer stalls of the disk are survived; more memory during one.
    private static let maximumPendingBytes = 16 << 20
    /// How long the end waits for the disk.
    ///
    /// Longer: slow disks get the last lines; a dead one holds up the hub's end.
    private static let finishSeconds = 5.0
}
