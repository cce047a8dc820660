import HubEngine
import HubSimulation
import Testing

/// Two programs of Bob's on one machine, a phone and a door station, and one on his telephone (rule CH-03).
struct MachineTests {
    var hub = SimulatedHub()
    let alice: SessionID
    let carol: SessionID
    let phone: SessionID
    let door: SessionID

    init() throws {
        alice = try hub.open("alice")
        carol = try hub.open("carol")
        phone = try hub.open("bob", device: "phone", machine: "desk")
        door = try hub.open("bob", device: "door", machine: "desk")
    }

    /// Lets a call from outside ring at the door station, and returns it.
    private mutating func ringAtDoor() throws -> CallSnapshot {
        var update = CallUpdate()
        update.localizedCallerName = "Front door"
        try #require(hub.ask(door, .reportNewIncomingCall(hub.makeUUID(), update)) == .done)
        return try #require(hub.ringing(door))
    }

    /// Connects Alice with the phone, and returns the phone's call.
    private mutating func connectPhone() throws -> CallUUID {
        try hub.connect(alice, to: "bob", on: phone).incoming
    }

    private func states(_ session: SessionID) -> [CallSnapshot.State] { hub.calls(session).map(\.state) }

    private func choose(_ name: Choice.Name, _ call: CallSnapshot) throws -> [(CallUUID, ActionKind)] {
        try #require(call.choices.first { $0.name == name }).actions.map { ($0.callUUID, $0.kind) }
    }

    @Test mutating func `an answer holds the call of another program on the machine (CH-03)`() throws {
        let first = try connectPhone()
        let ringing = try ringAtDoor()
        #expect(ringing.choices.map(\.name) == [.holdAndAccept, .endAndAccept, .decline])
        _ = hub.read(phone)
        #expect(hub.request(door, try choose(.holdAndAccept, ringing)) == nil)
        #expect(states(phone) == [.held] && states(door) == [.connected])
        #expect(hub.performed(phone).map(\.0) == [.setHeld(true)])
        #expect(hub.performed(phone).map(\.1) == [.system])
        #expect(hub.performed(door).map(\.0) == [.answer], "nothing is performed for a call that it does not have")
        #expect(hub.audio(phone) == nil)
        #expect(hub.audio(door)?.calls == [ringing.uuid])
        hub.request(door, ringing.uuid, .end)
        #expect(states(phone) == [.connected], "after a local end the only held call is resumed")
        #expect(hub.audio(phone)?.calls == [first])
        #expect(hub.violations == [])
    }

    @Test mutating func `an acceptance that would end the caller's own call is no choice (CH-03, CH-06, CK-38)`() throws
    {
        let own = hub.start(phone, to: "bob")
        #expect(try #require(hub.ringing(door)).choices.map(\.name) == [.decline])
        hub.request(phone, own, .end)
        let call = try hub.connect(phone, to: "alice", on: alice)
        hub.request(alice, call.incoming, .transfer(to: .handle(.generic("bob"))))
        let ringing = try #require(hub.ringing(door))
        #expect(ringing.choices.map(\.name) == [.holdAndAccept, .decline])
        #expect(hub.request(door, try choose(.holdAndAccept, ringing)) == nil)
        #expect(states(phone) == [.held] && states(door) == [.connected])
        #expect(hub.violations == [])
    }

    @Test mutating func `the choice to end ends the other program's call in the same transaction (CH-03)`() throws {
        let first = try connectPhone()
        let ringing = try ringAtDoor()
        let actions = try choose(.endAndAccept, ringing)
        #expect(actions.map(\.0) == [first, ringing.uuid])
        _ = hub.read(phone)
        let requests = actions.map { ActionRequest(callUUID: $0.0, kind: $0.1) }
        guard case .accepted(_, let accepted)? = hub.ask(door, .transaction(requests)) else {
            Issue.record("refused")
            return
        }
        #expect(accepted.count == 2, "each requested action has a name")
        #expect(states(phone) == [] && states(door) == [.connected])
        #expect(hub.performed(phone).map(\.0) == [.end])
        #expect(hub.performed(door).map(\.0) == [.answer])
        #expect(hub.violations == [])
    }

