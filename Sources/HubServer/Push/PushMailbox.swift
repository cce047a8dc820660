import CCurl
import Foundation

/// What other threads want of the sender's: a list under a lock, a way to wake it, and what it has counted.
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
    private var counts = PushFigures()

    /// A name for a post.
    func nextID() -> UInt64 {
        condition.withLock {
            lastID += 1
            return lastID
        }
    }

    /// What was counted last.
    var figures: PushFigures { condition.withLock { counts } }

    // MARK: Other threads

    /// Has something done on the sender's thread.
    ///
    /// `curl_multi_wakeup` is the one function of the library that any thread may call.
    func post(_ item: @escaping @Sendable (PushThread) -> Void) {
        condition.withLock {
            guard !isStopped else { return }
            work.append(item)
            if work.count == 1, case .running(let multi) = state { curl_multi_wakeup(multi) }
        }
    }

    /// Waits for the thread; false where it cannot work.
    func waitUntilBegun() -> Bool {
        condition.withLock {
            while case .starting = state { condition.wait() }
            if case .running = state { return true }
            return false
        }
    }

    /// Ends the thread's work, and waits until it has let go of the library.
    func stop() {
        condition.withLock {
            if !isStopped, case .running(let multi) = state { curl_multi_wakeup(multi) }
            isStopped = true
            work = []
            while case .running = state { condition.wait() }
        }
    }

    // MARK: The sender's thread

    /// It works from here on; nil: it does not.
    func began(_ multi: UnsafeMutableRawPointer?) {
        condition.withLock {
            state = multi.map { .running($0) } ?? .ended
            condition.broadcast()
        }
    }

    /// What is to be done; nil: nothing ever again.
    func takeAll() -> [@Sendable (PushThread) -> Void]? {
        condition.withLock {
            defer { work = [] }
            return isStopped ? nil : work
        }
    }

    /// It lets go of the library: nobody may wake it any more.
    func ending() {
        condition.withLock { isStopped = true }
    }

    /// It has let go of it.
    func ended() {
        condition.withLock {
            state = .ended
            condition.broadcast()
        }
    }

    /// One more has come to its end.
    func count(_ outcome: PushOutcome) {
        condition.withLock { counts.outcomes[outcome, default: 0] += 1 }
    }

    /// So many wait or are on their way.
    func note(waiting: Int) {
        condition.withLock { counts.waiting = waiting }
    }
}
