import HubEngine
import HubSimulation
import Testing

/// Devices of Bob that sign in late: while a call rings or waits for a device, or after its end (CK-80).
struct AbsentDeviceTests {
    private func hub(pushWait: Duration = .zero) throws -> (SimulatedHub, alice: SessionID) {
        var configuration = EngineConfiguration(seed: 1)
        configuration.pushWait = pushWait
        var hub = SimulatedHub(configuration)
        hub.knownAccounts.insert("bob")
        let alice = try hub.open("alice")
        return (hub, alice)
    }

    @Test func `a device that signs in while a call rings rings too, and reports the call (CK-80)`() throws {
        var (hub, alice) = try hub()
        let desk = try hub.open("bob", device: "desk")
        _ = hub.start(alice, to: "bob")
        hub.wait(.seconds(59))
        let mobile = try hub.open("bob", device: "mobile")
        #expect(hub.ringing(mobile)?.uuid == hub.ringing(desk)?.uuid)
        #expect(hub.ringing(mobile)?.mustReport == true)
        #expect(hub.ringing(desk)?.mustReport == false, "this one has rung all the time")
        hub.request(mobile, try #require(hub.ringing(mobile)).uuid, .answer)
        #expect(hub.calls(mobile).map(\.mustReport) == [false])
    }

    @Test func `a call waits for an account without a device, which rings for the full time once it signs in (CK-80)`()
        throws
    {
        var (hub, alice) = try hub(pushWait: .seconds(20))
        let call = hub.start(alice, to: "bob")
        #expect(hub.last(call, on: alice)?.state == .connecting)
        #expect(hub.last(call, on: alice)?.remoteIsRinging == false)
        hub.wait(.seconds(19))
        let bob = try hub.open("bob")
        #expect(hub.ringing(bob)?.mustReport == true)
        #expect(hub.last(call, on: alice)?.remoteIsRinging == true)
        hub.wait(.milliseconds(59_999))
        #expect(hub.ringing(bob) != nil)
        hub.wait(.milliseconds(1))
        #expect(hub.last(call, on: alice)?.endedReason == .unanswered)
    }

    @Test func `a device that signs in too late does not ring, and the call is missed (CK-80)`() throws {
        var (hub, alice) = try hub(pushWait: .seconds(20))
        let call = hub.start(alice, to: "bob")
        hub.wait(.seconds(20))
        #expect(hub.last(call, on: alice)?.cause == .offline)
        let missed = hub.lastEffects.compactMap { effect -> RecentCall.Outcome? in
            if case .addRecent("bob", let entry) = effect { entry.outcome } else { nil }
        }
        #expect(missed == [.missed])
        let bob = try hub.open("bob")
        #expect(hub.calls(bob) == [])
        #expect(hub.engine.nextDeadline == nil)
    }

    @Test func `a call cancelled before a device signed in does not ring there (CK-25, P32)`() throws {
        for pushWait in [Duration.zero, .seconds(20)] {
            var (hub, alice) = try hub(pushWait: pushWait)
            if pushWait == .zero { _ = try hub.open("bob", device: "desk") }
            let call = hub.start(alice, to: "bob")
            hub.request(alice, call, .end)
            let mobile = try hub.open("bob", device: "mobile")
            #expect(hub.calls(mobile) == [])
            #expect(hub.engine.objectCounts.conversations == 0)
        }
    }
}
