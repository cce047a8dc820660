import HubClient
import HubEngine
import HubTestSupport
import Testing

@testable import HubServer

/// The check of the engine's invariants on a running hub.
struct InvariantCheckerTests {
    private let start = Instant(nanoseconds: 1_000_000_000)

    @Test func `invariants are not checked without an event, nor before the interval is over`() {
        var watch = InvariantChecker(interval: .milliseconds(100))
        #expect(watch.check(at: start) { ["a"] } == [])
        watch.noteEvent(at: start)
        #expect(watch.check(at: start) { ["a"] } == ["a"])
        watch.noteEvent(at: start + .milliseconds(1))
        #expect(watch.due == start + .milliseconds(100))
        #expect(watch.check(at: start + .milliseconds(99)) { ["b"] } == [])
        #expect(watch.check(at: start + .milliseconds(100)) { ["b"] } == ["b"])
        #expect(watch.checkCount == 2)
        #expect(watch.due == nil)
    }

    @Test func `a continuing violation is counted each time and logged once`() {
        var watch = InvariantChecker(interval: .milliseconds(1))
        watch.noteEvent(at: start)
        #expect(watch.check(at: start) { ["a", "b"] } == ["a", "b"])
        watch.noteEvent(at: start + .seconds(1))
        #expect(watch.check(at: start + .seconds(1)) { ["b", "c"] } == ["c"])
        #expect(watch.violations == 4)
    }

    @Test func `without an interval invariants are never checked`() {
        var watch = InvariantChecker(interval: .zero)
        watch.noteEvent(at: start)
        #expect(watch.due == nil)
    }

    @Test func `a hub that checks its invariants reports the number of checks and violations`() async throws {
        let hub = try TestHub { $0.invariantCheckInterval = .milliseconds(1) }
        let (alice, bob) = (try await hub.phone("alice"), try await hub.phone("bob"))
        let call = try await alice.client.start(.generic("bob"))
        try await bob.client.answer(bob.ringing().uuid)
        try await alice.call("is connected") { $0.uuid == call && $0.state == .connected }
        try hub.wait(for: "callhub_invariant_checks_total", toBe: { $0 > 0 })
        #expect(try hub.metric("callhub_invariant_violations_total") == 0)
    }
}
