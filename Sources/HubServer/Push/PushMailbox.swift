import CCurl
import Foundation

/// The queue of work for the push thread: a list under a lock, a way to wake the thread, and its counters.
final class PushMailbox: @unchecked Sendable {
    private enum State {
        case starting
        case running(UnsafeMutableRawPointer)
        case ended
    }

    private let condition = NSCondition()
    private var state = State.starting
    private var isStopped = false
    private var work: [@Sendable (PushThread) -> Void] = []
    private var lastID: UInt64 = 0
    private var counts = PushStatistics()

    /// Returns a new ID for a message, unique in this mailbox.
    func nextID() -> UInt64 {
        condition.withLock {
            lastID += 1
            return lastID
        }
    }

    /// The latest counters.
    var statistics: PushStatistics { condition.withLock { counts } }

    // MARK: Other threads

    /// Posts a closure to be run on the push thread.
    ///
    /// `curl_multi_wakeup` is the one function of the library that any thread may call.
    func post(_ item: @escaping @Sendable (PushThread) -> Void) {
        condition.withLock {
            guard !isStopped else { return }
            work.append(item)
            if work.count == 1, case .running(let multi) = state { curl_multi_wakeup(multi) }
        }
    }

    /// Waits until the thread has started; returns false if it could not.
    func waitUntilStarted() -> Bool {
        condition.withLock {
            while case .starting = state { condition.wait() }
            if case .running = state { return true }
            return false
        }
    }

    /// Stops the thread, and waits until it has freed libcurl's handle.
    func stop() {
        condition.withLock {
            if !isStopped, case .running(let multi) = state { curl_multi_wakeup(multi) }
            isStopped = true
            work = []
            while case .running = state { condition.wait() }
        }
    }

    // MARK: The sender's thread

    /// Notes that the thread has started; nil: it could not.
    func began(_ multi: UnsafeMutableRawPointer?) {
        condition.withLock {
            state = multi.map { .running($0) } ?? .ended
            condition.broadcast()
        }
    }

    /// Takes the queued work; nil: the thread is to end.
    func takeAll() -> [@Sendable (PushThread) -> Void]? {
        condition.withLock {
            defer { work = [] }
            return isStopped ? nil : work
        }
    }

    /// Notes that libcurl's handle is about to be freed, so that it is no longer woken.
    func ending() {
        condition.withLock { isStopped = true }
    }

    /// Notes that the handle was freed.
    func ended() {
        condition.withLock {
            state = .ended
            condition.broadcast()
        }
    }

    /// Counts a message by its outcome.
    func count(_ outcome: PushOutcome) {
        condition.withLock { counts.outcomes[outcome, default: 0] += 1 }
    }

    /// Sets the number of messages that are queued or in flight.
    func note(waiting: Int) {
        condition.withLock { counts.waiting = waiting }
    }
}
