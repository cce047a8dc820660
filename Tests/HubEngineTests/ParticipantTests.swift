import HubAccountData
import HubEngine
import HubSimulation
import Testing

/// Bob has a held call with Alice and an active one with Carol; who is told of whom.
struct ParticipantTests {
    private var hub = SimulatedHub()
    private let alice: SessionID
    private let bob: SessionID
    private let carol: SessionID
    /// Bob's calls with the two, and their ends of them.
    private let first: (bob: CallUUID, other: CallUUID)
    private let second: (bob: CallUUID, other: CallUUID)

    init() throws {
        alice = try hub.open("alice")
        bob = try hub.open("bob") { $0.maximumCallGroups = 4 }
        carol = try hub.open("carol")
        let one = try hub.connect(alice, to: "bob", on: bob)
        first = (one.incoming, one.outgoing)
        let two = try hub.connect(bob, to: "carol", on: carol)
        second = (two.outgoing, two.incoming)
    }

    private mutating func merge() {
        hub.request(bob, first.bob, .setGroup(with: second.bob))
    }

    /// Returns the handles of a call's participants, as its owner was last notified of them.
    private func people(_ call: CallUUID, _ session: SessionID) -> [String]? {
        hub.last(call, on: session)?.participants.map(\.handle.value)
    }

    /// Connects one more person to Bob, and merges their call with the others.
    private mutating func join(_ name: String) throws -> (session: SessionID, call: CallUUID, bobs: CallUUID) {
        let session = try hub.open(name)
        let call = try hub.connect(bob, to: name, on: session)
        hub.request(bob, call.outgoing, .setGroup(with: second.bob))
        return (session, call.incoming, call.outgoing)
    }

    private static func changes(_ effects: [Effect], _ session: SessionID) -> Int {
        effects.count { if case .notify(session, .callChanged) = $0 { true } else { false } }
    }

    @Test mutating func `after a merge each member is told who else is in the conversation (CH-01)`() throws {
        #expect(people(first.other, alice) == [])
        merge()
        #expect(people(first.other, alice) == ["carol"])
        #expect(people(second.other, carol) == ["alice"])
        #expect(people(first.bob, bob) == ["carol"])
        #expect(people(second.bob, bob) == ["alice"])
        let dave = try join("dave")
        #expect(people(first.other, alice) == ["carol", "dave"])
        #expect(people(dave.call, dave.session) == ["alice", "carol"])
        #expect(people(dave.bobs, bob) == ["alice", "carol"])
        #expect(hub.violations == [])
    }

    @Test mutating func `those whose list changes are told once, in the event of the change, and nobody else (CH-01)`()
        throws
    {
        merge()
        let dave = try hub.open("dave")
        let call = try hub.connect(bob, to: "dave", on: dave)
        let erin = try hub.open("erin")
        let other = try hub.connect(erin, to: "alice", on: alice)
        hub.request(alice, [(other.incoming, .setHeld(true)), (first.other, .setHeld(false))])
        hub.request(bob, call.outgoing, .setGroup(with: second.bob))
        let counts = [alice, bob, carol, dave, erin].map { Self.changes(hub.lastEffects, $0) }
        // Alice and Carol are resumed by the merge as well: one notification has both. Bob's three calls change.
        #expect(counts == [1, 3, 1, 1, 0])
        hub.request(dave, call.incoming, .end)
        let after = [alice, bob, carol, dave, erin].map { Self.changes(hub.lastEffects, $0) }
        #expect(after == [1, 3, 1, 1, 0])
        hub.request(bob, first.bob, .setMuted(true))
        #expect([alice, bob, carol].map { Self.changes(hub.lastEffects, $0) } == [0, 1, 0])
        #expect(hub.violations == [])
    }

    @Test mutating func `a member's end takes it off the others' lists, and the last two are alone again (CH-01)`()
        throws
    {
        merge()
        let dave = try join("dave")
        hub.request(dave.session, dave.call, .end)
        #expect(people(first.other, alice) == ["carol"])
        #expect(people(first.bob, bob) == ["carol"])
        #expect(people(dave.call, dave.session) == [], "an ended call shares no conversation")
        hub.request(carol, second.other, .end)
        #expect(people(first.other, alice) == [])
        #expect(people(first.bob, bob) == [])
        #expect(hub.violations == [])
    }

