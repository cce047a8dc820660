import HubAccountData
import HubEngine
import HubSimulation
import Testing

/// Bob has a held call with Alice and an active one with Carol, and connects the two (CH-05).
struct AttendedTransferTests {
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

    @discardableResult
    private mutating func transfer() -> Refusal.Code? {
        hub.request(bob, first.bob, .transfer(to: .call(second.bob)))
    }

    private func sinks(_ session: SessionID) -> [SessionID] { hub.engine.audioRoute(of: session).sinks }

    // MARK: The transfer

    @Test mutating func `an attended transfer connects the two others and frees the transferor (CH-05)`() throws {
        let before = try #require(hub.calls(alice).first)
        #expect(transfer() == nil)
        #expect(hub.calls(bob) == [])
        #expect(hub.audio(bob) == nil && sinks(bob) == [])
        for call in [first.bob, second.bob] {
            let last = hub.last(call, on: bob)
            #expect(last?.hasEnded == true && last?.endedReason == nil && last?.cause == .transferred)
        }
        let call = try #require(hub.calls(alice).first)
        #expect(call.uuid == before.uuid && call.state == .connected && call.connectedAt == before.connectedAt)
        #expect(!call.remoteIsOnHold)
        #expect(hub.calls(carol).map(\.uuid) == [second.other])
        #expect(sinks(alice) == [carol] && sinks(carol) == [alice])
        #expect(hub.violations == [])
    }

    @Test mutating func `both are told who is there now, and by whom (CH-05)`() throws {
        for (owner, other, name) in [("alice", "carol", "Carol Hu"), ("carol", "alice", "Alice Liddell")] {
            let contact = Contact(identifier: "1", name: name, handles: [.generic(other)])
            try hub.changeAccountData(owner, .putContact(contact))
        }
        transfer()
        let alices = try #require(hub.last(first.other, on: alice))
        #expect(alices.remoteHandle == .generic("carol") && alices.localizedCallerName == "Carol Hu")
        #expect(alices.nameSource == .contact)
        #expect(alices.transferor?.handle == .generic("bob"))
        let carols = try #require(hub.last(second.other, on: carol))
        #expect(carols.remoteHandle == .generic("alice") && carols.localizedCallerName == "Alice Liddell")
        #expect(carols.transferor?.handle == .generic("bob"))
    }

    @Test mutating func `a transfer is one action of the user, and each of the others is told once (CH-05)`() {
        for session in [alice, bob, carol] { _ = hub.read(session) }
        transfer()
        #expect(hub.performed(bob).map(\.0) == [.transfer(to: .call(second.bob))])
        for (session, call) in [(alice, first.other), (carol, second.other)] {
            let news = hub.read(session)
            #expect(news.count { if case .callChanged(let it) = $0 { it.uuid == call } else { false } } == 1)
            #expect(!news.contains { if case .didDeactivateAudioSession = $0 { true } else { false } })
        }
    }

    @Test mutating func `the transferor's gate shuts before those of the two others open (CH-05)`() {
        transfer()
        let routes = hub.lastEffects.compactMap { if case .audioRouteChanged(let it) = $0 { it } else { nil } }
        #expect(routes.first == bob)
        #expect(Set(routes) == [alice, bob, carol])
    }

    @Test mutating func `a transfer works both ways round, and with both calls held (CH-05)`() {
        hub.request(bob, second.bob, .setHeld(true))
        #expect(hub.request(bob, second.bob, .transfer(to: .call(first.bob))) == nil)
        #expect(sinks(alice) == [carol] && sinks(carol) == [alice])
        #expect(hub.violations == [])
    }

    @Test mutating func `what each of the two holds or mutes stays held or muted (CH-05, P18)`() {
        hub.request(alice, [(first.other, .setMuted(true)), (first.other, .setHeld(true))])
        transfer()
        #expect(hub.calls(alice).map(\.isMuted) == [true] && hub.calls(alice).map(\.state) == [.held])
        #expect(hub.last(second.other, on: carol)?.remoteIsOnHold == true)
        #expect(sinks(carol) == [] && sinks(alice) == [])
        hub.request(alice, first.other, .setHeld(false))
        #expect(hub.last(second.other, on: carol)?.remoteIsOnHold == false)
        #expect(sinks(carol) == [alice] && sinks(alice) == [])
    }

