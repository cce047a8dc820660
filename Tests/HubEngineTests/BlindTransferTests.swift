import HubAccountData
import HubEngine
import HubSimulation
import Testing

/// Bob gives Alice's call to Carol, who is called; if she does not take it, it comes back (CH-06).
struct BlindTransferTests {
    private var hub = SimulatedHub()
    private let alice: SessionID
    private let bob: SessionID
    private let carol: SessionID
    private let call: (bob: CallUUID, alice: CallUUID)

    init() throws {
        alice = try hub.open("alice")
        bob = try hub.open("bob") { $0.maximumCallGroups = 4 }
        carol = try hub.open("carol")
        let connected = try hub.connect(alice, to: "bob", on: bob)
        call = (connected.incoming, connected.outgoing)
    }

    @discardableResult
    private mutating func transfer(to name: String = "carol") -> Refusal.Code? {
        hub.request(bob, call.bob, .transfer(to: .handle(.generic(name))))
    }

    private func sinks(_ session: SessionID) -> [SessionID] { hub.engine.audioRoute(of: session).sinks }

    private var alices: CallSnapshot? { hub.last(call.alice, on: alice) }

    // MARK: To one who takes it

    @Test mutating func `a blind transfer frees the transferor at once, and the target rings (CH-06)`() throws {
        #expect(transfer() == nil)
        #expect(hub.calls(bob) == [] && hub.audio(bob) == nil)
        #expect(hub.last(call.bob, on: bob)?.cause == .transferred)
        let alices = try #require(alices)
        #expect(alices.state == .connected && alices.remoteIsRinging && alices.remoteHandle == .generic("carol"))
        #expect(alices.transferor?.handle == .generic("bob"))
        #expect(hub.audio(alice) != nil && sinks(alice) == [])
        let ringing = try #require(hub.ringing(carol))
        #expect(ringing.remoteHandle == .generic("alice") && ringing.transferor?.handle == .generic("bob"))
        #expect(hub.violations == [])
    }

