import HubEngine
import HubSimulation
import Testing

/// Bob has a held call with Alice and an active one with Carol, and merges them.
struct GroupTests {
    var hub: SimulatedHub
    let alice: SessionID
    let bob: SessionID
    let carol: SessionID
    /// Bob's calls with the two, and their ends of them.
    let first: (bob: CallUUID, other: CallUUID)
    let second: (bob: CallUUID, other: CallUUID)

    init() throws {
        try self.init(fulfillment: .automatic)
    }

    private init(
        fulfillment: Fulfillment,
        configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) throws {
        var hub = SimulatedHub()
        alice = try hub.open("alice")
        bob = try hub.open("bob", configure: configure)
        carol = try hub.open("carol")
        let one = try hub.connect(alice, to: "bob", on: bob)
        first = (one.incoming, one.outgoing)
        hub.request(bob, one.incoming, .setHeld(true))
        let two = try hub.connect(bob, to: "carol", on: carol)
        second = (two.outgoing, two.incoming)
        self.hub = hub
    }

    private mutating func merge() {
        hub.request(bob, first.bob, .setGroup(with: second.bob))
    }

    private func sinks(_ session: SessionID) -> Set<SessionID> {
        Set(hub.engine.audioRoute(of: session).sinks)
    }

    @Test
    mutating func `a merge resumes first, then all members receive each other's audio and not their own (CK-47, P14)`()
        throws
    {
        _ = hub.read(bob)
        #expect(hub.request(bob, first.bob, .setGroup(with: second.bob)) == nil)
        let performed = hub.performed(bob)
        #expect(performed.map(\.0) == [.setHeld(false), .setGroup(with: second.bob)])
        #expect(performed.map(\.1) == [.system, .user])
        let calls = hub.calls(bob)
        #expect(calls.map(\.state) == [.connected, .connected])
        let group = try #require(calls[0].group)
        #expect(calls[1].group == group)
        #expect(hub.last(first.other, on: alice)?.remoteIsOnHold == false)
        #expect(sinks(alice) == [bob, carol])
        #expect(sinks(bob) == [alice, carol])
        #expect(sinks(carol) == [alice, bob])
        #expect(hub.violations == [])
    }

    @Test mutating func `the audio session stays active over a merge and a split, without a notification (2.8)`() throws
    {
        let before = try #require(hub.audio(bob))
        _ = hub.read(bob)
        merge()
        hub.request(bob, first.bob, .setGroup(with: nil))
        let told = hub.read(bob).filter { notification in
            switch notification {
            case .didActivateAudioSession, .didDeactivateAudioSession: true
            default: false
            }
        }
        #expect(told == [])
        #expect(hub.engine.audioRoute(of: bob).ssrc == before.ssrc)
    }

    @Test mutating func `each member is notified of the sources it receives`() throws {
        merge()
        func sources(_ session: SessionID) -> [AudioSource] {
            (hub.inbox[session] ?? []).compactMap { notification in
                if case .audioSources(let sources) = notification { sources } else { nil }
            }.last ?? []
        }
        #expect(sources(bob).map(\.callUUID) == [first.bob, second.bob])
        #expect(sources(alice).map(\.callUUID) == [first.other, first.other])
        #expect(sources(alice).map(\.handle) == [.generic("bob"), .generic("carol")])
        #expect(Set(sources(alice).map(\.ssrc)) == [hub.audio(bob)?.ssrc, hub.audio(carol)?.ssrc])
    }

