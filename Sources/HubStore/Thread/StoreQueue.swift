import Foundation
import HubEngine

/// What waits for the store's thread, in the order in which it came; bounded.
///
/// The lock is an NSCondition since `Synchronization.Mutex` gives ThreadSanitizer false positives on this toolchain.
final class StoreQueue: @unchecked Sendable {
    private let settings: StoreSettings
    private let condition = NSCondition()
    // All below: with the lock held.
    private var waiting: [StoreJob] = []
    /// Calls that could not be written, before all that waits; they are tried again with what comes, or after a while.
    private var returned: [StoreJob] = []
    private var waitingOperations = 0
    private var waitingCalls = 0
    private var waitingBytes = 0
    private var state = State.open
    private var journal: RecentsJournal?
    private var counted = StoreFigures()

    private enum State {
        /// Takes jobs.
        case open
        /// Takes none; what waits is done.
        case closing
        /// Over.
        case closed
    }

    init(_ settings: StoreSettings) {
        self.settings = settings
    }

    // MARK: Any thread

    /// Takes an operation; where it cannot, it fails here and now.
    func add(_ operation: any StoreOperation, bytes: Int) {
        let job = StoreJob.operation(operation, bytes: bytes)
        let refusal: StoreFailure? = condition.withLock {
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

    /// Keeps a call that is over: in the journal when this returns, in the file soon.
    func keep(_ entry: JournalEntry) {
        condition.withLock {
            guard state == .open, waitingCalls < settings.maximumWaiting else { return counted.lostCalls += 1 }
            // Under the one lock, so that the journal has the order of the queue.
            let end = journal?.append(entry)
            if end == nil, !FilePlace.isNowhere(settings.path) { counted.unjournaledCalls += 1 }
            waitingCalls += 1
            append(.keep(entry, end: end))
        }
    }

    /// Takes no more, and waits until what there is has been done.
    func close() {
        condition.withLock {
            if state == .open { state = .closing }
            condition.broadcast()
            while state != .closed { condition.wait() }
        }
    }

    var figures: StoreFigures {
        condition.withLock {
            var figures = counted
            figures.waiting = waitingOperations + waitingCalls
            figures.waitingBytes = waitingBytes
            return figures
        }
    }

    /// With the lock held.
    private func append(_ job: StoreJob) {
        waitingBytes += job.byteCount
        waiting.append(job)
        if waiting.count == 1 { condition.broadcast() }
    }

    // MARK: The store's thread

    /// Uses a journal from now on.
    func use(_ journal: RecentsJournal?) {
        condition.withLock { self.journal = journal }
    }

    /// What is to be done next; empty: nothing came for a while; nil: nothing will come any more.
    func take(until moment: Date) -> [StoreJob]? {
        condition.withLock {
            while waiting.isEmpty, state == .open, condition.wait(until: moment) {}
            if waiting.isEmpty, state != .open { return returned.isEmpty ? nil : takeReturned() }
            let jobs = takeReturned() + waiting.prefix(Self.maximumAtOnce)
            waiting.removeFirst(min(waiting.count, Self.maximumAtOnce))
            return jobs
        }
    }

    /// With the lock held.
    private func takeReturned() -> [StoreJob] {
        defer { returned = [] }
        return returned
    }

    /// Jobs are done, well or not.
    func done(_ jobs: [StoreJob]) {
        condition.withLock {
            for job in jobs {
                waitingBytes -= job.byteCount
                switch job {
                case .keep: waitingCalls -= 1
                case .operation: waitingOperations -= 1
                }
            }
        }
    }

    /// Calls could not be written now; while the store closes, they are left to the journal.
    func giveBack(_ jobs: [StoreJob]) {
        let isLast = condition.withLock {
            if state == .open { returned = jobs }
            return state != .open
        }
        if isLast { done(jobs) }
    }

    /// The file has what the journal has up to here.
    func release(to position: UInt64) {
        condition.withLock { journal?.release(to: position) }
    }

    /// Counts something.
    func count(_ change: (inout StoreFigures) -> Void) {
        condition.withLock { change(&counted) }
    }

    /// The thread ends.
    func ended() {
        condition.withLock {
            state = .closed
            journal = nil
            condition.broadcast()
        }
    }

    /// How many jobs are put into one transaction.
    ///
    /// More: each costs less when many wait; the first of them waits longer for its answer.
    private static let maximumAtOnce = 1_000
}