    @Test mutating func `a split and a lost device take members off the lists too (CH-01)`() throws {
        merge()
        let dave = try join("dave")
        hub.request(bob, dave.bobs, .setGroup(with: nil))
        #expect(people(dave.call, dave.session) == [])
        #expect(people(first.other, alice) == ["carol"])
        hub.handle(.sessionLost(alice))
        #expect(people(second.other, carol) == ["alice"], "within the grace period she is a member")
        hub.wait(.seconds(60))
        #expect(people(second.other, carol) == [])
        #expect(hub.violations == [])
    }

    @Test mutating func `members stay members while the group, or one of them, is on hold or muted (CH-01)`() throws {
        merge()
        hub.request(bob, first.bob, .setHeld(true))
        #expect(people(first.other, alice) == ["carol"])
        #expect(hub.last(first.other, on: alice)?.remoteIsOnHold == true)
        hub.request(carol, second.other, .setHeld(true))
        hub.request(carol, second.other, .setMuted(true))
        #expect(people(first.other, alice) == ["carol"])
        #expect(people(second.other, carol) == ["alice"])
        #expect(hub.violations == [])
    }

    @Test mutating func `two groups that share a party are not told of one another's members (CH-01)`() throws {
        merge()
        let dave = try hub.open("dave")
        hub.request(carol, second.other, .setHeld(true))
        let call = try hub.connect(carol, to: "dave", on: dave)
        hub.request(carol, second.other, .setGroup(with: call.outgoing))
        #expect(people(call.incoming, dave) == ["bob"])
        #expect(people(second.other, carol) == ["dave", "alice"])
        #expect(people(call.outgoing, carol) == ["bob", "alice"])
        #expect(people(first.other, alice) == ["carol"])
        #expect(people(first.bob, bob) == ["carol", "dave"])
        #expect(people(second.bob, bob) == ["alice", "dave"])
        #expect(hub.violations == [])
    }

    @Test mutating func `a pull takes the call out of its group, and the members are told (CH-01)`() throws {
        merge()
        let dave = try join("dave")
        let desk = try hub.open("bob", device: "desk", observes: true)
        hub.request(desk, dave.bobs, .pull)
        #expect(people(dave.call, dave.session) == [])
        #expect(people(dave.bobs, desk) == [])
        #expect(people(first.other, alice) == ["carol"])
        let mobile = try hub.open("alice", device: "mobile")
        _ = hub.read(carol)
        hub.request(mobile, first.other, .pull)
        #expect(people(first.other, mobile) == ["carol"], "the far end of a member's call moves with its place")
        let news = hub.read(carol).filter { if case .callChanged = $0 { true } else { false } }
        #expect(news == [], "to her it is the same person")
        #expect(hub.violations == [])
    }

    @Test mutating func `a resumed session has the participants in its calls (CH-01)`() throws {
        merge()
        hub.handle(.sessionLost(alice))
        _ = try join("dave")
        hub.handle(.sessionResumed(alice, token: RequestToken(rawValue: 99)))
        guard case .reply(_, .opened(_, _, let calls))? = hub.lastEffects.first else {
            return #expect(Bool(false), "\(hub.lastEffects)")
        }
        #expect(calls.map { $0.participants.map(\.handle.value) } == [["carol", "dave"]])
    }

    @Test mutating func `an external call's party is a participant for the device that carries it alone (CH-01)`()
        throws
    {
        let gateway = hub.makeUUID()
        var update = CallUpdate()
        update.remoteHandle = Handle(type: .phoneNumber, value: "4912345")
        #expect(hub.ask(bob, .reportNewIncomingCall(gateway, update)) == .done)
        hub.request(bob, [(second.bob, .setHeld(true)), (gateway, .answer)])
        hub.request(bob, gateway, .setGroup(with: second.bob))
        #expect(people(gateway, bob) == ["carol"])
        #expect(people(second.bob, bob) == ["4912345"])
        #expect(people(second.other, carol) == [])
        #expect(hub.violations == [])
    }

    @Test mutating func `a built-in party in a group is a participant (CH-01)`() throws {
        merge()
        hub.request(bob, second.bob, .setHeld(true))
        let music = hub.start(bob, to: "music")
        hub.request(bob, music, .setGroup(with: second.bob))
        #expect(people(first.other, alice) == ["carol", "music"])
        #expect(people(music, bob) == ["alice", "carol"])
        #expect(hub.violations == [])
    }

