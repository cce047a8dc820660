import HubEngine
import HubSimulation
import Testing

/// Concurrent transactions that need the same free group: the second one fails (CK-51).
struct FreeGroupTests {
    /// Fulfils all actions that are sent to a device to perform until none is pending.
    private func fulfillAll(_ hub: inout SimulatedHub, _ device: SessionID) {
        for _ in 0..<20 {
            let told = hub.read(device).compactMap { notification in
                if case .perform(_, let action, _, _, fulfilled: false) = notification { action } else { nil }
            }
            guard !told.isEmpty else { return }
            for action in told { hub.ask(device, .fulfill(action.uuid, date: nil)) }
        }
    }

    @Test func `two concurrent answers do not exceed the provider's number of calls`() throws {
        var hub = SimulatedHub()
        let bob = try hub.open("bob", fulfillment: .manual)
        for name in ["alice", "carol", "dave"] {
            _ = hub.start(try hub.open(name), to: "bob")
            guard name == "alice", let first = hub.ringing(bob) else { continue }
            hub.request(bob, first.uuid, .answer)
            fulfillAll(&hub, bob)
        }
        let calls = hub.calls(bob)
        #expect(calls.map(\.state) == [.connected, .ringing, .ringing])
        for ringing in calls.dropFirst() {
            #expect(hub.request(bob, [(calls[0].uuid, .setHeld(true)), (ringing.uuid, .answer)]) == nil)
        }
        fulfillAll(&hub, bob)
        #expect(hub.calls(bob).map(\.state) == [.held, .connected, .ringing])
        #expect(hub.violations == [])
    }

    @Test func `two concurrent pulls with room for one: the second fails and its call stays on its device`() throws {
        var hub = SimulatedHub()
        let desk = try hub.open("bob", device: "desk")
        let mobile = try hub.open("bob", device: "mobile", fulfillment: .manual) { $0.maximumCallGroups = 1 }
        let calls = ["tone", "music"].map { hub.start(desk, to: $0) }
        for call in calls { #expect(hub.request(mobile, call, .pull) == nil) }
        fulfillAll(&hub, mobile)
        #expect(hub.calls(mobile).map(\.uuid) == [calls[0]])
        #expect(hub.calls(desk).map(\.uuid) == [calls[1]])
        #expect(hub.violations == [])
    }

    @Test func `two concurrent merges do not exceed the group's size (CK-48)`() throws {
        var hub = SimulatedHub()
        let device = try hub.open("device", fulfillment: .manual) {
            $0.maximumCallGroups = 3
            $0.maximumCallsPerCallGroup = 2
        }
        let calls = ["tone", "music", "echo"].map { name in
            let call = hub.start(device, to: name)
            fulfillAll(&hub, device)
            return call
        }
        for call in calls.dropFirst() { #expect(hub.request(device, call, .setGroup(with: calls[0])) == nil) }
        fulfillAll(&hub, device)
        #expect(hub.calls(device).count { $0.group != nil } == 2)
        #expect(hub.violations == [])
    }

    @Test
    func `an answer beside the maximum of held calls is refused with 107, and the choices offer alternatives`()
        throws
    {
        var hub = SimulatedHub()
        let bob = try hub.open("bob")
        for name in ["tone", "music"] { hub.request(bob, hub.start(bob, to: name), .setHeld(true)) }
        _ = hub.start(try hub.open("carol"), to: "bob")
        let waiting = try #require(hub.ringing(bob))
        #expect(hub.request(bob, waiting.uuid, .answer) == .requestTransaction(.maximumCallGroupsReached))
        #expect(waiting.choices.map(\.name) == [.endHeldAndAccept, .decline])
        #expect(hub.request(bob, waiting.choices[0].actions.map { ($0.callUUID, $0.kind) }) == nil)
        #expect(hub.calls(bob).map(\.state) == [.held, .connected])
    }

    @Test func `with several held calls a local end resumes none (CK-43)`() throws {
        var hub = SimulatedHub()
        let bob = try hub.open("bob") { $0.maximumCallGroups = 3 }
        let calls = ["tone", "music", "echo"].map { hub.start(bob, to: $0) }
        hub.request(bob, calls[2], .end)
        #expect(hub.calls(bob).map(\.state) == [.held, .held])
    }

    @Test func `the first reply to an action counts, even out of order (CK-62, CK-64)`() throws {
        var hub = SimulatedHub()
        let bob = try hub.open("bob", fulfillment: .manual, executesTransactions: true)
        hub.request(bob, hub.makeUUID(), .start(handle: .generic("tone"), isVideo: false, contactIdentifier: nil))
        func offered() throws -> (TransactionUUID, [Action]) {
            let offers = hub.read(bob).compactMap { notification in
                if case .execute(let transaction, let actions) = notification { (transaction, actions) } else { nil }
            }
            return try #require(offers.last)
        }
        let (start, starting) = try offered()
        hub.ask(bob, .executed(start, handled: true))
        hub.ask(bob, .fulfill(starting[0].uuid, date: nil))
        let call = starting[0].callUUID
        hub.request(bob, [(call, .setMuted(true)), (call, .setHeld(true))])
        let (transaction, actions) = try offered()
        hub.ask(bob, .executed(transaction, handled: true))
        #expect(hub.ask(bob, .fulfill(actions[1].uuid, date: nil)) == .done)
        #expect(hub.ask(bob, .fail(actions[1].uuid)) == .ignored)
        #expect(hub.calls(bob).map(\.state) == [.connected], "one after another: the mute comes first")
        #expect(hub.ask(bob, .fulfill(actions[0].uuid, date: nil)) == .done)
        #expect(hub.calls(bob).map(\.state) == [.held])
        #expect(hub.calls(bob).map(\.isMuted) == [true])
    }

    @Test func `a split whose group was taken by another call meanwhile is refused on fulfilment`()
        throws
    {
        var hub = SimulatedHub()
        let bob = try hub.open("bob", fulfillment: .manual)
        let calls = ["tone", "music"].map { name in
            let call = hub.start(bob, to: name)
            fulfillAll(&hub, bob)
            return call
        }
        hub.request(bob, calls[0], .setGroup(with: calls[1]))
        fulfillAll(&hub, bob)
        hub.request(bob, calls[0], .setGroup(with: nil))
        let split = try #require(hub.actionToPerform(bob))
        hub.request(bob, hub.makeUUID(), .start(handle: .generic("echo"), isVideo: false, contactIdentifier: nil))
        #expect(hub.calls(bob).map(\.state) == [.connected, .connected, .starting])
        #expect(hub.ask(bob, .fulfill(split.uuid, date: nil)) == .ignored)
        #expect(hub.calls(bob).count { $0.group != nil } == 2)
        #expect(hub.violations == [])
    }
}