    @Test func `if the resume fails, nothing is merged or resumed (CK-47)`() throws {
        var hub = SimulatedHub()
        let (alice, bob) = (try hub.open("alice"), try hub.open("bob", fulfillment: .manual))
        _ = try hub.open("carol")
        func perform(_ call: CallUUID, _ kind: ActionKind) throws {
            hub.request(bob, call, kind)
            hub.ask(bob, .fulfill(try #require(hub.actionToPerform(bob)).uuid, date: nil))
        }
        _ = hub.start(alice, to: "bob")
        let first = try #require(hub.ringing(bob)).uuid
        try perform(first, .answer)
        try perform(first, .setHeld(true))
        let second = hub.makeUUID()
        try perform(second, .start(handle: .generic("tone"), isVideo: false, contactIdentifier: nil))
        let before = hub.calls(bob)
        hub.request(bob, first, .setGroup(with: second))
        #expect(hub.actionToPerform(bob)?.kind == .setHeld(false))
        hub.ask(bob, .fulfill(try #require(hub.actionToPerform(bob)).uuid, date: nil))
        #expect(hub.calls(bob) == before, "the un-hold comes with the merge")
        #expect(hub.actionToPerform(bob)?.kind == .setGroup(with: second))
        hub.ask(bob, .fail(try #require(hub.actionToPerform(bob)).uuid))
        #expect(hub.calls(bob) == before)
        #expect(hub.violations == [])
    }

    @Test mutating func `a transaction of resume and merge holds no call in between`() throws {
        _ = hub.read(bob)
        hub.request(bob, [(first.bob, .setHeld(false)), (first.bob, .setGroup(with: second.bob))])
        #expect(hub.performed(bob).map(\.0) == [.setHeld(false), .setGroup(with: second.bob)])
        #expect(hub.performed(bob).map(\.1) == [.user, .user])
        #expect(hub.calls(bob).map(\.state) == [.connected, .connected])
    }

    @Test mutating func `a hold applies to the whole group, and so does a resume (CK-50)`() throws {
        merge()
        hub.request(bob, second.bob, .setHeld(true))
        #expect(hub.calls(bob).map(\.state) == [.held, .held])
        #expect(hub.last(first.other, on: alice)?.remoteIsOnHold == true)
        #expect(hub.last(second.other, on: carol)?.remoteIsOnHold == true)
        #expect(sinks(alice).isEmpty && sinks(carol).isEmpty, "held by Bob, they receive no audio of each other")
        hub.request(bob, first.bob, .setHeld(false))
        #expect(hub.calls(bob).map(\.state) == [.connected, .connected])
        let audio = try #require(hub.audio(bob))
        #expect(audio.calls == [first.bob, second.bob])
        #expect(audio.group != nil)
        #expect(sinks(alice) == [bob, carol])
    }

    @Test mutating func `an end leaves the other members connected, and a group of one is dissolved (CK-50)`() throws {
        merge()
        hub.request(bob, first.bob, .end)
        #expect(hub.calls(bob).map(\.uuid) == [second.bob])
        #expect(hub.calls(bob).map(\.group) == [nil])
        #expect(hub.calls(bob).map(\.state) == [.connected])
        #expect(sinks(carol) == [bob])
        #expect(hub.last(first.other, on: alice)?.endedReason == .remoteEnded)
    }

    @Test mutating func `a split call becomes active, the rest of the group is held (CK-49, D8)`() throws {
        merge()
        _ = hub.read(bob)
        #expect(hub.request(bob, first.bob, .setGroup(with: nil)) == nil)
        #expect(hub.performed(bob).map(\.0) == [.setGroup(with: nil), .setHeld(true)])
        #expect(hub.performed(bob).map(\.1) == [.user, .system])
        #expect(hub.calls(bob).map(\.state) == [.connected, .held])
        #expect(hub.calls(bob).map(\.group) == [nil, nil])
        #expect(sinks(alice) == [bob])
        #expect(sinks(carol).isEmpty)
        #expect(hub.last(second.other, on: carol)?.remoteIsOnHold == true)
    }

    @Test mutating func `mute applies to one call of a group, the other members receive audio (CK-52)`() throws {
        merge()
        hub.request(bob, first.bob, .setMuted(true))
        #expect(sinks(bob) == [carol])
        #expect(sinks(alice) == [bob, carol])
    }

    @Test(arguments: [1, 2]) func `a group has at most the provider's number of calls (CK-48)`(limit: Int) throws {
        var hub = SimulatedHub()
        let device = try hub.open("device") {
            $0.maximumCallGroups = 3; $0.maximumCallsPerCallGroup = limit
        }
        let calls = ["tone", "echo", "music"].map { hub.start(device, to: $0) }
        let merge = ActionKind.setGroup(with: calls[0])
        #expect(hub.request(device, calls[1], merge) == (limit == 1 ? .requestTransaction(.invalidAction) : nil))
        #expect(hub.request(device, calls[2], merge) == .requestTransaction(.invalidAction))
        #expect(hub.violations == [])
    }

    @Test mutating func `a split beyond the number of groups is refused with 107 (CK-49)`() throws {
        merge()
        _ = hub.start(bob, to: "echo")
        #expect(hub.calls(bob).map(\.state) == [.held, .held, .connected], "the start held the group (CK-45)")
        let split = hub.request(bob, first.bob, .setGroup(with: nil))
        #expect(split == .requestTransaction(.maximumCallGroupsReached))
    }

    @Test(arguments: [true, false])
    func `a disabled capability refuses the merge or the split (CK-48, CK-49)`(isMerge: Bool) throws {
        var tests = try GroupTests()
        if !isMerge { tests.merge() }
        var update = CallUpdate()
        if isMerge { update.supportsGrouping = false } else { update.supportsUngrouping = false }
        tests.hub.ask(tests.bob, .reportCall(tests.first.bob, update))
        let action = ActionKind.setGroup(with: isMerge ? tests.second.bob : nil)
        #expect(tests.hub.request(tests.bob, tests.first.bob, action) == .requestTransaction(.invalidAction))
    }

    @Test
    mutating func `groups of two owners are not bridged: a member of one receives no audio of the other's members`()
        throws
    {
        let dave = try hub.open("dave")
        merge()
        // Carol merges her call with Bob and one with Dave.
        let daves = try hub.connect(carol, to: "dave", on: dave).outgoing
        hub.request(carol, second.other, .setGroup(with: daves))
        #expect(sinks(dave) == [carol, bob])
        #expect(sinks(alice) == [bob, carol], "Dave is no party of Bob's group")
        #expect(sinks(carol) == [dave, bob, alice])
        #expect(hub.violations == [])
    }

    @Test mutating func `a group is one call for ringing choices, selection and resumption (CK-38, CK-43)`() throws {
        merge()
        let dave = try hub.open("dave")
        _ = hub.start(dave, to: "bob")
        let waiting = try #require(hub.ringing(bob))
        #expect(waiting.choices.map(\.name) == [.holdAndAccept, .endAndAccept, .decline])
        #expect(waiting.choices[1].actions.map(\.kind) == [.end, .end, .answer])
        hub.request(bob, waiting.choices[0].actions.map { ($0.callUUID, $0.kind) })
        #expect(hub.calls(bob).map(\.state) == [.held, .held, .connected])
        hub.request(bob, waiting.uuid, .end)
        #expect(hub.calls(bob).map(\.state) == [.connected, .connected])
        #expect(sinks(alice) == [bob, carol])
    }

    @Test
    mutating func `all members of a group receive built-in parties, and the echo replies to each member separately`()
        throws
    {
        hub.request(bob, first.bob, .end)
        let music = hub.start(bob, to: "music")
        hub.request(bob, second.bob, .setGroup(with: music))
        #expect(hub.engine.audioRoute(of: carol).playedSources.map(\.party) == [.music])
        #expect(hub.engine.audioRoute(of: bob).playedSources.map(\.party) == [.music])
        let echo = hub.start(bob, to: "echo")
        hub.request(bob, echo, .setGroup(with: music))
        #expect(sinks(carol) == [bob, carol])
        #expect(sinks(bob) == [carol, bob])
        #expect(hub.violations == [])
    }

    @Test func `two calls between the same parties, merged on both sides, return no party's own audio (CK-47)`() throws
    {
        var hub = SimulatedHub()
        let (alice, bob) = (try hub.open("alice"), try hub.open("bob"))
        let one = try hub.connect(alice, to: "bob", on: bob)
        let two = try hub.connect(alice, to: "bob", on: bob)
        hub.request(alice, one.outgoing, .setGroup(with: two.outgoing))
        hub.request(bob, one.incoming, .setGroup(with: two.incoming))
        #expect(hub.engine.audioRoute(of: alice).sinks == [bob])
        #expect(hub.engine.audioRoute(of: bob).sinks == [alice])
        #expect(hub.violations == [])
    }

    @Test func `members of a group receive no audio of a call held beside it`() throws {
        var hub = SimulatedHub()
        let bob = try hub.open("bob") { $0.maximumCallGroups = 3 }
        var others: [SessionID] = []
        var calls: [CallUUID] = []
        for name in ["alice", "carol", "dave"] {
            others.append(try hub.open(name))
            calls.append(try hub.connect(bob, to: name, on: try #require(others.last)).outgoing)
        }
        hub.request(bob, calls[1], .setGroup(with: calls[2]))
        #expect(hub.calls(bob).map(\.state) == [.held, .connected, .connected])
        #expect(hub.engine.audioRoute(of: others[0]).sinks == [])
        #expect(Set(hub.engine.audioRoute(of: others[1]).sinks) == [bob, others[2]])
    }
}
