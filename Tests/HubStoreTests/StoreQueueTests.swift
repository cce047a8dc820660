import Foundation
import HubEngine
import Testing

@testable import HubStore

/// The order of calls in the queue of the store's thread.
struct StoreQueueTests {
    private func entry(_ name: String) -> JournalEntry { JournalEntry(call(name), of: "bob") }

    @Test func `a call left in the journal at the close is followed by no write`() throws {
        let queue = StoreQueue(StoreSettings(":memory:"))
        queue.addRecent(entry("first"))
        let first = try #require(queue.take(until: .distantFuture))
        #expect(first.count == 1)
        queue.addRecent(entry("second"))
        let thread = Thread { queue.close() }
        thread.start()
        // Calls are refused from the moment at which it closes.
        while queue.statistics.lostRecents == 0 { queue.addRecent(entry("more")) }
        queue.requeue(first)
        #expect(queue.take(until: .distantPast) == nil)
        #expect(queue.statistics.waiting == 0)
        queue.ended()
    }

    @Test func `a call to be retried precedes later ones`() throws {
        let queue = StoreQueue(StoreSettings(":memory:"))
        queue.addRecent(entry("first"))
        let first = try #require(queue.take(until: .distantFuture))
        queue.addRecent(entry("second"))
        queue.requeue(first)
        let names = try #require(queue.take(until: .distantFuture)).compactMap {
            if case .addRecent(let entry, _) = $0 { entry.call.name } else { nil }
        }
        #expect(names == ["first", "second"])
        queue.ended()
    }
}