    @Test mutating func `after a transfer the transferor's only held call is resumed, as after an end (CH-05, CK-43)`()
        throws
    {
        let music = hub.start(bob, to: "music")
        hub.request(bob, second.bob, .setHeld(false))
        transfer()
        #expect(hub.last(music, on: bob)?.state == .connected)
    }

    @Test mutating func `two merged calls are transferred to one another, and the rest of a group stays (CH-05)`()
        throws
    {
        hub.request(bob, first.bob, .setGroup(with: second.bob))
        transfer()
        #expect(hub.calls(bob) == [] && sinks(alice) == [carol])
        #expect(hub.last(first.other, on: alice)?.participants == [])
        #expect(hub.violations == [])
    }

    @Test mutating func `one who has merged the call with another brings both into the conversation (CH-05, CH-01)`()
        throws
    {
        let dave = try hub.open("dave")
        let third = try hub.connect(alice, to: "dave", on: dave)
        hub.request(alice, first.other, .setGroup(with: third.outgoing))
        transfer()
        #expect(Set(sinks(carol)) == [alice, dave])
        #expect(hub.last(second.other, on: carol)?.participants.map(\.handle.value) == ["dave"])
        #expect(hub.last(third.incoming, on: dave)?.participants.map(\.handle.value) == ["carol"])
        #expect(hub.violations == [])
    }

    @Test mutating func `a call that another device has pulled is transferred from there (CH-05)`() throws {
        let desk = try hub.open("bob", device: "desk")
        hub.request(desk, first.bob, .pull)
        hub.request(desk, second.bob, .pull)
        #expect(transfer() == .requestTransaction(.unknownCallUUID))
        #expect(hub.request(desk, first.bob, .transfer(to: .call(second.bob))) == nil)
        #expect(hub.calls(desk) == [] && sinks(alice) == [carol])
    }

    @Test mutating func `a transferred call can be held, merged, pulled and transferred again (CH-05)`() throws {
        transfer()
        let desk = try hub.open("carol", device: "desk")
        #expect(hub.request(desk, second.other, .pull) == nil)
        #expect(hub.last(second.other, on: desk)?.transferor?.handle == .generic("bob"))
        let dave = try hub.open("dave")
        let third = try hub.connect(desk, to: "dave", on: dave)
        #expect(hub.request(desk, second.other, .transfer(to: .call(third.outgoing))) == nil)
        #expect(sinks(alice) == [dave] && sinks(dave) == [alice])
        #expect(hub.last(first.other, on: alice)?.transferor?.handle == .generic("carol"))
        #expect(hub.violations == [])
    }

    @Test mutating func `the end of a transferred call ends the other end, and nobody else's (CH-05)`() {
        transfer()
        hub.request(carol, second.other, .end)
        let last = hub.last(first.other, on: alice)
        #expect(last?.endedReason == .remoteEnded && last?.cause == nil)
        #expect(hub.engine.objectCounts.calls == 0 && hub.engine.objectCounts.conversations == 0)
    }

    @Test mutating func `Recents have the calls with the transferor, and the one with one another (CH-05, CK-71)`()
        throws
    {
        hub.wait(.seconds(10))
        transfer()
        hub.wait(.seconds(5))
        hub.request(alice, first.other, .end)
        #expect(try recents("bob") == ["outgoing carol answered 10", "incoming alice answered 10"])
        #expect(try recents("alice") == ["outgoing carol answered 5", "outgoing bob answered 10"])
        #expect(try recents("carol") == ["incoming alice answered 5", "incoming bob answered 10"])
    }

