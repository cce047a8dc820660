import HubAccountData
import HubEngine
import HubSimulation
import Testing

/// The entry of a call in Recents, for each account that took part (rows CK-71, CK-21 to CK-26; decision D9).
struct RecentsTests {
    private static func entries(_ hub: SimulatedHub) -> [String: RecentCall] {
        var entries: [String: RecentCall] = [:]
        for case .addRecent(let account, let entry) in hub.lastEffects { entries[account] = entry }
        return entries
    }

    private static func outcomes(
        _ end: (inout SimulatedHub, SessionID, SessionID, CallUUID) throws -> Void
    ) throws -> [String: RecentCall.Outcome] {
        var hub = SimulatedHub()
        let (alice, bob) = (try hub.open("alice"), try hub.open("bob"))
        let call = hub.start(alice, to: "bob")
        try end(&hub, alice, bob, call)
        return entries(hub).mapValues(\.outcome)
    }

    @Test func `each way to end a call has its outcome on either side (CK-71)`() throws {
        let answered = try Self.outcomes { hub, alice, bob, call in
            hub.request(bob, try #require(hub.ringing(bob)).uuid, .answer)
            hub.request(alice, call, .end)
        }
        #expect(answered == ["alice": .answered, "bob": .answered])
        let cancelled = try Self.outcomes { hub, alice, _, call in hub.request(alice, call, .end) }
        #expect(cancelled == ["alice": .cancelled, "bob": .missed], "CK-25")
        let declined = try Self.outcomes { hub, _, bob, _ in
            hub.request(bob, try #require(hub.ringing(bob)).uuid, .end)
        }
        #expect(declined == ["alice": .declined, "bob": .declined], "CK-21")
        let unanswered = try Self.outcomes { hub, _, _, _ in hub.wait(.seconds(60)) }
        #expect(unanswered == ["alice": .unanswered, "bob": .missed], "CK-22")
        let left = try Self.outcomes { hub, _, bob, _ in hub.handle(.sessionClosed(bob)) }
        #expect(left == ["alice": .failed, "bob": .missed])
    }

    @Test func `an absent callee has a missed call, an unknown one has no entry`() throws {
        var hub = SimulatedHub()
        let alice = try hub.open("alice")
        hub.knownAccounts.insert("bob")
        _ = hub.start(alice, to: "bob")
        #expect(Self.entries(hub).mapValues(\.outcome) == ["alice": .failed, "bob": .missed])
        _ = hub.start(alice, to: "nobody")
        #expect(Self.entries(hub).mapValues(\.outcome) == ["alice": .failed])
    }

    @Test func `several devices make one entry, which names the answering device (CK-23)`() throws {
        var hub = SimulatedHub()
        let alice = try hub.open("alice")
        let desk = try hub.open("bob", device: "desk")
        _ = try hub.open("bob", device: "mobile")
        let (outgoing, _) = try hub.connect(alice, to: "bob", on: desk)
        #expect(Self.entries(hub).isEmpty, "no missed entry of the other device")
        hub.wait(.seconds(7))
        hub.request(alice, outgoing, .end)
        let entry = try #require(Self.entries(hub)["bob"])
        #expect(entry.devices == ["desk"])
        #expect(entry.handle == .generic("alice"))
        #expect(entry.endedAt.since(try #require(entry.connectedAt)) == .seconds(7))
        #expect(Self.entries(hub)["alice"]?.isOutgoing == true)
    }

    @Test func `a provider that excludes its calls from Recents leaves no entry (CK-71)`() throws {
        var hub = SimulatedHub()
        let alice = try hub.open("alice") { $0.includesCallsInRecents = false }
        _ = try hub.open("bob")
        let call = hub.start(alice, to: "bob")
        hub.request(alice, call, .end)
        #expect(Self.entries(hub).mapValues(\.outcome) == ["bob": .missed])
    }

    /// The names of both providers, whether each takes video, and the expected entries of caller and callee.
    @Test(arguments: [
        ("one end without video", "Acme", "Gate", true, false, false),
        ("both ends with video", "Acme", "Gate", true, true, true),
        ("no names", "", "", false, false, false),
        ("a name too long to be stored", String(repeating: "é", count: 129), "Gate", false, false, false),
    ])
    func `Recents have the provider that a call was of, and whether it was a video call (CK-71, CK-81)`(
        row: (name: String, caller: String, callee: String, callerVideo: Bool, calleeVideo: Bool, hasVideo: Bool)
    ) throws {
        var hub = SimulatedHub()
        let alice = try hub.open("alice") { ($0.localizedName, $0.supportsVideo) = (row.caller, row.callerVideo) }
        let bob = try hub.open("bob") { ($0.localizedName, $0.supportsVideo) = (row.callee, row.calleeVideo) }
        let call = hub.makeUUID()
        let start = ActionKind.start(handle: .generic("bob"), isVideo: row.callerVideo, contactIdentifier: nil)
        #expect(hub.request(alice, call, start) == nil)
        hub.request(bob, try #require(hub.ringing(bob)).uuid, .answer)
        hub.request(alice, call, .end)
        let entries = Self.entries(hub)
        #expect(entries.mapValues(\.hasVideo) == ["alice": row.hasVideo, "bob": row.hasVideo])
        #expect(entries["alice"]?.provider == (row.caller == "Acme" ? "Acme" : nil))
        #expect(entries["bob"]?.provider == (row.callee.isEmpty ? nil : row.callee))
        #expect(entries.values.allSatisfy { !$0.isUnknown })
    }

    @Test func `the entry of an unknown caller says so, whether it rang or not (CK-71)`() throws {
        var hub = SimulatedHub()
        let bob = try hub.open("bob") { ($0.localizedName, $0.supportsVideo) = ("Doorbell", true) }
        var update = CallUpdate()
        update.hasVideo = true
        let call = hub.makeUUID()
        hub.ask(bob, .reportNewIncomingCall(call, update))
        hub.ask(bob, .reportCallEnded(call, .remoteEnded, date: nil))
        let rang = try #require(Self.entries(hub)["bob"])
        #expect(rang.isUnknown && rang.hasVideo && rang.provider == "Doorbell")
        try hub.changeAccountData("bob", .setSettings(SettingsUpdate(doNotDisturb: true)))
        hub.ask(bob, .reportNewIncomingCall(hub.makeUUID(), update))
        let silenced = try #require(Self.entries(hub)["bob"])
        #expect(silenced.isSilenced && silenced.isUnknown && silenced.hasVideo && silenced.provider == "Doorbell")
    }

    @Test func `a busy callee has a missed call`() throws {
        var hub = SimulatedHub()
        let bob = try hub.open("bob") { $0.maximumCallGroups = 1 }
        for name in ["a", "b"] { _ = hub.start(try hub.open(name), to: "bob") }
        #expect(hub.calls(bob).count == 2)
        _ = hub.start(try hub.open("c"), to: "bob")
        #expect(Self.entries(hub).mapValues(\.outcome) == ["c": .cancelled, "bob": .missed])
    }

    @Test(arguments: [
        (EndReason.unanswered, RecentCall.Outcome.missed), (.remoteEnded, .missed),
        (.answeredElsewhere, .answeredElsewhere), (.declinedElsewhere, .declined),
    ])
    func `an external call has the outcome of its reported end`(reason: EndReason, outcome: RecentCall.Outcome) throws {
        var hub = SimulatedHub()
        let bob = try hub.open("bob")
        let call = hub.makeUUID()
        var update = CallUpdate()
        update.remoteHandle = Handle(type: .phoneNumber, value: "+49301234")
        hub.ask(bob, .reportNewIncomingCall(call, update))
        hub.ask(bob, .reportCallEnded(call, reason, date: nil))
        #expect(Self.entries(hub).mapValues(\.outcome) == ["bob": outcome])
    }
}
