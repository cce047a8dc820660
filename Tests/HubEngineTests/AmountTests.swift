import HubEngine
import HubSimulation
import Testing

/// Limits that keep one request from delaying other clients' audio.
struct AmountTests {
    @Test func `a transaction has at most 64 actions, where each digit counts (429)`() throws {
        var hub = SimulatedHub()
        let alice = try hub.open("alice")
        let call = hub.start(alice, to: "echo")
        let mute = (call, ActionKind.setMuted(true))
        #expect(hub.request(alice, Array(repeating: mute, count: 64)) == nil)
        #expect(hub.request(alice, Array(repeating: mute, count: 65)) == .tooMany)
        let digits = (call, ActionKind.playDTMF(digits: String(repeating: "1", count: 40), type: .singleTone))
        #expect(hub.request(alice, [digits]) == nil)
        #expect(hub.request(alice, [digits, digits]) == .tooMany)
    }

    @Test func `a client that fulfils nothing has at most 64 pending transactions (429)`() throws {
        var hub = SimulatedHub()
        let alice = try hub.open("alice", fulfillment: .manual)
        let call = hub.start(alice, to: "echo")
        hub.ask(alice, .fulfill(try #require(hub.actionToPerform(alice)).uuid, date: nil))
        for _ in 0..<64 { #expect(hub.request(alice, call, .setMuted(true)) == nil) }
        #expect(hub.request(alice, call, .setMuted(true)) == .tooMany)
        hub.ask(alice, .fulfill(try #require(hub.actionToPerform(alice)).uuid, date: nil))
        #expect(hub.request(alice, call, .setMuted(true)) == nil)
    }
}

/// Calls reported by clients, and the hub's data about them (row CK-16).
struct ReportedCallTests {
    @Test func `an update of the handle discards the old name, and Recents shows one party (CK-15, CK-71)`()
        throws
    {
        var hub = SimulatedHub()
        let bob = try hub.open("bob")
        var update = CallUpdate()
        update.remoteHandle = .generic("old")
        let call = hub.makeUUID()
        hub.ask(bob, .reportNewIncomingCall(call, update))
        update.remoteHandle = .generic("new")
        hub.ask(bob, .reportCall(call, update))
        #expect(hub.last(call, on: bob)?.localizedCallerName == "new")
        hub.ask(bob, .reportCallEnded(call, .remoteEnded, date: nil))
        let entries = hub.lastEffects.compactMap { effect -> RecentCall? in
            if case .addRecent("bob", let entry) = effect { entry } else { nil }
        }
        #expect(entries.map(\.handle) == [.generic("new")])
        #expect(entries.map(\.name) == ["new"])
    }

    @Test func `an empty name in an update restores the original name (CK-15)`() throws {
        var hub = SimulatedHub()
        let bob = try hub.open("bob")
        let call = hub.start(bob, to: "echo")
        for (name, shown) in [("Nymph", "Nymph"), ("", "echo")] {
            var update = CallUpdate()
            update.localizedCallerName = name
            hub.ask(bob, .reportCall(call, update))
            #expect(hub.last(call, on: bob)?.localizedCallerName == shown)
        }
        let heard = (hub.inbox[bob] ?? []).compactMap { notification in
            if case .audioSources(let sources) = notification { sources.first?.name } else { nil }
        }
        #expect(heard == ["echo", "Nymph", "echo"], "audio sources have the displayed name")
    }

    @Test func `video that the other party does not support is refused (CK-81)`() throws {
        var hub = SimulatedHub()
        let alice = try hub.open("alice") { $0.supportsVideo = true }
        let bob = try hub.open("bob")
        let call = try hub.connect(alice, to: "bob", on: bob).outgoing
        var update = CallUpdate()
        update.hasVideo = true
        guard case .refused(let refusal) = hub.ask(alice, .reportCall(call, update)) else {
            Issue.record("accepted")
            return
        }
        #expect(refusal.code == .general(.invalidArgument))
        #expect(hub.last(call, on: alice)?.hasVideo == false)
    }

    @Test func `a call that started to ring while the device was disconnected is reported as ringing (CK-80)`() throws {
        var hub = SimulatedHub()
        let (alice, bob) = (try hub.open("alice"), try hub.open("bob"))
        hub.handle(.sessionLost(bob))
        _ = hub.start(alice, to: "bob")
        #expect(hub.ringing(bob)?.mustReport == true)
        let carol = try hub.open("carol")
        _ = hub.start(carol, to: "bob")
        #expect(hub.ringing(bob)?.mustReport == false, "the other call already notified the user")
    }
}

/// The limit of calls per device, independent of its provider's limits.
struct CallsPerDeviceTests {
    private static func hub(_ most: Int) -> SimulatedHub {
        var configuration = EngineConfiguration(seed: 1)
        configuration.maximumCallsPerDevice = most
        return SimulatedHub(configuration)
    }

    @Test func `a start beyond the limit of calls is refused, one after an end is accepted (429)`() throws {
        var hub = Self.hub(3)
        let alice = try hub.open("alice") { $0.maximumCallGroups = 10 }
        let calls = (0..<3).map { _ in hub.start(alice, to: "echo") }
        let start = ActionKind.start(handle: .generic("echo"), isVideo: false, contactIdentifier: nil)
        let fourth = hub.makeUUID()
        #expect(hub.request(alice, fourth, start) == .tooMany)
        #expect(hub.request(alice, [(calls[0], .setMuted(true)), (fourth, start)]) == .tooMany, "whole or nothing")
        #expect(hub.last(calls[0], on: alice)?.isMuted == false)
        #expect(hub.request(alice, [(calls[0], .end), (fourth, start)]) == nil)
        #expect(hub.calls(alice).count == 3)
        #expect(hub.violations == [])
    }

    @Test func `members of a group count towards the limit (429)`() throws {
        var hub = Self.hub(2)
        let alice = try hub.open("alice")
        let calls = (0..<2).map { _ in hub.start(alice, to: "echo") }
        #expect(hub.request(alice, calls[0], .setGroup(with: calls[1])) == nil)
        let start = ActionKind.start(handle: .generic("echo"), isVideo: false, contactIdentifier: nil)
        #expect(hub.request(alice, hub.makeUUID(), start) == .tooMany)
    }

    @Test func `a device at the limit is busy, another device of the account rings`() throws {
        var hub = Self.hub(1)
        let (alice, carol, dora) = (try hub.open("alice"), try hub.open("carol"), try hub.open("dora"))
        let bob = try hub.open("bob", device: "desk")
        _ = try hub.connect(alice, to: "bob", on: bob)
        let busy = hub.start(carol, to: "bob")
        #expect(hub.last(busy, on: carol)?.cause == .busy)
        let mobile = try hub.open("bob", device: "mobile")
        _ = hub.start(dora, to: "bob")
        #expect(hub.ringing(mobile) != nil)
        #expect(hub.ringing(bob) == nil)
        #expect(hub.violations == [])
    }

    @Test func `at the limit a reported call is refused as busy, and a pull is refused`() throws {
        var hub = Self.hub(1)
        let (alice, bob) = (try hub.open("alice"), try hub.open("bob", device: "desk"))
        let mobile = try hub.open("bob", device: "mobile")
        let there = try hub.connect(alice, to: "bob", on: bob).incoming
        _ = hub.start(mobile, to: "echo")
        #expect(hub.request(mobile, there, .pull) == .tooMany)
        var update = CallUpdate()
        update.remoteHandle = .generic("outside")
        guard case .refused(let refusal) = hub.ask(mobile, .reportNewIncomingCall(hub.makeUUID(), update)) else {
            Issue.record("accepted")
            return
        }
        #expect(refusal.code == .incomingCall(.unknown))
        #expect(hub.violations == [])
    }
}