    /// Returns an account's entries, newest first, with the seconds of talk.
    private mutating func recents(_ account: String) throws -> [String] {
        guard case .recents(let entries) = try hub.changeAccountData(account, .listRecents(limit: 10, before: nil))
        else { return [] }
        return entries.map(\.call).map { entry in
            let talk = entry.connectedAt.map { (entry.endedAt.nanoseconds - $0.nanoseconds) / 1_000_000_000 }
            return "\(entry.isOutgoing ? "outgoing" : "incoming") \(entry.handle.value) \(entry.outcome) \(talk ?? -1)"
        }
    }

    // MARK: Refusals

    @Test
    mutating func `a transfer is refused for a call that is none, or not connected, or that itself is meant (CH-05)`() {
        let unknown = hub.makeUUID()
        let expected: [(CallUUID, TransferTarget, Refusal.Code)] = [
            (unknown, .call(second.bob), .requestTransaction(.unknownCallUUID)),
            (first.bob, .call(unknown), .requestTransaction(.unknownCallUUID)),
            (first.bob, .call(first.bob), .requestTransaction(.invalidAction)),
            (first.other, .call(second.bob), .requestTransaction(.unknownCallUUID)),
        ]
        for (call, target, code) in expected { #expect(hub.request(bob, call, .transfer(to: target)) == code) }
        let ringing = hub.start(bob, to: "alice")
        #expect(hub.request(bob, ringing, .transfer(to: .call(first.bob))) == .requestTransaction(.invalidAction))
        #expect(hub.request(bob, first.bob, .transfer(to: .call(ringing))) == .requestTransaction(.invalidAction))
        #expect(hub.calls(bob).count == 3)
    }

    @Test mutating func `a refused transfer is told what is wrong: the same call, or one that rings (CH-05)`() throws {
        #expect(message(first.bob, to: .call(first.bob)) == "toCallUUID must be another call's UUID")
        _ = hub.start(alice, to: "bob")
        let ringing = try #require(hub.ringing(bob)?.uuid)
        let sentence = "only connected calls can be transferred; this one is ringing"
        #expect(message(ringing, to: .call(first.bob)) == sentence)
        #expect(message(first.bob, to: .call(ringing)) == sentence)
        #expect(message(ringing, to: .handle(.generic("carol"))) == sentence)
    }

    /// Requests a transfer, and returns the sentence of its refusal.
    private mutating func message(_ call: CallUUID, to target: TransferTarget) -> String? {
        let request = ActionRequest(callUUID: call, kind: .transfer(to: target))
        guard case .refused(let refusal) = hub.ask(bob, .transaction([request])) else { return nil }
        return refusal.message
    }

    @Test mutating func `a transfer is a transaction of its own (CH-05)`() {
        let code = hub.request(
            bob,
            [(first.bob, .setMuted(true)), (first.bob, .transfer(to: .call(second.bob)))]
        )
        #expect(code == .requestTransaction(.invalidAction))
        #expect(hub.calls(bob).map(\.isMuted) == [false, false])
    }

    @Test mutating func `built-in parties and external calls cannot be transferred (CH-05)`() throws {
        let echo = hub.start(bob, to: "echo")
        #expect(hub.request(bob, echo, .transfer(to: .call(first.bob))) == .requestTransaction(.invalidAction))
        #expect(hub.request(bob, first.bob, .transfer(to: .call(echo))) == .requestTransaction(.invalidAction))
        let external = hub.makeUUID()
        var update = CallUpdate()
        update.remoteHandle = .generic("outside")
        hub.ask(bob, .reportNewIncomingCall(external, update))
        hub.request(bob, external, .answer)
        #expect(hub.request(bob, external, .transfer(to: .call(first.bob))) == .requestTransaction(.invalidAction))
        #expect(hub.request(bob, first.bob, .transfer(to: .call(external))) == .requestTransaction(.invalidAction))
        #expect(hub.violations == [])
    }

    @Test mutating func `two calls of one device cannot be connected with one another (CH-05)`() throws {
        let third = try hub.connect(bob, to: "alice", on: alice)
        #expect(
            hub.request(bob, first.bob, .transfer(to: .call(third.outgoing))) == .requestTransaction(.invalidAction)
        )
    }

