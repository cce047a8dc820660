import HubEngine
import HubSimulation
import Testing

/// Clients that fulfil their actions themselves, as a CXProviderDelegate does.
struct FulfillmentTests {
    var hub: SimulatedHub
    let alice: SessionID
    let bob: SessionID

    init() throws {
        var hub = SimulatedHub()
        alice = try hub.open("alice", fulfillment: .manual)
        bob = try hub.open("bob", fulfillment: .manual)
        self.hub = hub
    }

    /// Fulfils the last action that was sent to the device to perform.
    private mutating func fulfill(_ session: SessionID) throws {
        let action = try #require(hub.actionToPerform(session)).uuid
        #expect(hub.ask(session, .fulfill(action, date: nil)) == .done)
    }

    private mutating func connected() throws -> (outgoing: CallUUID, incoming: CallUUID) {
        let outgoing = hub.start(alice, to: "bob")
        try fulfill(alice)
        let incoming = try #require(hub.ringing(bob)).uuid
        hub.request(bob, incoming, .answer)
        try fulfill(bob)
        return (outgoing, incoming)
    }

    @Test mutating func `nothing happens before the start action is fulfilled (CK-26, P25)`() throws {
        let call = hub.start(alice, to: "bob")
        #expect(hub.last(call, on: alice)?.state == .starting)
        #expect(hub.ringing(bob) == nil)
        #expect(hub.audio(alice) == nil)
        try fulfill(alice)
        #expect(hub.ringing(bob) != nil)
    }

    @Test mutating func `an answered call is connecting until the answer is fulfilled (CK-19, P27)`() throws {
        let call = hub.start(alice, to: "bob")
        try fulfill(alice)
        let incoming = try #require(hub.ringing(bob)).uuid
        hub.request(bob, incoming, .answer)
        #expect(hub.last(incoming, on: bob)?.state == .connecting)
        #expect(hub.last(call, on: alice)?.state == .connecting)
        #expect(hub.audio(bob) == nil)
        #expect(hub.engine.audioRoute(of: alice).gateReason == .notConnected)
        try fulfill(bob)
        #expect(hub.last(call, on: alice)?.state == .connected)
        #expect(hub.audio(bob) != nil)
    }