    @Test mutating func `an unknown caller in a conversation is shown as hidden, until a report names them (CH-01)`()
        throws
    {
        let gateway = hub.makeUUID()
        #expect(hub.ask(bob, .reportNewIncomingCall(gateway, CallUpdate())) == .done)
        hub.request(bob, [(second.bob, .setHeld(true)), (gateway, .answer)])
        hub.request(bob, gateway, .setGroup(with: second.bob))
        #expect(hub.last(second.bob, on: bob)?.participants == [.hidden])
        var update = CallUpdate()
        update.remoteHandle = .generic("plumber")
        hub.ask(bob, .reportCall(gateway, update))
        let named = hub.last(second.bob, on: bob)?.participants
        #expect(named?.map(\.name) == ["plumber"])
        #expect(named?.map(\.nameSource) == [.handle])
        #expect(hub.violations == [])
    }

    @Test mutating func `another handle that a client reports for a party reaches the lists (CH-01)`() throws {
        merge()
        var update = CallUpdate()
        update.remoteHandle = .generic("carol's desk")
        hub.ask(bob, .reportCall(second.bob, update))
        #expect(people(first.other, alice) == ["carol's desk"])
        #expect(people(second.other, carol) == ["alice"])
        var named = CallUpdate()
        named.localizedCallerName = "Caroline"
        hub.ask(carol, .reportCall(second.other, named))
        let shown = hub.last(first.other, on: alice)?.participants.first
        #expect(shown?.name == "Caroline")
        #expect(shown?.nameSource == .caller)
        #expect(hub.violations == [])
    }

    @Test mutating func `the name that the group's owner has for a person is not disclosed (CH-01)`() throws {
        var hub = SimulatedHub()
        let (alice, bob, dave) = (try hub.open("alice"), try hub.open("bob"), try hub.open("dave"))
        let contact = Contact(identifier: "1", name: "Dear Dave", handles: [.generic("dave")])
        try hub.changeAccountData("bob", .putContact(contact))
        let one = try hub.connect(alice, to: "bob", on: bob)
        let two = try hub.connect(bob, to: "dave", on: dave)
        hub.request(bob, one.incoming, .setGroup(with: two.outgoing))
        #expect(hub.last(one.outgoing, on: alice)?.participants.map(\.name) == ["dave"])
        #expect(hub.last(one.incoming, on: bob)?.participants.map(\.name) == ["Dear Dave"])
        #expect(hub.last(one.incoming, on: bob)?.participants.map(\.nameSource) == [.contact])
    }
}

extension ParticipantTests {
    private func sources(_ session: SessionID) -> [AudioSource] {
        (hub.inbox[session] ?? []).compactMap { notification in
            if case .audioSources(let sources) = notification { sources } else { nil }
        }.last ?? []
    }

    @Test mutating func `who hides in groups is nobody to all but the direct other end, from one moment on (CH-01)`()
        throws
    {
        merge()
        _ = [alice, bob, carol].map { hub.read($0) }
        hub.handle(.groupNaming(account: "carol", isNamed: false))
        #expect(hub.last(first.other, on: alice)?.participants == [.hidden])
        #expect(sources(alice).map(\.handle.value) == ["bob", "anonymous"])
        #expect(sources(alice).map(\.name) == ["bob", ""])
        #expect(hub.read(bob) == [], "Bob has called her himself")
        #expect(hub.read(carol) == [])
        #expect(hub.calls(bob).map { $0.participants.map(\.handle.value) } == [["carol"], ["alice"]])
        _ = hub.read(alice)
        hub.handle(.groupNaming(account: "carol", isNamed: false))
        #expect(hub.lastEffects == [], "nothing has changed")
        hub.handle(.groupNaming(account: "carol", isNamed: true))
        #expect(people(first.other, alice) == ["carol"])
        #expect(sources(alice).map(\.handle.value) == ["bob", "carol"])
        #expect(hub.violations == [])
    }

    @Test mutating func `an account that is hidden when it signs in is hidden in groups (CH-01)`() throws {
        var opening = SessionOpening(account: "dave", handles: [.generic("dave")], deviceID: "phone")
        opening.isNamedInGroups = false
        hub.knownAccounts.insert("dave")
        hub.handle(.sessionOpened(opening, token: RequestToken(rawValue: 77)))
        guard case .reply(_, .opened(let dave, _, _))? = hub.lastEffects.first else {
            return #expect(Bool(false), "\(hub.lastEffects)")
        }
        merge()
        let call = try hub.connect(bob, to: "dave", on: dave)
        hub.request(bob, call.outgoing, .setGroup(with: second.bob))
        #expect(people(first.other, alice) == ["carol", "anonymous"])
        #expect(people(call.incoming, dave) == ["alice", "carol"])
        #expect(hub.violations == [])
    }
}
