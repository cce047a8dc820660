import Foundation

/// A batch of runs, some of which are concurrent.
public struct ScenarioBatch: Sendable {
    /// A run of the batch.
    public struct Item: Sendable {
        /// The scenario to run.
        public var scenario: Scenario
        /// The scenario's file; nil: it is in no file.
        public var file: String?
        /// The seed of the random numbers.
        public var seed: UInt64

        /// Creates an item from its parts.
        public init(_ scenario: Scenario, file: String?, seed: UInt64) {
            (self.scenario, self.file, self.seed) = (scenario, file, seed)
        }
    }

    private let items: [Item]
    private let workers: Int

    /// Creates a batch.
    ///
    /// - Parameters:
    ///   - items: The runs, in the order of their beginnings.
    ///   - workers: The maximum number of concurrent runs, at least 1.
    public init(_ items: [Item], workers: Int) {
        (self.items, self.workers) = (items, max(1, min(workers, items.count)))
    }

    /// Performs all runs, and returns when the last one is done.
    ///
    /// - Parameters:
    ///   - run: Performs one run, on any thread.
    ///   - done: Receives each record in the order of the items, one at a time, on any thread.
    public func perform(_ run: @escaping @Sendable (Item) -> RunResult, done: @escaping @Sendable (RunResult) -> Void) {
        let state = BatchState(count: items.count)
        let left = DispatchGroup()
        for _ in 0..<workers {
            left.enter()
            let thread = Thread { [items] in
                while let index = state.take() { state.finish(index, run(items[index]), done) }
                left.leave()
            }
            thread.stackSize = 4 << 20
            thread.name = "scenario"
            thread.start()
        }
        left.wait()
    }
}

/// The progress of a batch, safe on any thread.
private final class BatchState: @unchecked Sendable {
    private let lock = NSLock()
    private var startedCount = 0
    private var reportedCount = 0
    private var records: [RunResult?]

    init(count: Int) { records = Array(repeating: nil, count: count) }

    func take() -> Int? {
        lock.withLock {
            guard startedCount < records.count else { return nil }
            startedCount += 1
            return startedCount - 1
        }
    }

    func finish(_ index: Int, _ record: RunResult, _ done: (RunResult) -> Void) {
        lock.withLock {
            records[index] = record
            while reportedCount < records.count, let record = records[reportedCount] {
                done(record)
                records[reportedCount] = nil
                reportedCount += 1
            }
        }
    }
}
