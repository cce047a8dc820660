import HubEngine
import HubSimulation
import Testing

/// The failures found by `make simulate`, each in its shrunk form.
struct SimulationFindingsTests {
    var hub = SimulatedHub()

    @Test mutating func `the caller is notified that ringing has stopped when the callee answers`() throws {
        let alice = try hub.open("alice")
        let bob = try hub.open("bob", fulfillment: .manual)
        let outgoing = hub.start(alice, to: "bob")
        #expect(hub.last(outgoing, on: alice)?.remoteIsRinging == true)
        let incoming = try #require(hub.ringing(bob)?.uuid)
        hub.request(bob, incoming, .answer)
        #expect(hub.last(outgoing, on: alice)?.remoteIsRinging == false)
        #expect(hub.last(outgoing, on: alice) == hub.calls(alice).first)
    }

    @Test
    mutating func `the caller of an absent callee is notified of the call's state while it waits (CK-80)`()
        throws
    {
        var configuration = EngineConfiguration(seed: 1)
        configuration.pushWait = .seconds(20)
        hub = SimulatedHub(configuration)
        hub.knownAccounts.insert("bob")
        let alice = try hub.open("alice")
        let outgoing = hub.start(alice, to: "bob")
        #expect(hub.last(outgoing, on: alice)?.startedConnectingAt != nil)
        #expect(hub.last(outgoing, on: alice) == hub.calls(alice).first)
    }

    @Test mutating func `a call that ended before its start was performed cannot start again under its UUID (CK-10)`()
        throws
    {
        let bob = try hub.open("bob", fulfillment: .manual)
        let first = hub.start(bob, to: "echo")
        let action = try #require(hub.actionToPerform(bob))
        hub.ask(bob, .fulfill(action.uuid, date: nil))
        // The second call cannot be held beside the first, which waits to be ended.
        var unholdable = CallUpdate()
        unholdable.supportsHolding = false
        hub.ask(bob, .reportCall(first, unholdable))
        let second = hub.start(bob, to: "music")
        #expect(hub.last(second, on: bob)?.state == .starting)
        hub.ask(bob, .reportCallEnded(second, .failed, date: nil))
        let again = ActionKind.start(handle: .generic("music"), isVideo: false, contactIdentifier: nil)
        #expect(hub.request(bob, second, again) == .requestTransaction(.callUUIDAlreadyExists))
        let end = try #require(hub.actionToPerform(bob))
        hub.ask(bob, .fulfill(end.uuid, date: nil))
        #expect(hub.calls(bob) == [], "the start has lost its purpose")
        #expect(hub.request(bob, second, again) == nil)
        #expect(hub.violations == [])
    }

    @Test mutating func `a reconnected observer is notified of each change again (CK-69)`() throws {
        let phone = try hub.open("alice", device: "phone")
        let tablet = try hub.open("alice", device: "tablet", observes: true)
        let call = hub.start(phone, to: "echo")
        hub.handle(.sessionClosed(tablet))
        hub.request(phone, call, .setHeld(true))
        let again = try hub.open("alice", device: "tablet", observes: true)
        hub.request(phone, call, .setHeld(false))
        let told = hub.read(again).compactMap { notification in
            if case .observed(let observed) = notification { observed.isOnHold } else { nil }
        }
        #expect(told == [false])
    }

    @Test mutating func `a call already in a group is notified once when another joins, of that one (CK-47, CH-01)`()
        throws
    {
        let alice = try hub.open("alice") { $0.maximumCallGroups = 3 }
        let first = hub.start(alice, to: "echo")
        let second = hub.start(alice, to: "echo")
        hub.request(alice, second, .setGroup(with: first))
        let third = hub.start(alice, to: "echo")
        hub.request(alice, first, .setHeld(false))
        _ = hub.read(alice)
        hub.request(alice, third, .setGroup(with: first))
        let told = hub.read(alice).compactMap { notification in
            if case .callChanged(let call) = notification { call } else { nil }
        }
        #expect(told.map(\.uuid) == [third, first, second])
        #expect(told.map(\.participants.count) == [2, 2, 2])
        #expect(Set(hub.calls(alice).map(\.group)).count == 1)
    }

    @Test mutating func `a call whose other end is on the same device cannot be pulled`() throws {
        let phone = try hub.open("alice", device: "phone")
        let tablet = try hub.open("alice", device: "tablet")
        let (_, incoming) = try hub.connect(phone, to: "alice", on: tablet)
        #expect(hub.request(phone, incoming, .pull) == .requestTransaction(.invalidAction))
        #expect(hub.calls(tablet).map(\.uuid) == [incoming])
    }

    @Test mutating func `a device with more calls than its limit is offered only permitted choices (CK-38)`() throws {
        let alice = try hub.open("alice")
        let bob = try hub.open("bob")
        let held = hub.start(alice, to: "tone")
        _ = hub.start(alice, to: "music")
        _ = hub.start(bob, to: "alice")
        var fewer = ProviderConfiguration()
        fewer.maximumCallGroups = 1
        hub.ask(alice, .configure(fewer))
        #expect(hub.ringing(alice)?.choices.map(\.name) == [.decline])
        hub.request(alice, held, .end)
        let choices = try #require(hub.ringing(alice)?.choices)
        #expect(choices.map(\.name) == [.endAndAccept, .decline])
        #expect(hub.request(alice, choices[0].actions.map { ($0.callUUID, $0.kind) }) == nil)
    }

    @Test mutating func `two pulls of both ends to one device leave one end on its device`() throws {
        let phone = try hub.open("alice", device: "phone")
        let tablet = try hub.open("alice", device: "tablet")
        let laptop = try hub.open("alice", device: "laptop", fulfillment: .manual)
        let (outgoing, incoming) = try hub.connect(phone, to: "alice", on: tablet)
        #expect(hub.request(laptop, [(outgoing, .pull), (incoming, .pull)]) == nil)
        // The first pull, and the hold of its call that goes before the second.
        for _ in 0..<2 { hub.ask(laptop, .fulfill(try #require(hub.actionToPerform(laptop)).uuid, date: nil)) }
        #expect(hub.calls(laptop).map(\.uuid) == [outgoing])
        #expect(hub.calls(tablet).map(\.uuid) == [incoming])
    }
}