    @Test mutating func `a call that is merged with others is no target (CH-05)`() throws {
        let dave = try hub.open("dave")
        let third = try hub.connect(bob, to: "dave", on: dave)
        hub.request(bob, second.bob, .setGroup(with: third.outgoing))
        #expect(transfer() == .requestTransaction(.invalidAction))
        // Out of a group is possible: the others stay with its owner.
        #expect(hub.request(bob, second.bob, .transfer(to: .call(first.bob))) == nil)
        #expect(sinks(alice) == [carol])
        #expect(hub.calls(bob).map(\.uuid) == [third.outgoing])
        #expect(hub.violations == [])
    }

    @Test(arguments: [("carol", "alice"), ("alice", "carol")])
    mutating func `nobody is connected with a party whom they have blocked, or who has (CH-05, CK-11)`(
        blocking: String,
        blocked: String
    ) throws {
        try hub.changeAccountData(blocking, .block(.handle(.generic(blocked))))
        #expect(transfer() == .requestTransaction(.invalidAction))
        #expect(
            hub.request(bob, second.bob, .transfer(to: .call(first.bob))) == .requestTransaction(.invalidAction)
        )
        #expect(hub.calls(bob).count == 2 && sinks(alice) == [])
    }

    @Test mutating func `calls of different accounts with one UUID are not taken for one another (CH-05)`() throws {
        let dave = try hub.open("dave")
        let uuid = first.other
        hub.request(carol, second.other, .end)
        hub.request(carol, uuid, .start(handle: .generic("bob"), isVideo: false, contactIdentifier: nil))
        let incoming = try #require(hub.ringing(bob)?.uuid)
        hub.request(bob, incoming, .answer)
        hub.request(bob, first.bob, .transfer(to: .call(incoming)))
        #expect(sinks(alice) == [carol], "both know their call by one UUID")
        let third = try hub.connect(carol, to: "dave", on: dave)
        #expect(hub.request(carol, uuid, .transfer(to: .call(third.outgoing))) == nil)
        #expect(sinks(alice) == [dave])
        #expect(hub.last(third.incoming, on: dave)?.remoteHandle == .generic("alice"))
    }

    @Test(arguments: [true, false])
    mutating func `a guest is told of as a caller, whichever call is named first (CH-07)`(isFirst: Bool) throws {
        let guest = try hub.open("guest-1", isGuest: true)
        try hub.changeAccountData("guest-1", .setSettings(SettingsUpdate(displayName: "Dana")))
        let visit = try hub.connect(guest, to: "bob", on: bob)
        let (call, other) = isFirst ? (visit.incoming, second.bob) : (second.bob, visit.incoming)
        #expect(hub.request(bob, call, .transfer(to: .call(other))) == nil)
        #expect(hub.last(second.other, on: carol)?.localizedCallerName == "Dana")
        #expect(hub.last(visit.outgoing, on: guest)?.remoteHandle == .generic("carol"))
    }

    @Test mutating func `a guest cannot transfer, and two guests are not connected with one another (CH-07)`() throws {
        let guests = try (1...2).map { try hub.open("guest-\($0)", isGuest: true) }
        let calls = try guests.map { try hub.connect($0, to: "bob", on: bob) }
        #expect(
            hub.request(bob, calls[0].incoming, .transfer(to: .call(calls[1].incoming)))
                == .requestTransaction(.invalidAction)
        )
        #expect(hub.request(bob, calls[0].incoming, .transfer(to: .call(second.bob))) == nil)
        #expect(sinks(guests[0]) == [] || sinks(guests[0]) == [carol])
        let third = try hub.connect(guests[1], to: "carol", on: carol)
        #expect(
            hub.request(guests[1], calls[1].outgoing, .transfer(to: .call(third.outgoing)))
                == .requestTransaction(.invalidAction)
        )
    }

    @Test mutating func `a hub that drains still connects the parties of living calls (CH-05)`() {
        hub.handle(.drain(until: hub.now + .seconds(60)))
        #expect(transfer() == nil)
        #expect(sinks(alice) == [carol])
    }
}
