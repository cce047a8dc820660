import Foundation
import Synchronization
import Testing

@testable import HubAccounts

/// Tests of the low-priority thread: one job at a time, no cancelled jobs, and a bounded wait.
struct LowPriorityWorkerTests {
    /// A job that blocks the thread until the gate is opened.
    private final class Gate: Sendable {
        private let entered = DispatchSemaphore(value: 0)
        private let opened = DispatchSemaphore(value: 0)

        init(_ thread: LowPriorityWorker) {
            _ = thread.add { [entered, opened] in
                entered.signal()
                opened.wait()
            }
            entered.wait()
        }

        func open() { opened.signal() }
    }

    private final class Flag: Sendable {
        private let value = Atomic(true)
        var isUp: Bool { value.load(ordering: .relaxed) }
        func lower() { value.store(false, ordering: .relaxed) }
    }

    @Test func `abandoned jobs are skipped`() async {
        let thread = LowPriorityWorker("test", maximumQueuedJobs: 10)
        defer { thread.end() }
        let gate = Gate(thread)
        let flag = Flag()
        let done = AsyncStream<Int>.makeStream()
        for number in 0..<6 {
            let isTaken = thread.add(while: { number % 2 == 0 || flag.isUp }) { done.continuation.yield(number) }
            #expect(isTaken == .queued)
        }
        flag.lower()
        gate.open()
        #expect(await done.stream.prefix(3).reduce(into: []) { $0.append($1) } == [0, 2, 4])
    }

    @Test func `a job whose expected wait exceeds the limit is refused, unless other jobs were abandoned`() {
        let thread = LowPriorityWorker(
            "test",
            maximumQueuedJobs: 10,
            maximumWait: .seconds(1),
            averageDuration: .milliseconds(400)
        )
        defer { thread.end() }
        let gate = Gate(thread)
        defer { gate.open() }
        let flag = Flag()
        #expect(thread.add(while: { flag.isUp }) {} == .queued)
        #expect(thread.add {} == .queued)
        #expect(thread.add {} == .queueFull)
        flag.lower()
        #expect(thread.add {} == .queued)
        #expect(thread.add {} == .queueFull)
    }

    @Test func `the duration of a job is estimated from earlier ones, and an empty queue accepts any job`() async {
        let thread = LowPriorityWorker(
            "test",
            maximumQueuedJobs: 100,
            maximumWait: .milliseconds(500),
            averageDuration: .seconds(10)
        )
        defer { thread.end() }
        let first = Gate(thread)
        #expect(thread.add {} == .queued)
        #expect(thread.add {} == .queueFull)
        first.open()
        for _ in 0..<80 {
            await withCheckedContinuation { done in
                // A job is accepted as soon as no other waits.
                while thread.add({ done.resume() }) != .queued { sched_yield() }
            }
        }
        let second = Gate(thread)
        defer { second.open() }
        #expect(thread.add {} == .queued)
        #expect(thread.add {} == .queued)
    }

    @Test func `each client has few waiting jobs, and a later client is served before them`() async {
        let thread = LowPriorityWorker(
            "test",
            maximumQueuedJobs: 100,
            maximumWait: .seconds(1),
            averageDuration: .milliseconds(100)
        )
        defer { thread.end() }
        let gate = Gate(thread)
        let done = AsyncStream<String>.makeStream()
        func add(_ name: String, _ job: String) -> LowPriorityWorker.QueueResult {
            thread.add(of: name, atMost: 3) { done.continuation.yield(job) }
        }
        #expect((1...4).map { add("crowd", "\($0)") } == [.queued, .queued, .queued, .clientQueueFull])
        #expect(add("victim", "right") == .queued)
        gate.open()
        #expect(await done.stream.prefix(4).reduce(into: []) { $0.append($1) } == ["1", "right", "2", "3"])
    }

    @Test func `a full queue drops a job of the client with the most, and accepts other clients' jobs`() async {
        let thread = LowPriorityWorker("test", maximumQueuedJobs: 4)
        defer { thread.end() }
        let gate = Gate(thread)
        let done = AsyncStream<String>.makeStream()
        func add(_ name: String, _ job: String) -> LowPriorityWorker.QueueResult {
            thread.add(of: name, orDrop: { done.continuation.yield("no \(job)") }) { done.continuation.yield(job) }
        }
        #expect((1...5).map { add("flood", "\($0)") } == [.queued, .queued, .queued, .queued, .queueFull])
        #expect(["a", "b"].map { add($0, $0) } == [.queued, .queued])
        #expect(["a", "flood", "c"].map { add($0, "late") } == [.queueFull, .queueFull, .queued])
        gate.open()
        let order = await done.stream.prefix(7).reduce(into: []) { $0.append($1) }
        #expect(order == ["no 4", "no 3", "no 2", "1", "a", "b", "late"])
    }

    @Test func `a client without waiting jobs is refused only if other clients' jobs take too long`() {
        let thread = LowPriorityWorker(
            "test",
            maximumQueuedJobs: 100,
            maximumWait: .milliseconds(450),
            averageDuration: .milliseconds(100)
        )
        defer { thread.end() }
        let gate = Gate(thread)
        defer { gate.open() }
        #expect((1...5).map { _ in thread.add(of: "crowd") {} } == [.queued, .queued, .queued, .queued, .queueFull])
        #expect(["a", "b"].map { thread.add(of: $0) {} } == [.queued, .queued])
        #expect(thread.add(of: "c") {} == .queued)
        #expect(thread.add(of: "d") {} == .queueFull)
    }
}
