import Foundation
import HubEngine
import HubWire

/// Writes what comes into the engine to a file, so that `callhub replay` can do it again.
///
/// `record` costs the loop the encoding of a line; a thread of the recorder's own does the writing. A disk that is full, or
/// so slow that the buffer overflows, ends the recording with one warning, and never disturbs a call.
/// The lock is an NSCondition since `Synchronization.Mutex` gives ThreadSanitizer false positives on this toolchain.
final class EventRecorder: @unchecked Sendable {
    /// The file that is written to.
    let path: String
    private let file: RecordingFile
    private let log: HubLog
    private let condition = NSCondition()
    // All below: with the lock held.
    private var pending: [UInt8] = []
    private var state = State.waiting

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

    /// A recorder to `path`, a new or empty file, or a folder that gets one; nothing is written before `begin()`.
    ///
    /// - Throws: `RecordingError` where the file cannot be had.
    init(to path: String, log: HubLog) throws(RecordingError) {
        file = try RecordingFile(path)
        self.path = file.path
        self.log = log
    }

    /// Puts the first line down.
    func start(_ header: RecordingHeader) {
        add { header.encode(into: &$0) }
    }

    /// An event is about to be handled.
    func record(_ event: Event, at now: Instant) {
        add { EventRecord(time: now, .event(event)).encode(into: &$0) }
    }

    /// Time alone passes; worth a line where something is due.
    func recordTime(_ now: Instant, due: Instant?) {
        guard let due, due <= now else { return }
        add { EventRecord(time: now, .timePassed).encode(into: &$0) }
    }

    /// How much waits to be written.
    var pendingBytes: Int { condition.withLock { pending.count } }

    private func add(_ encode: (inout [UInt8]) -> Void) {
        let (isFirst, isTooMuch) = condition.withLock {
            guard state == .waiting || state == .writing else { return (false, false) }
            let isFirst = pending.isEmpty
            encode(&pending)
            guard pending.count > Self.maximumPendingBytes else { return (isFirst, false) }
            end()
            return (false, true)
        }
        // With the lock free, or the writer would wake up only to wait for it.
        if isFirst { condition.signal() }
        if isTooMuch { warn("the disk is too slow") }
    }

    // MARK: Writing

    /// Begins to write; the hub runs.
    func begin() {
        condition.withLock { state = .writing }
        log(.info, "recording events", ["file": path])
        let thread = Thread { [self] in writeAll() }
        thread.name = "recorder"
        thread.start()
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
        var fault: String?
        while fault == nil, let lines = next() { fault = file.write(lines) }
        file.close()
        let wasGoing = condition.withLock {
            defer { end() }
            return state != .ended
        }
        if let fault, wasGoing { warn(fault) }
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

    private func warn(_ fault: String) {
        log(.warning, "recording of events has stopped; calls go on", ["file": path, "reason": fault])
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