    @Test mutating func `a failed start or answer ends the call as failed, for both (CK-20, CK-28)`() throws {
        let one = hub.start(alice, to: "bob")
        hub.ask(alice, .fail(try #require(hub.actionToPerform(alice)).uuid))
        #expect(hub.last(one, on: alice)?.endedReason == .failed)
        let two = hub.start(alice, to: "bob")
        try fulfill(alice)
        let incoming = try #require(hub.ringing(bob)).uuid
        hub.request(bob, incoming, .answer)
        hub.ask(bob, .fail(try #require(hub.actionToPerform(bob)).uuid))
        #expect(hub.last(two, on: alice)?.endedReason == .failed)
        #expect(hub.last(incoming, on: bob)?.endedReason == .failed)
    }

    @Test(arguments: [ActionKind.end, .setHeld(true), .setMuted(true)])
    mutating func `any other failed action leaves the call unchanged`(kind: ActionKind) throws {
        let call = try connected().outgoing
        let before = hub.calls(alice)
        hub.request(alice, call, kind)
        hub.ask(alice, .fail(try #require(hub.actionToPerform(alice)).uuid))
        #expect(hub.calls(alice) == before)
        #expect(hub.violations == [])
    }

    @Test mutating func `a second or late reply to an action is ignored (CK-64)`() throws {
        let call = try connected().outgoing
        hub.request(alice, call, .setHeld(true))
        let action = try #require(hub.actionToPerform(alice)).uuid
        #expect(hub.ask(alice, .fulfill(action, date: nil)) == .done)
        #expect(hub.ask(alice, .fulfill(action, date: nil)) == .ignored)
        #expect(hub.ask(alice, .fail(action)) == .ignored)
        #expect(hub.last(call, on: alice)?.state == .held)
    }

    @Test mutating func `a hold that times out fails without ending the call (CK-64, D5, P2)`() throws {
        let call = try connected().outgoing
        hub.request(alice, call, .setHeld(true))
        let action = try #require(hub.actionToPerform(alice))
        hub.wait(.seconds(5))
        #expect(hub.read(alice).last == .timedOutPerforming(action))
        #expect(hub.calls(alice).map(\.state) == [.connected])
        #expect(hub.ask(alice, .fulfill(action.uuid, date: nil)) == .ignored)
        #expect(hub.calls(alice).map(\.state) == [.connected])
    }

    @Test mutating func `a start times out after 600 s, an answer after 60 s, and the call fails (CK-64, D4)`() throws {
        let one = hub.start(alice, to: "bob")
        hub.wait(.milliseconds(599_999))
        #expect(hub.calls(alice).map(\.state) == [.starting])
        hub.wait(.milliseconds(1))
        #expect(hub.last(one, on: alice)?.cause == .timeout)
        let two = hub.start(alice, to: "bob")
        try fulfill(alice)
        hub.request(bob, try #require(hub.ringing(bob)).uuid, .answer)
        hub.wait(.milliseconds(59_999))
        #expect(hub.calls(alice).map(\.state) == [.connecting], "the ring timer has stopped at the answer")
        hub.wait(.milliseconds(1))
        #expect(hub.last(two, on: alice)?.endedReason == .failed)
        #expect(hub.engine.nextDeadline == nil)
    }

    @Test mutating func `the next action is performed after the previous one is fulfilled (CK-40)`() throws {
        let call = try connected().incoming
        let carol = try hub.open("carol")
        _ = hub.start(carol, to: "bob")
        let waiting = try #require(hub.ringing(bob)).uuid
        hub.request(bob, [(call, .end), (waiting, .answer)])
        #expect(hub.actionToPerform(bob)?.kind == .end)
        try fulfill(bob)
        #expect(hub.actionToPerform(bob)?.kind == .answer)
        #expect(hub.audio(bob) == nil)
        try fulfill(bob)
        #expect(hub.audio(bob)?.calls == [waiting])
    }

    @Test mutating func `a swap whose second half fails is undone (CK-37, D14)`() throws {
        let first = try connected().incoming
        let carol = try hub.open("carol")
        _ = hub.start(carol, to: "bob")
        let second = try #require(hub.ringing(bob)).uuid
        hub.request(bob, [(first, .setHeld(true)), (second, .answer)])
        try fulfill(bob)
        try fulfill(bob)
        hub.request(bob, [(second, .setHeld(true)), (first, .setHeld(false))])
        try fulfill(bob)
        hub.ask(bob, .fail(try #require(hub.actionToPerform(bob)).uuid))
        #expect(hub.actionToPerform(bob)?.kind == .setHeld(false))
        #expect(hub.performed(bob).last?.1 == .system)
        try fulfill(bob)
        #expect(hub.last(second, on: bob)?.state == .connected)
        #expect(hub.last(first, on: bob)?.state == .held)
    }

    @Test mutating func `an answer to a call that is cancelled meanwhile also undoes its hold`() throws {
        let first = try connected().incoming
        let carol = try hub.open("carol")
        let cancelled = hub.start(carol, to: "bob")
        let waiting = try #require(hub.ringing(bob)).uuid
        hub.request(bob, [(first, .setHeld(true)), (waiting, .answer)])
        hub.request(carol, cancelled, .end)
        try fulfill(bob)
        #expect(hub.actionToPerform(bob)?.kind == .setHeld(false))
        try fulfill(bob)
        #expect(hub.calls(bob).map(\.state) == [.connected])
        #expect(hub.engine.audioRoute(of: bob).sinks == [alice])
    }

    @Test mutating func `if the call to be held ends first, the other one is answered`() throws {
        let calls = try connected()
        let carol = try hub.open("carol")
        _ = hub.start(carol, to: "bob")
        let waiting = try #require(hub.ringing(bob)).uuid
        hub.request(bob, [(calls.incoming, .setHeld(true)), (waiting, .answer)])
        hub.request(alice, calls.outgoing, .end)
        try fulfill(alice)
        #expect(hub.actionToPerform(bob)?.kind == .answer)
        try fulfill(bob)
        #expect(hub.calls(bob).map(\.uuid) == [waiting])
    }

    @Test mutating func `pending actions and transactions can be listed (CK-63)`() throws {
        let call = hub.start(alice, to: "bob")
        let action = try #require(hub.actionToPerform(alice))
        guard case .pending(let transactions, let actions) = hub.ask(alice, .pending(type: nil, callUUID: nil)) else {
            Issue.record("pending is not answered")
            return
        }
        #expect(transactions.map(\.actions) == [[action]])
        #expect(actions == [action])
        #expect(
            hub.ask(alice, .pending(type: .end, callUUID: call)) == .pending(transactions: transactions, actions: [])
        )
        try fulfill(alice)
        #expect(hub.ask(alice, .pending(type: nil, callUUID: nil)) == .pending(transactions: [], actions: []))
    }

    @Test(arguments: [true, false])
    mutating func `a client with executesTransactions may accept them as a whole (CK-62)`(handled: Bool) throws {
        let dave = try hub.open("dave", fulfillment: .manual, executesTransactions: true)
        let call = hub.start(dave, to: "echo")
        guard case .execute(let transaction, let actions) = hub.read(dave).last, let action = actions.first else {
            Issue.record("the transaction is offered before anything is performed")
            return
        }
        #expect(hub.ask(dave, .executed(transaction, handled: handled)) == .done)
        #expect(hub.performed(dave).isEmpty == handled)
        #expect(hub.ask(dave, .fulfill(action.uuid, date: nil)) == .done)
        #expect(hub.last(call, on: dave)?.state == .connected)
    }

    @Test mutating func `a client that is to be offered transactions, or no longer, says so by configuring (CK-62)`()
        throws
    {
        let dave = try hub.open("dave", fulfillment: .manual, executesTransactions: true)
        hub.ask(dave, .configure(ProviderConfiguration(), executesTransactions: false))
        let call = hub.start(dave, to: "echo")
        let start = try #require(hub.actionToPerform(dave))
        hub.ask(dave, .configure(ProviderConfiguration()))
        #expect(hub.ask(dave, .fulfill(start.uuid, date: nil)) == .done)
        #expect(hub.request(dave, call, .setMuted(true)) == nil)
        #expect(hub.actionToPerform(dave)?.kind == .setMuted(true), "what is not said stays as it is")
        hub.ask(dave, .configure(ProviderConfiguration(), executesTransactions: true))
        _ = hub.read(dave)
        #expect(hub.request(dave, call, .setMuted(false)) == nil)
        #expect(hub.performed(dave).isEmpty)
        guard case .execute(_, let actions) = hub.read(dave).last else {
            Issue.record("the transaction is not offered")
            return
        }
        #expect(actions.map(\.kind) == [.setMuted(false)])
    }

    @Test mutating func `an offer that is under way stays one when its client wants none any more (CK-62)`() throws {
        let dave = try hub.open("dave", fulfillment: .manual, executesTransactions: true)
        let call = hub.start(dave, to: "echo")
        guard case .execute(let transaction, _) = hub.read(dave).last else {
            Issue.record("the transaction is not offered")
            return
        }
        hub.ask(dave, .configure(ProviderConfiguration(), executesTransactions: false))
        #expect(hub.performed(dave).isEmpty)
        #expect(hub.ask(dave, .executed(transaction, handled: false)) == .done)
        #expect(hub.actionToPerform(dave)?.callUUID == call)
    }

    @Test mutating func `a transaction without a reply is performed action by action`() throws {
        let dave = try hub.open("dave", fulfillment: .manual, executesTransactions: true)
        let call = hub.start(dave, to: "echo")
        hub.wait(.seconds(5))
        #expect(hub.actionToPerform(dave)?.callUUID == call)
    }

    @Test mutating func `two concurrent answers leave one active call`() throws {
        _ = hub.start(alice, to: "bob")
        try fulfill(alice)
        let carol = try hub.open("carol")
        _ = hub.start(carol, to: "bob")
        let ringing = hub.calls(bob).map(\.uuid)
        for call in ringing { #expect(hub.request(bob, call, .answer) == nil) }
        let answers = hub.read(bob).compactMap { notification in
            if case .perform(_, let action, _, _, fulfilled: false) = notification { action } else { nil }
        }
        for action in answers { hub.ask(bob, .fulfill(action.uuid, date: nil)) }
        #expect(hub.calls(bob).count { $0.state == .connected } <= 1)
        #expect(hub.violations == [])
    }
}