    @Test mutating func `the target's answer connects the two, without a new audio session for the transferee (CH-06)`()
        throws
    {
        let connectedAt = alices?.connectedAt
        let audio = hub.audio(alice)
        hub.wait(.seconds(3))
        transfer()
        hub.request(carol, try #require(hub.ringing(carol)?.uuid), .answer)
        #expect(alices?.state == .connected && alices?.remoteIsRinging == false)
        #expect(alices?.connectedAt == connectedAt)
        #expect(hub.audio(alice) == audio)
        #expect(sinks(alice) == [carol] && sinks(carol) == [alice])
        #expect(hub.violations == [])
    }

    @Test mutating func `one who was called, and is transferred, is told that it rings (CH-06)`() throws {
        var hub = SimulatedHub()
        let (alice, bob, carol) = (try hub.open("alice"), try hub.open("bob"), try hub.open("carol"))
        let call = try hub.connect(bob, to: "alice", on: alice)
        hub.request(bob, call.outgoing, .transfer(to: .handle(.generic("carol"))))
        #expect(hub.last(call.incoming, on: alice)?.remoteIsRinging == true)
        hub.request(carol, try #require(hub.ringing(carol)?.uuid), .answer)
        #expect(hub.last(call.incoming, on: alice)?.remoteIsRinging == false)
        #expect(hub.engine.audioRoute(of: alice).sinks == [carol])
        #expect(hub.violations == [])
    }

    @Test mutating func `one who holds the call meanwhile still holds it after the answer (CH-06)`() throws {
        transfer()
        hub.request(alice, call.alice, .setHeld(true))
        let ringing = try #require(hub.ringing(carol)?.uuid)
        hub.request(carol, ringing, .answer)
        #expect(alices?.state == .held)
        #expect(hub.last(ringing, on: carol)?.remoteIsOnHold == true && sinks(carol) == [])
        #expect(hub.violations == [])
    }

    @Test mutating func `all devices of the target ring, and one that answers has the call (CH-06, CK-23)`() throws {
        let desk = try hub.open("carol", device: "desk")
        transfer()
        hub.request(desk, try #require(hub.ringing(desk)?.uuid), .answer)
        #expect(hub.calls(carol) == [] && sinks(alice) == [desk])
    }

    @Test mutating func `a call can be transferred to a built-in party (CH-06)`() {
        transfer(to: "echo")
        #expect(hub.calls(bob) == [] && sinks(alice) == [alice])
        #expect(alices?.remoteHandle == .generic("echo"))
        hub.request(alice, call.alice, .end)
        #expect(hub.engine.objectCounts.conversations == 0 && hub.violations == [])
    }

    @Test mutating func `a call that was transferred can be transferred on (CH-06)`() throws {
        let dave = try hub.open("dave")
        transfer()
        let carols = try #require(hub.ringing(carol)?.uuid)
        hub.request(carol, carols, .answer)
        #expect(hub.request(carol, carols, .transfer(to: .handle(.generic("dave")))) == nil)
        hub.request(dave, try #require(hub.ringing(dave)?.uuid), .answer)
        #expect(sinks(alice) == [dave] && alices?.transferor?.handle == .generic("carol"))
        #expect(hub.violations == [])
    }

    // MARK: To one who does not

    @Test(arguments: ["declines", "does not answer", "is unknown", "is offline", "is busy"])
    mutating func `a call comes back with the reason if the target does not take it (CH-06)`(how: String) throws {
        var cause: EndCause
        switch how {
        case "declines":
            transfer()
            hub.request(carol, try #require(hub.ringing(carol)?.uuid), .end)
            cause = .declined
        case "does not answer":
            transfer()
            hub.wait(.seconds(61))
            cause = .timeout
        case "is unknown":
            transfer(to: "nobody")
            cause = .unknownHandle
        case "is offline":
            hub.knownAccounts.insert("eve")
            transfer(to: "eve")
            cause = .offline
        default:
            for _ in 0..<3 { _ = hub.start(try hub.open("caller-\(hub.makeUUID())"), to: "carol") }
            transfer()
            cause = .busy
        }
        let ringing = try #require(hub.ringing(bob))
        #expect(ringing.uuid != call.bob && ringing.remoteHandle == .generic("alice"))
        #expect(ringing.returned?.cause == cause && ringing.transferor == nil)
        let target = ["is unknown": "nobody", "is offline": "eve"][how] ?? "carol"
        #expect(ringing.returned?.handle == .generic(target))
        #expect(alices?.state == .connected && alices?.remoteIsRinging == true && alices?.transferor == nil)
        #expect(alices?.remoteHandle == .generic("bob"))
        hub.request(bob, ringing.uuid, .answer)
        #expect(sinks(alice) == [bob] && sinks(bob) == [alice])
        #expect(hub.violations == [])
    }

    @Test mutating func `a call that came back and is not answered is over for all (CH-06)`() {
        transfer(to: "nobody")
        hub.wait(.seconds(61))
        #expect(alices?.hasEnded == true && alices?.endedReason == .unanswered)
        #expect(hub.calls(bob) == [] && hub.engine.objectCounts.conversations == 0)
        #expect(hub.violations == [])
    }

    @Test mutating func `a call that came back and is declined is over for all (CH-06)`() throws {
        transfer(to: "nobody")
        hub.request(bob, try #require(hub.ringing(bob)?.uuid), .end)
        #expect(alices?.hasEnded == true && alices?.cause == .declined)
        #expect(hub.violations == [])
    }

    @Test mutating func `without a device of the transferor a transfer that fails ends the call (CH-06)`() throws {
        transfer()
        hub.handle(.sessionClosed(bob))
        hub.request(carol, try #require(hub.ringing(carol)?.uuid), .end)
        #expect(alices?.hasEnded == true && alices?.cause == .offline)
        #expect(hub.violations == [])
    }

    @Test mutating func `all devices of the transferor ring when the call comes back (CH-06)`() throws {
        let desk = try hub.open("bob", device: "desk")
        transfer(to: "nobody")
        #expect(hub.ringing(bob) != nil && hub.ringing(desk) != nil)
        hub.request(desk, try #require(hub.ringing(desk)?.uuid), .answer)
        #expect(sinks(alice) == [desk] && hub.calls(bob) == [])
    }

    // MARK: The rules of any call

    @Test mutating func `a target under Do Not Disturb does not ring, and the call comes back in time (CH-06, CK-13)`()
        throws
    {
        try hub.changeAccountData("carol", .setSettings(SettingsUpdate(doNotDisturb: true)))
        transfer()
        #expect(hub.ringing(carol) == nil && alices?.remoteIsRinging == true)
        hub.wait(.seconds(61))
        #expect(hub.ringing(bob)?.returned?.cause == .timeout)
    }

    @Test mutating func `a call comes back to a transferor who does not want to be disturbed (CH-06, CK-13)`() throws {
        try hub.changeAccountData("bob", .setSettings(SettingsUpdate(doNotDisturb: true)))
        transfer(to: "nobody")
        #expect(hub.ringing(bob) != nil)
    }

    @Test mutating func `a blocked caller's transferred call rings nowhere (CH-06, CK-11)`() throws {
        try hub.changeAccountData("carol", .block(.handle(.generic("alice"))))
        transfer()
        #expect(hub.calls(carol) == [] && alices?.remoteIsRinging == true)
        #expect(hub.violations == [])
    }

    @Test mutating func `the transferee can hang up while the target rings, who has then missed a call (CH-06, CK-71)`()
        throws
    {
        transfer()
        let ringing = try #require(hub.ringing(carol)?.uuid)
        hub.request(alice, call.alice, .end)
        #expect(hub.last(ringing, on: carol)?.cause == .cancelled)
        #expect(hub.calls(bob) == [])
        guard case .recents(let entries) = try hub.changeAccountData("carol", .listRecents(limit: 5, before: nil))
        else {
            throw SimulatedHub.Unexpected(description: "no Recents")
        }
        #expect(entries.map(\.call.outcome) == [.missed] && entries.map(\.call.handle.value) == ["alice"])
    }

    @Test mutating func `Recents name the device of a transferred call once, answered or not (CH-06, CK-71)`() throws {
        func entries() -> [[String]] {
            hub.lastEffects.compactMap { effect in
                if case .addRecent("alice", let entry) = effect { entry.devices } else { nil }
            }
        }
        transfer()
        #expect(entries() == [["phone"]])
        let ringing = try #require(hub.ringing(carol)?.uuid)
        hub.request(carol, ringing, .answer)
        hub.request(carol, ringing, .transfer(to: .handle(.generic("bob"))))
        #expect(entries() == [["phone"]], "answered")
        hub.request(alice, call.alice, .end)
        #expect(entries() == [["phone"]], "not answered")
    }

    @Test mutating func `a call that is being transferred cannot be transferred by its other party (CH-06)`() {
        transfer()
        #expect(
            hub.request(alice, call.alice, .transfer(to: .handle(.generic("dave"))))
                == .requestTransaction(.invalidAction)
        )
    }

    @Test mutating func `a call does not come back to a transferor who has blocked its other party (CH-06, CK-11)`()
        throws
    {
        transfer()
        try hub.changeAccountData("bob", .block(.handle(.generic("alice"))))
        hub.request(carol, try #require(hub.ringing(carol)?.uuid), .end)
        #expect(hub.ringing(bob) == nil && alices?.remoteIsRinging == true)
        hub.wait(.seconds(61))
        #expect(alices?.hasEnded == true)
        #expect(hub.violations == [])
    }

    @Test mutating func `a device does not pull the call that rings on it (CH-06)`() throws {
        let desk = try hub.open("alice", device: "desk")
        transfer(to: "alice")
        let ringing = try #require(hub.ringing(desk)?.uuid)
        #expect(hub.request(desk, call.alice, .pull) == .requestTransaction(.invalidAction))
        hub.request(desk, ringing, .answer)
        #expect(sinks(alice) == [desk] && sinks(desk) == [alice])
        #expect(hub.violations == [])
    }

    @Test mutating func `one who was called has placed the transferred call that nobody takes (CH-06, CK-71)`() throws {
        func entries() -> [RecentCall] {
            hub.lastEffects.compactMap { if case .addRecent("alice", let entry) = $0 { entry } else { nil } }
        }
        hub.request(bob, call.bob, .end)
        let another = try hub.connect(bob, to: "alice", on: alice)
        hub.request(bob, another.outgoing, .transfer(to: .handle(.generic("carol"))))
        #expect(entries().map(\.isOutgoing) == [false])
        hub.request(carol, try #require(hub.ringing(carol)?.uuid), .end)
        #expect(entries().map(\.isOutgoing) == [true] && entries().map(\.outcome) == [.declined])
    }

    @Test mutating func `a hub that drains transfers to nobody new, and lets no call come back (CH-06)`() throws {
        let dave = try hub.open("dave")
        let other = try hub.connect(dave, to: "bob", on: bob)
        transfer()
        hub.handle(.drain(until: hub.now + .seconds(60)))
        #expect(hub.request(bob, other.incoming, .transfer(to: .handle(.generic("carol")))) == .draining)
        hub.request(carol, try #require(hub.ringing(carol)?.uuid), .end)
        #expect(hub.calls(alice) == [])
        #expect(hub.violations == [])
    }

    @Test func `a guest's call does not ring a guest who signs in later (CH-07)`() throws {
        var configuration = EngineConfiguration(seed: 1)
        configuration.pushWait = .seconds(20)
        var hub = SimulatedHub(configuration)
        hub.knownAccounts.insert("visitor")
        let bob = try hub.open("bob")
        let guest = try hub.open("guest-1", isGuest: true)
        let visit = try hub.connect(guest, to: "bob", on: bob)
        hub.request(bob, visit.incoming, .transfer(to: .handle(.generic("visitor"))))
        let late = try hub.open("visitor", isGuest: true)
        #expect(hub.ringing(late) == nil)
        hub.wait(.seconds(61))
        #expect(hub.violations == [])
    }

    @Test mutating func `a guest's call is transferred to the house alone (CH-07)`() throws {
        let guest = try hub.open("guest-1", isGuest: true)
        let other = try hub.open("guest-2", isGuest: true)
        let visit = try hub.connect(guest, to: "bob", on: bob)
        hub.request(bob, visit.incoming, .transfer(to: .handle(.generic("guest-2"))))
        #expect(hub.calls(other) == [])
        let back = try #require(hub.ringing(bob))
        #expect(back.returned?.cause == .unknownHandle)
        hub.request(bob, back.uuid, .answer)
        hub.request(bob, back.uuid, .transfer(to: .handle(.generic("carol"))))
        #expect(hub.ringing(carol)?.remoteHandle == .generic("guest-1"))
        #expect(
            hub.request(guest, visit.outgoing, .transfer(to: .handle(.generic("carol"))))
                == .requestTransaction(.invalidAction)
        )
    }

    @Test mutating func `an administrator ends a call that is being transferred, and nobody rings (CH-06)`() throws {
        transfer()
        let id = try #require(hub.engine.conversationSummaries.first?.id)
        hub.handle(.endConversation(id, token: RequestToken(rawValue: 900)))
        #expect(hub.calls(alice) == [] && hub.calls(bob) == [] && hub.calls(carol) == [])
    }

    @Test mutating func `a transferee whose connection is not resumed ends the call for the target (CH-06)`() throws {
        transfer()
        let ringing = try #require(hub.ringing(carol)?.uuid)
        hub.handle(.sessionLost(alice))
        hub.wait(.seconds(59))
        hub.wait(.seconds(2))
        #expect(hub.last(ringing, on: carol)?.hasEnded == true)
        #expect(hub.engine.objectCounts.conversations == 0 && hub.violations == [])
    }

    @Test mutating func `a call in a group of its transferee keeps the group, and the target joins it (CH-06, CH-01)`()
        throws
    {
        let dave = try hub.open("dave")
        let third = try hub.connect(alice, to: "dave", on: dave)
        hub.request(alice, call.alice, .setGroup(with: third.outgoing))
        transfer()
        #expect(sinks(dave) == [alice] && hub.last(third.incoming, on: dave)?.participants == [])
        hub.request(carol, try #require(hub.ringing(carol)?.uuid), .answer)
        #expect(Set(sinks(dave)) == [alice, carol])
        #expect(hub.last(third.incoming, on: dave)?.participants.map(\.handle.value) == ["carol"])
        #expect(hub.violations == [])
    }

    @Test mutating func `a muted transferee stays muted towards the target (CH-06, P18)`() throws {
        hub.request(alice, call.alice, .setMuted(true))
        transfer()
        hub.request(carol, try #require(hub.ringing(carol)?.uuid), .answer)
        #expect(sinks(alice) == [] && sinks(carol) == [alice] && alices?.isMuted == true)
    }
}
