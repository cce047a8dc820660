import HubAccountData
import HubEngine
import HubSimulation
import Testing

/// Bob's devices decline a call of Alice's with a text.
struct DeclineMessageTests {
    private var hub = SimulatedHub()
    private let alice: SessionID
    private let desk: SessionID

    init() throws {
        alice = try hub.open("alice")
        desk = try hub.open("bob", device: "desk") { $0.maximumCallGroups = 3 }
    }

    private func decline(_ message: String, onlyHere: Bool = false) -> ActionKind {
        .decline(message: message, onlyHere: onlyHere)
    }

    @Test mutating func `a call declined with a text ends as declined, and its caller alone has the text (CH-02)`()
        throws
    {
        let mobile = try hub.open("bob", device: "mobile")
        let outgoing = hub.start(alice, to: "bob")
        let call = try #require(hub.ringing(desk)).uuid
        #expect(hub.request(desk, call, decline("Can't talk now, call me later")) == nil)
        let last = hub.last(outgoing, on: alice)
        #expect(last?.cause == .declined)
        #expect(last?.message == "Can't talk now, call me later")
        #expect(hub.last(call, on: desk)?.hasEnded == true)
        #expect(hub.last(call, on: desk)?.message == nil)
        #expect(hub.last(call, on: mobile)?.endedReason == .declinedElsewhere)
        #expect(hub.last(call, on: mobile)?.message == nil)
        #expect(hub.performed(desk).map(\.0) == [decline("Can't talk now, call me later")])
        let told = (hub.inbox[alice] ?? []).compactMap { notification in
            if case .callChanged(let call) = notification { call.message } else { nil }
        }
        #expect(told == ["Can't talk now, call me later"], "in the last state only")
        #expect(hub.violations == [])
    }

    @Test mutating func `a decline with a text leaves the Recents of one without (CH-02, CK-71)`() throws {
        func recents(_ kind: ActionKind) throws -> [RecentCall] {
            _ = hub.start(alice, to: "bob")
            hub.request(desk, try #require(hub.ringing(desk)).uuid, kind)
            return hub.lastEffects.compactMap { effect in
                guard case .addRecent(_, var entry) = effect else { return nil }
                entry.id = RecentUUID(high: 0, low: 0)
                return entry
            }
        }
        let plain = try recents(.end)
        #expect(plain.map(\.outcome) == [.declined, .declined])
        #expect(try recents(decline("Later")) == plain)
    }

    @Test mutating func `of several devices that decline here alone, the last one's text counts (CH-02)`() throws {
        let mobile = try hub.open("bob", device: "mobile")
        let cases: [(String?, String?, String?)] = [("One", "Two", "Two"), ("One", nil, nil), (nil, "Two", "Two")]
        for (firstText, lastText, shown) in cases {
            let outgoing = hub.start(alice, to: "bob")
            let call = try #require(hub.ringing(desk)).uuid
            hub.request(desk, call, firstText.map { decline($0, onlyHere: true) } ?? .endHere)
            #expect(hub.last(outgoing, on: alice)?.remoteIsRinging == true)
            #expect(hub.last(outgoing, on: alice)?.message == nil)
            hub.request(mobile, call, lastText.map { decline($0, onlyHere: true) } ?? .endHere)
            #expect(hub.last(outgoing, on: alice)?.cause == .declined)
            #expect(hub.last(outgoing, on: alice)?.message == shown)
        }
        #expect(hub.violations == [])
    }

    @Test mutating func `the device that declines for all gives the text, whoever declined here before (CH-02)`()
        throws
    {
        let mobile = try hub.open("bob", device: "mobile")
        _ = try hub.open("bob", device: "tablet")
        let outgoing = hub.start(alice, to: "bob")
        let call = try #require(hub.ringing(desk)).uuid
        hub.request(desk, call, decline("Here", onlyHere: true))
        hub.request(mobile, call, decline("All"))
        #expect(hub.last(outgoing, on: alice)?.message == "All")
    }

    @Test mutating func `a text on a call that does not ring gets 106, and nothing has changed (CH-02)`() throws {
        let outgoing = hub.start(alice, to: "bob")
        #expect(hub.request(alice, outgoing, decline("No")) == .requestTransaction(.invalidAction))
        let call = try #require(hub.ringing(desk)).uuid
        hub.request(desk, call, .answer)
        for (session, uuid) in [(desk, call), (alice, outgoing)] {
            #expect(hub.request(session, uuid, decline("No")) == .requestTransaction(.invalidAction))
            #expect(hub.request(session, uuid, decline("No", onlyHere: true)) == .requestTransaction(.invalidAction))
        }
        hub.request(desk, call, .setHeld(true))
        #expect(hub.request(desk, call, decline("No")) == .requestTransaction(.invalidAction))
        #expect(hub.calls(desk).map(\.state) == [.held])
        #expect(hub.request(desk, hub.makeUUID(), decline("No")) == .requestTransaction(.unknownCallUUID))
    }

    @Test mutating func `a text on an external call gets 106, whether it rings or not (CH-02, CK-68)`() throws {
        let gateway = hub.makeUUID()
        var update = CallUpdate()
        update.remoteHandle = Handle(type: .phoneNumber, value: "4912345")
        #expect(hub.ask(desk, .reportNewIncomingCall(gateway, update)) == .done)
        #expect(hub.request(desk, gateway, decline("No")) == .requestTransaction(.invalidAction))
        #expect(hub.ringing(desk)?.uuid == gateway)
        #expect(hub.request(desk, gateway, .end) == nil)
    }

    @Test func `the text comes with the fulfilment of a manual client's action (CH-02)`() throws {
        var hub = SimulatedHub()
        let alice = try hub.open("alice")
        let bob = try hub.open("bob", fulfillment: .manual)
        let outgoing = hub.start(alice, to: "bob")
        hub.request(bob, try #require(hub.ringing(bob)).uuid, decline("Later"))
        #expect(hub.last(outgoing, on: alice)?.hasEnded == false)
        let action = try #require(hub.actionToPerform(bob))
        #expect(action.kind == decline("Later"))
        hub.ask(bob, .fulfill(action.uuid, date: nil))
        #expect(hub.last(outgoing, on: alice)?.message == "Later")
    }

    @Test mutating func `a blocked caller's decoy ends without a text (CH-02, CK-11)`() throws {
        try hub.changeAccountData("bob", .block(.handle(.generic("alice"))))
        let outgoing = hub.start(alice, to: "bob")
        #expect(hub.ringing(desk) == nil)
        #expect(hub.last(outgoing, on: alice)?.remoteIsRinging == true)
        hub.wait(.seconds(60))
        #expect(hub.last(outgoing, on: alice)?.endedReason == .unanswered)
        #expect(hub.last(outgoing, on: alice)?.message == nil)
    }

    @Test mutating func `one transaction may decline with a text and start another call (CH-02)`() throws {
        let outgoing = hub.start(alice, to: "bob")
        let call = try #require(hub.ringing(desk)).uuid
        let next = hub.makeUUID()
        let start = ActionKind.start(handle: .generic("echo"), isVideo: false, contactIdentifier: nil)
        #expect(hub.request(desk, [(call, decline("Later")), (next, start)]) == nil)
        #expect(hub.last(outgoing, on: alice)?.message == "Later")
        #expect(hub.calls(desk).map(\.state) == [.connected])
        #expect(hub.violations == [])
    }
}
