import HubAccountData
import HubEngine
import HubSimulation
import Testing

/// A call waits for Bob, who has no reachable device, and the hub sends a push (row CK-80).
struct PushTests {
    var hub: SimulatedHub
    let alice: SessionID

    init() throws {
        var configuration = EngineConfiguration(seed: 1)
        configuration.pushWait = .seconds(20)
        configuration.resumeGrace = .seconds(30)
        var hub = SimulatedHub(configuration)
        hub.knownAccounts.insert("bob")
        alice = try hub.open("alice")
        self.hub = hub
    }

    private var wakes: [PushRequest] {
        hub.lastEffects.compactMap { if case .sendPush(let pushRequest) = $0 { pushRequest } else { nil } }
    }

    private var overs: [Bool] {
        hub.lastEffects.compactMap { if case .cancelPush("bob", _, let isMissed) = $0 { isMissed } else { nil } }
    }

    @Test mutating func `an absent callee receives one push, with the properties to show (CK-80)`() throws {
        try hub.changeAccountData("alice", .setSettings(SettingsUpdate(displayName: "Alice A.")))
        try hub.changeAccountData("bob", .setSettings(SettingsUpdate(deviceDoNotDisturb: true)), from: "desk")
        _ = hub.start(alice, to: "bob")
        let pushRequest = try #require(wakes.first)
        #expect(wakes.count == 1)
        #expect(
            (pushRequest.account, pushRequest.caller, pushRequest.callerName) == ("bob", .generic("alice"), "Alice A.")
        )
        #expect(pushRequest.expiresAt == hub.now + .seconds(20))
        #expect(pushRequest.quietDevices == ["desk"])
        let phone = try hub.open("bob")
        #expect(hub.ringing(phone)?.uuid == pushRequest.callUUID)
        #expect(wakes.isEmpty)
        #expect(overs.isEmpty, "another device may come yet")
        hub.request(phone, pushRequest.callUUID, .answer)
        #expect(overs == [false])
        hub.request(phone, pushRequest.callUUID, .end)
        #expect(overs.isEmpty)
        #expect(hub.violations == [])
    }

    @Test mutating func `the end of a pushed call is pushed too, with whether it was missed (CK-80, CK-71)`() throws {
        let cancelled = hub.start(alice, to: "bob")
        hub.request(alice, cancelled, .end)
        #expect(overs == [true])
        _ = hub.start(alice, to: "bob")
        hub.wait(.seconds(20))
        #expect(overs == [true])
        _ = hub.start(alice, to: "bob")
        hub.handle(.sessionClosed(alice))
        #expect(overs == [true])
        let carol = try hub.open("carol")
        _ = hub.start(carol, to: "bob")
        let phone = try hub.open("bob")
        hub.request(phone, try #require(hub.ringing(phone)).uuid, .end)
        #expect(overs == [false], "declined")
        #expect(hub.violations == [])
    }

    @Test mutating func `neither a blocked call nor one to a signed-in device causes a push (CK-11, CK-13, CK-80)`()
        throws
    {
        for request in [
            AccountDataRequest.setSettings(SettingsUpdate(doNotDisturb: true)), .block(.handle(.generic("alice"))),
        ] {
            try hub.changeAccountData("bob", request)
            _ = hub.start(alice, to: "bob")
            #expect(wakes.isEmpty)
            hub.wait(.seconds(20))
            #expect(overs.isEmpty)
        }
        try hub.changeAccountData("bob", .unblock(.handle(.generic("alice"))))
        let update = SettingsUpdate(doNotDisturb: false, deviceDoNotDisturb: true)
        try hub.changeAccountData("bob", .setSettings(update), from: "desk")
        _ = try hub.open("bob", device: "desk")
        _ = hub.start(alice, to: "bob")
        #expect(wakes.isEmpty, "a signed-in quiet device receives no push")
        _ = hub.start(alice, to: "echo")
        _ = try hub.open("bob", device: "phone")
        hub.wait(.seconds(60))
        #expect(overs.isEmpty)
    }

    @Test mutating func `a hub without a push wait time sends no push (CK-80)`() throws {
        var hub = SimulatedHub()
        hub.knownAccounts.insert("bob")
        let alice = try hub.open("alice")
        _ = hub.start(alice, to: "bob")
        let bob = try hub.open("bob")
        hub.handle(.sessionLost(bob))
        _ = hub.start(alice, to: "bob")
        #expect(!hub.lastEffects.contains { if case .sendPush = $0 { true } else { false } })
    }

    @Test mutating func `a disconnected device receives a push too, and the call waits for it (CK-80, CK-84)`() throws {
        let bob = try hub.open("bob")
        hub.handle(.sessionLost(bob))
        hub.wait(.seconds(25))
        let outgoing = hub.start(alice, to: "bob")
        #expect(wakes.map(\.expiresAt) == [hub.now + .seconds(60)])
        #expect(hub.last(outgoing, on: alice)?.remoteIsRinging == true)
        hub.wait(.seconds(5))
        #expect(hub.ended[bob] == .some(.graceOver))
        #expect(hub.last(outgoing, on: alice)?.hasEnded == false)
        #expect(hub.last(outgoing, on: alice)?.remoteIsRinging == false)
        hub.wait(.milliseconds(14_999))
        let again = try hub.open("bob")
        #expect(hub.ringing(again)?.uuid == hub.ringing(again)?.uuid)
        #expect(hub.ringing(again)?.mustReport == true)
        #expect(hub.last(outgoing, on: alice)?.remoteIsRinging == true)
        hub.wait(.milliseconds(59_999))
        #expect(hub.ringing(again) != nil, "it rings its full time")
        hub.wait(.milliseconds(1))
        #expect(overs == [true])
        #expect(hub.violations == [])
    }

    @Test mutating func `a device that signs in anew in place of its disconnected session rings on (CK-80)`() throws {
        let bob = try hub.open("bob")
        hub.handle(.sessionLost(bob))
        let outgoing = hub.start(alice, to: "bob")
        let again = try hub.open("bob")
        #expect(hub.ended[bob] == .some(.replaced))
        #expect(hub.ringing(again) != nil)
        #expect(hub.last(outgoing, on: alice)?.hasEnded == false)
        #expect(hub.violations == [])
    }

    @Test mutating func `without a push, a disconnected device's call fails as before (CK-84)`() throws {
        let bob = try hub.open("bob")
        let outgoing = hub.start(alice, to: "bob")
        #expect(wakes.isEmpty, "it was signed in when the call started")
        hub.handle(.sessionLost(bob))
        hub.wait(.seconds(30))
        #expect(hub.last(outgoing, on: alice)?.cause == .offline)
    }
}
