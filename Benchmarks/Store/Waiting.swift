import BenchmarkSupport
import Foundation
import HubAccountData
import HubEngine
import HubStore

/// Completions of store operations, which a thread can wait for.
final class Answers: @unchecked Sendable {
    private let condition = NSCondition()
    private var count = 0
    private var failure: StoreError?

    /// Adds a completion.
    func add(_ result: Result<Void, StoreError>) {
        condition.withLock {
            count += 1
            if case .failure(let fault) = result { failure = failure ?? fault }
            condition.signal()
        }
    }

    /// Waits until there are that many completions; throws the first failure among them.
    func wait(for wanted: Int) throws(BenchmarkError) {
        let first: StoreError? = condition.withLock {
            while count < wanted { condition.wait() }
            return failure
        }
        if let first { throw BenchmarkError("\(first)") }
    }
}

extension Store {
    /// Waits until all requested operations are done.
    func waitForAll() throws(BenchmarkError) {
        let answers = Answers()
        perform({ _ throws(StoreError) in }, then: answers.add)
        try answers.wait(for: 1)
    }

    /// Writes changes and waits until they are stored.
    func writeAndWait(_ changes: [AccountDataChange], of account: String) throws(BenchmarkError) {
        let answers = Answers()
        write(changes, of: account, then: answers.add)
        try answers.wait(for: 1)
    }
}

/// Returns the seconds that `work` takes, by the monotonic clock.
func seconds(_ work: () throws(BenchmarkError) -> Void) throws(BenchmarkError) -> Double {
    let start = monotonicNanoseconds()
    try work()
    return Double(monotonicNanoseconds() - start) / 1e9
}

/// Returns the seconds of this thread's CPU time that `work` takes, which leaves out other threads and programs.
func ownSeconds(_ work: () throws(BenchmarkError) -> Void) throws(BenchmarkError) -> Double {
    let start = threadNanoseconds()
    try work()
    return Double(threadNanoseconds() - start) / 1e9
}

/// Loads all data of a store.
func loaded(_ store: Store) throws(BenchmarkError) -> StoredHub {
    do throws(StoreError) {
        return try store.load()
    } catch {
        throw BenchmarkError("\(error)")
    }
}
