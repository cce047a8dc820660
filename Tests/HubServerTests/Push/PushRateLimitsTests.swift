import HubEngine
import HubServer
import Testing

/// The token buckets of push messages.
struct PushRateLimitsTests {
    private let start = Instant(nanoseconds: 1_000_000_000)

    private func call(_ callee: String, from caller: String) -> PushRequest {
        PushRequest(
            account: callee,
            callUUID: CallUUID(high: 1, low: 2),
            caller: .generic(caller),
            callerName: caller,
            quietDevices: [],
            expiresAt: start + .seconds(30)
        )
    }

    @Test func `one caller may use half of a callee's pushes, and leaves the rest for others`() {
        let budget = PushRateLimits(toAccountPerMinute: 60, byCallerPerMinute: 1_000)
        #expect(budget.take(20, for: call("bob", from: "mallory"), at: start) == 20)
        #expect(budget.take(20, for: call("bob", from: "mallory"), at: start) == 10)
        #expect(budget.take(20, for: call("bob", from: "mallory"), at: start) == 0)
        #expect(budget.take(20, for: call("bob", from: "alice"), at: start) == 20)
        #expect(budget.take(20, for: call("bob", from: "carol"), at: start) == 10)
        #expect(budget.refusedCount == 40)
        #expect(budget.take(20, for: call("bob", from: "dora"), at: start + .seconds(7)) == 7)
    }

    @Test func `one caller causes a limited number of pushes, to any callees`() {
        let budget = PushRateLimits(toAccountPerMinute: 1_000, byCallerPerMinute: 30)
        #expect(budget.take(20, for: call("bob", from: "mallory"), at: start) == 20)
        #expect(budget.take(20, for: call("carol", from: "mallory"), at: start) == 10)
        #expect(budget.take(20, for: call("carol", from: "alice"), at: start) == 20)
        #expect(budget.take(20, for: call("dora", from: "mallory"), at: start + .seconds(60)) == 20)
    }
}