    @Test mutating func `a program ends no call of another one without an answer of its own, nor of another machine`()
        throws
    {
        let first = try connectPhone()
        #expect(hub.request(door, first, .end) == .requestTransaction(.unknownCallUUID))
        let tablet = try hub.open("bob", device: "tablet", machine: "table")
        let call = hub.start(tablet, to: "echo")
        let ringing = try ringAtDoor()
        #expect(
            hub.request(door, [(call, .end), (ringing.uuid, .answer)]) == .requestTransaction(.unknownCallUUID)
        )
        #expect(states(phone) == [.connected] && states(tablet) == [.connected])
        #expect(hub.request(door, ringing.uuid, .answer) == nil)
        #expect(states(phone) == [.held] && states(tablet) == [.connected])
    }

    @Test mutating func `a start holds the other program's call before it is performed (CH-03, CK-45)`() throws {
        _ = try connectPhone()
        let manual = try hub.open("bob", device: "bot", fulfillment: .manual, machine: "desk")
        let call = hub.start(manual, to: "echo")
        #expect(states(phone) == [.held] && states(manual) == [.starting])
        hub.ask(manual, .fail(try #require(hub.actionToPerform(manual)).uuid))
        #expect(hub.last(call, on: manual)?.cause == .actionFailed)
        #expect(states(phone) == [.connected], "as if it had not been requested (D14)")
        #expect(hub.violations == [])
    }

    @Test mutating func `a call that cannot be held is ended, and its program offers no hold (CH-03, CK-36)`() throws {
        let first = try connectPhone()
        var update = CallUpdate()
        update.supportsHolding = false
        hub.ask(phone, .reportCall(first, update))
        let ringing = try ringAtDoor()
        #expect(ringing.choices.map(\.name) == [.endAndAccept, .decline])
        hub.request(door, ringing.uuid, .answer)
        #expect(states(phone) == [] && states(door) == [.connected])
        #expect(hub.violations == [])
    }

    @Test mutating func `choices change with the calls of the other program (CH-03, CK-38)`() throws {
        let ringing = try ringAtDoor()
        #expect(ringing.choices.map(\.name) == [.accept, .decline])
        let call = try connectPhone()
        #expect(hub.ringing(door)?.choices.map(\.name) == [.holdAndAccept, .endAndAccept, .decline])
        hub.request(phone, call, .setHeld(true))
        #expect(hub.ringing(door)?.choices.map(\.name) == [.accept, .decline])
        hub.request(phone, call, .setHeld(false))
        #expect(hub.last(ringing.uuid, on: door)?.choices.count == 3, "as notified")
        hub.request(phone, call, .end)
        #expect(hub.last(ringing.uuid, on: door)?.choices.count == 2, "as notified")
    }

    @Test mutating func `a resumption and a merge hold the other program's call (CH-03)`() throws {
        let first = try connectPhone()
        let second = hub.start(phone, to: "echo")
        let ringing = try ringAtDoor()
        hub.request(door, ringing.uuid, .answer)
        #expect(states(phone) == [.held, .held] && states(door) == [.connected])
        hub.request(phone, first, .setHeld(false))
        #expect(states(phone) == [.connected, .held] && states(door) == [.held])
        hub.request(door, ringing.uuid, .setHeld(false))
        #expect(states(phone) == [.held, .held] && states(door) == [.connected])
        #expect(hub.request(phone, first, .setGroup(with: second)) == nil)
        #expect(states(phone) == [.connected, .connected] && states(door) == [.held])
        #expect(hub.violations == [])
    }

    @Test mutating func `a pull from a program on the same machine leaves nothing held (CH-03)`() throws {
        let call = try connectPhone()
        let tablet = try hub.open("bob", device: "tablet", machine: "desk")
        #expect(hub.request(tablet, call, .pull) == nil)
        #expect(states(phone) == [] && states(tablet) == [.connected])
        #expect(hub.performed(phone).map(\.0).filter { $0 == .setHeld(true) } == [])
        #expect(hub.violations == [])
    }

    @Test mutating func `programs on other machines, or of unnamed ones, do not hold each other's calls`() throws {
        _ = try connectPhone()
        let tablet = try hub.open("bob", device: "tablet", machine: "table")
        let unnamed = try hub.open("bob", device: "unnamed")
        let neighbour = try hub.open("dave", machine: "desk")
        for session in [tablet, unnamed, neighbour] {
            _ = hub.start(session, to: "echo")
            #expect(states(session) == [.connected] && states(phone) == [.connected])
        }
        #expect(hub.violations == [])
    }

    @Test mutating func `with two held calls on the machine a local end resumes none (CH-03, CK-43)`() throws {
        _ = try connectPhone()
        _ = hub.start(phone, to: "echo")
        let ringing = try ringAtDoor()
        hub.request(door, ringing.uuid, .answer)
        hub.request(door, ringing.uuid, .end)
        #expect(states(phone) == [.held, .held])
    }
}
