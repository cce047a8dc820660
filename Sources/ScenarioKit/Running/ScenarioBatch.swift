import Foundation

/// Runs of several scenarios, some at a time.
public struct ScenarioBatch: Sendable {
    /// One run that is to be.
    public struct Item: Sendable {
        /// What is run.
        public var scenario: Scenario
        /// The file that it stands in.
        public var file: String?
        /// What chance goes by.
        public var seed: UInt64

        /// A run of its parts.
        public init(_ scenario: Scenario, file: String?, seed: UInt64) {
            (self.scenario, self.file, self.seed) = (scenario, file, seed)
        }
    }

    private let items: [Item]
    private let workers: Int

    /// A batch.
    ///
    /// - Parameters:
    ///   - items: The runs, in the order in which they are begun.
    ///   - workers: How many go on at a time.
    public init(_ items: [Item], workers: Int) {
        (self.items, self.workers) = (items, max(1, min(workers, items.count)))
    }

    /// Performs all runs, and returns when the last one is over.
    ///
    /// - Parameters:
    ///   - run: Performs one, on any thread.
    ///   - done: Is told of each in the order of the items, one at a time.
    public func perform(_ run: @escaping @Sendable (Item) -> RunRecord, done: @escaping @Sendable (RunRecord) -> Void) {
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

/// Which runs have begun, and which are over.
private final class BatchState: @unchecked Sendable {
    private let lock = NSLock()
    private var begun = 0
    private var told = 0
    private var records: [RunRecord?]

    init(count: Int) { records = Array(repeating: nil, count: count) }

    func take() -> Int? {
        lock.withLock {
            guard begun < records.count else { return nil }
            begun += 1
            return begun - 1
        }
    }

    func finish(_ index: Int, _ record: RunRecord, _ done: (RunRecord) -> Void) {
        lock.withLock {
            records[index] = record
            while told < records.count, let record = records[told] {
                done(record)
                records[told] = nil
                told += 1
            }
        }
    }
}
