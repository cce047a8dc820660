import Foundation
import HubEngine

/// The bounded queue of the store's thread, in the order of arrival.
///
/// The lock is an NSCondition since `Synchronization.Mutex` gives ThreadSanitizer false positives on this toolchain.
final class StoreQueue: @unchecked Sendable {
    private let settings: StoreSettings
    private let condition = NSCondition()
    // The lock protects all that follows.
    private var waiting: [StoreJob] = []
    /// Calls that could not be written, which precede the queue; they are retried with new jobs, or after a while.
    private var toRetry: [StoreJob] = []
    private var waitingOperations = 0
    private var waitingRecents = 0
    private var waitingBytes = 0
    private var state = State.open
    private var journal: RecentsJournal?
    private var counted = StoreStatistics()

    private enum State {
        /// Jobs are accepted.
        case open
        /// Jobs are refused; the queued ones are done.
        case closing
        /// The thread has ended.
        case closed
    }

    init(_ settings: StoreSettings) {
        self.settings = settings
    }

    // MARK: Any thread

    /// Queues an operation; if it is refused, its failure is reported before this returns.
    func add(_ operation: any StoreOperation, bytes: Int) {
        let job = StoreJob.operation(operation, bytes: bytes)
        let refusal: StoreError? = condition.withLock {
            guard state == .open else { return .closed }
            let isTooMuch = waitingBytes + job.byteCount > settings.maximumWaitingBytes && !waiting.isEmpty
            guard waitingOperations < settings.maximumWaiting, !isTooMuch else {
                counted.failures[.overload, default: 0] += 1
                return .overload
            }
            waitingOperations += 1
            append(job)
            return nil
        }
        if let refusal { operation.finish(refusal) }
    }

    /// Stores a completed call: in the journal when this returns, in the database soon.
    func addRecent(_ entry: JournalEntry) {
        condition.withLock {
            guard state == .open, waitingRecents < settings.maximumWaiting else { return counted.lostRecents += 1 }
            // Under the same lock, so that the journal has the order of the queue.
            let end = journal?.append(entry)
            if end == nil, !DatabasePath.isInMemory(settings.path) { counted.unjournaledCalls += 1 }
            waitingRecents += 1
            append(.addRecent(entry, end: end))
        }
    }

    /// Refuses further jobs, and waits until the queued ones are done.
    func close() {
        condition.withLock {
            if state == .open { state = .closing }
            condition.broadcast()
            while state != .closed { condition.wait() }
        }
    }

    var statistics: StoreStatistics {
        condition.withLock {
            var statistics = counted
            statistics.waiting = waitingOperations + waitingRecents
            statistics.waitingBytes = waitingBytes
            return statistics
        }
    }

    /// Called with the lock held.
    private func append(_ job: StoreJob) {
        waitingBytes += job.byteCount
        waiting.append(job)
        if waiting.count == 1 { condition.broadcast() }
    }

    // MARK: The store's thread

    /// Sets the journal that is used from now on; nil: none.
    func use(_ journal: RecentsJournal?) {
        condition.withLock { self.journal = journal }
    }

    /// The next jobs; empty: none arrived until `moment`; nil: the store is closed.
    func take(until moment: Date) -> [StoreJob]? {
        condition.withLock {
            while waiting.isEmpty, state == .open, condition.wait(until: moment) {}
            if waiting.isEmpty, state != .open { return toRetry.isEmpty ? nil : takeRequeued() }
            let jobs = takeRequeued() + waiting.prefix(Self.maximumAtOnce)
            waiting.removeFirst(min(waiting.count, Self.maximumAtOnce))
            return jobs
        }
    }

    /// Called with the lock held.
    private func takeRequeued() -> [StoreJob] {
        defer { toRetry = [] }
        return toRetry
    }

    /// Removes completed or failed jobs from the statistics.
    func done(_ jobs: [StoreJob]) {
        condition.withLock {
            for job in jobs {
                waitingBytes -= job.byteCount
                switch job {
                case .addRecent: waitingRecents -= 1
                case .operation: waitingOperations -= 1
                }
            }
        }
    }

    /// Returns calls that could not be written; while the store closes, they are left to the journal.
    ///
    /// All calls behind them are left to it then: one that was written would move the journal's position past those
    /// that were not.
    func requeue(_ jobs: [StoreJob]) {
        let left: [StoreJob] = condition.withLock {
            guard state != .open else {
                toRetry = jobs
                return []
            }
            let calls = waiting.filter(\.isRecent)
            waiting.removeAll(where: \.isRecent)
            return jobs + calls
        }
        done(left)
    }

    /// Frees the journal's entries that are in the database, up to a position.
    func release(to position: UInt64) {
        condition.withLock { journal?.release(to: position) }
    }

    /// Changes the statistics.
    func count(_ change: (inout StoreStatistics) -> Void) {
        condition.withLock { change(&counted) }
    }

    /// Notes that the thread has ended.
    func ended() {
        condition.withLock {
            state = .closed
            journal = nil
            condition.broadcast()
        }
    }

    /// The maximum number of jobs in one transaction.
    ///
    /// More: less work for each job in a long queue; the first of them waits longer for its result.
    private static let maximumAtOnce = 1_000
}
