import HubAccountData
import HubEngine
import HubSimulation
import Testing

/// Bob has two devices, with Do Not Disturb on the desk phone (row CK-13).
struct QuietDeviceTests {
    var hub: SimulatedHub
    let alice: SessionID
    let desk: SessionID
    let mobile: SessionID

    init() throws {
        var hub = SimulatedHub()
        alice = try hub.open("alice")
        desk = try hub.open("bob", device: "desk")
        mobile = try hub.open("bob", device: "mobile")
        try hub.changeAccountData("bob", .setSettings(SettingsUpdate(deviceDoNotDisturb: true)), from: "desk")
        self.hub = hub
    }

    private func missed(of account: String = "bob") -> [RecentCall] {
        hub.lastEffects.compactMap { if case .addRecent(account, let entry) = $0 { entry } else { nil } }
    }

    @Test mutating func `a quiet device does not ring, the account's other devices do (CK-13)`() throws {
        let outgoing = hub.start(alice, to: "bob")
        #expect(hub.calls(desk) == [])
        hub.request(mobile, try #require(hub.ringing(mobile)).uuid, .answer)
        #expect(hub.last(outgoing, on: alice)?.state == .connected)
        #expect(hub.read(desk).count == 1, "only its provider's start was notified")
        #expect(hub.violations == [])
    }

    @Test mutating func `a call that rang on a device is missed, and not silenced (CK-13, CK-71)`() throws {
        _ = hub.start(alice, to: "bob")
        hub.wait(.seconds(60))
        #expect(missed().map(\.outcome) == [.missed])
        #expect(missed().map(\.isSilenced) == [false])
    }

    @Test mutating func `a call to quiet devices only plays ringback, and is missed and silenced (CK-13, D9, D13)`()
        throws
    {
        try hub.changeAccountData("bob", .setSettings(SettingsUpdate(deviceDoNotDisturb: true)), from: "mobile")
        let outgoing = hub.start(alice, to: "bob")
        #expect(hub.last(outgoing, on: alice)?.remoteIsRinging == true)
        hub.wait(.milliseconds(59_999))
        #expect(hub.last(outgoing, on: alice)?.hasEnded == false)
        hub.wait(.milliseconds(1))
        let last = hub.last(outgoing, on: alice)
        #expect((last?.endedReason, last?.cause) == (.unanswered, .timeout))
        #expect(missed().map(\.outcome) == [.missed])
        #expect(missed().map(\.isSilenced) == [true])
        #expect(missed(of: "alice").map(\.outcome) == [.unanswered])
        for device in [desk, mobile] { #expect(hub.read(device).count == 1) }
        #expect(hub.violations == [])
    }

    @Test mutating func `an exempt caller rings on quiet devices too (CK-13, CK-74)`() throws {
        let contact = Contact(identifier: "1", name: "", handles: [.generic("alice")], breaksThroughDoNotDisturb: true)
        try hub.changeAccountData("bob", .putContact(contact))
        _ = hub.start(alice, to: "bob")
        #expect(hub.ringing(desk) != nil)
        #expect(hub.ringing(mobile) != nil)
    }

    @Test mutating func `a device that signs in during ringback rings, and the call is not silenced (CK-13, CK-80)`()
        throws
    {
        hub.handle(.sessionClosed(mobile))
        let outgoing = hub.start(alice, to: "bob")
        #expect(hub.calls(desk) == [])
        hub.wait(.seconds(30))
        let tablet = try hub.open("bob", device: "tablet")
        #expect(hub.ringing(tablet)?.mustReport == true)
        hub.wait(.milliseconds(29_999))
        #expect(hub.last(outgoing, on: alice)?.remoteIsRinging == true)
        hub.wait(.milliseconds(1))
        #expect(hub.last(outgoing, on: alice)?.endedReason == .unanswered, "the ring's time is the call's")
        #expect(missed().map(\.isSilenced) == [false])
        #expect(hub.violations == [])
    }

    @Test mutating func `a quiet device that signs in while a call rings stays silent (CK-13)`() throws {
        hub.handle(.sessionClosed(desk))
        _ = hub.start(alice, to: "bob")
        let again = try hub.open("bob", device: "desk")
        #expect(hub.calls(again) == [])
        #expect(hub.ringing(mobile) != nil)
    }

    @Test mutating func `a free quiet device plays ringback to the caller, even if other devices are busy (CK-13, D2)`()
        throws
    {
        for device in [desk, mobile] {
            for name in ["echo", "music", "tone"] { _ = hub.start(device, to: name) }
        }
        let carol = try hub.open("carol")
        _ = hub.start(carol, to: "bob")
        let outgoing = hub.start(alice, to: "bob")
        #expect(hub.calls(desk).count == 2)
        #expect(hub.last(outgoing, on: alice)?.remoteIsRinging == true, "the desk is free, and quiet")
        let second = hub.start(carol, to: "bob")
        #expect(hub.last(second, on: carol)?.hasEnded == false)
        #expect(hub.violations == [])
    }

    @Test mutating func `a report by a quiet device gets 203, one by another device rings (CK-13)`() throws {
        var update = CallUpdate()
        update.remoteHandle = Handle(type: .phoneNumber, value: "+49301234567")
        guard case .refused(let refusal)? = hub.ask(desk, .reportNewIncomingCall(hub.makeUUID(), update)) else {
            Issue.record("it rang")
            return
        }
        #expect(refusal.code == .incomingCall(.filteredByDoNotDisturb))
        #expect(missed().map(\.isSilenced) == [true])
        #expect(hub.ask(mobile, .reportNewIncomingCall(hub.makeUUID(), update)) == .done)
        try hub.changeAccountData(
            "bob",
            .putContact(
                Contact(
                    identifier: "1",
                    name: "",
                    handles: [Handle(type: .phoneNumber, value: "49301234567")],
                    breaksThroughDoNotDisturb: true
                )
            )
        )
        #expect(hub.ask(desk, .reportNewIncomingCall(hub.makeUUID(), update)) == .done)
    }
}
