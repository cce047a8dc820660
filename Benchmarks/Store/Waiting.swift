import BenchmarkSupport
import Foundation
import HubEngine
import HubStore

/// Waits for so many answers of a store, and stops at the first failure.
final class Answers: @unchecked Sendable {
    private let condition = NSCondition()
    private var count = 0
    private var failure: StoreFailure?

    /// Takes an answer.
    func add(_ result: Result<Void, StoreFailure>) {
        condition.withLock {
            count += 1
            if case .failure(let fault) = result { failure = failure ?? fault }
            condition.signal()
        }
    }

    /// Waits until there are so many.
    func wait(for wanted: Int) throws(BenchmarkError) {
        let first: StoreFailure? = condition.withLock {
            while count < wanted { condition.wait() }
            return failure
        }
        if let first { throw BenchmarkError("\(first)") }
    }
}

extension Store {
    /// Waits until all that was asked is done.
    func settle() throws(BenchmarkError) {
        let answers = Answers()
        perform({ _ throws(StoreFailure) in }, then: answers.add)
        try answers.wait(for: 1)
    }

    /// Writes and waits.
    func writeAndWait(_ changes: [MemoryChange], of account: String) throws(BenchmarkError) {
        let answers = Answers()
        write(changes, of: account, then: answers.add)
        try answers.wait(for: 1)
    }
}

/// Seconds that something takes.
func seconds(_ work: () throws(BenchmarkError) -> Void) throws(BenchmarkError) -> Double {
    let start = monotonicNanoseconds()
    try work()
    return Double(monotonicNanoseconds() - start) / 1e9
}

/// Seconds of this thread's own that something takes: what others take of the machine is not in them.
func ownSeconds(_ work: () throws(BenchmarkError) -> Void) throws(BenchmarkError) -> Double {
    let start = threadNanoseconds()
    try work()
    return Double(threadNanoseconds() - start) / 1e9
}

/// All that a store has.
func loaded(_ store: Store) throws(BenchmarkError) -> StoredHub {
    do throws(StoreFailure) {
        return try store.load()
    } catch {
        throw BenchmarkError("\(error)")
    }
}
