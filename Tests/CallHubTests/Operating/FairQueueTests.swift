import Testing

@testable import HubAccounts

/// Tests of the order in which a fair queue serves its users.
struct FairQueueTests {
    private func queue(_ jobs: [(String, Int)]) -> FairQueue<String, Int> {
        jobs.reduce(into: FairQueue()) { $0.append($1.1, of: $1.0) }
    }

    private func order(_ queue: FairQueue<String, Int>) -> [Int] {
        var queue = queue
        var order: [Int] = []
        while let job = queue.removeFirst() { order.append(job) }
        #expect(queue.isEmpty)
        return order
    }

    @Test func `clients are served in turn, each client's jobs in order`() {
        let queue = queue([("a", 1), ("a", 2), ("a", 3), ("b", 4), ("b", 5), ("c", 6)])
        #expect(order(queue) == [1, 4, 6, 2, 5, 3])
    }

    @Test func `the predicted number of jobs ahead matches the actual order`() {
        for own in ["a", "b", "c", "d"] {
            var queue = queue([("a", 1), ("a", 2), ("a", 3), ("b", 4), ("b", 5), ("c", 6)])
            let before = queue.countBefore(next: own)
            queue.append(7, of: own)
            #expect(order(queue).firstIndex(of: 7) == before, "\(own)")
        }
    }

    @Test func `the newest job of the longest queue is dropped, if that queue exceeds a length`() {
        var queue = queue([("a", 1), ("b", 2), ("b", 3), ("b", 4), ("c", 5)])
        #expect(queue.longestCount == 3)
        #expect(queue.removeLastOfLongest(over: 3) == nil)
        #expect(queue.removeLastOfLongest(over: 2) == 4)
        #expect(queue.removeLastOfLongest(over: 1) == 3)
        #expect(queue.removeLastOfLongest(over: 1) == nil)
        #expect(queue.count == 3)
        #expect(order(queue) == [1, 2, 5])
    }

    @Test func `abandoned jobs are removed, and no client loses its turn`() {
        var queue = queue([("a", 1), ("a", 2), ("b", 4), ("c", 6), ("c", 7)])
        queue.removeAll { $0 == 4 || $0 == 1 }
        #expect(queue.count == 3)
        #expect(queue.count(of: "b") == 0)
        #expect(order(queue) == [2, 6, 7])
    }
}
