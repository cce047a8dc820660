import HubAccountData
import HubEngine
import HubServer
import HubSimulator
import HubTestSupport
import HubWire
import Testing

/// People are found, watched and blocked in any case of their names, and shown as they are spelled.
struct PeopleNameCaseTests {
    @Test func `a subscription in another case is one to the same person, in the watcher's spelling`() throws {
        let fixture = try VirtualHubFixture()
        let alice = try fixture.phone("alice")
        let bob = try fixture.phone("Bob")
        #expect(try alice.watch("BOB", "bob", "Bobby") == [.free, .free, .unknown])
        _ = try bob.call("echo")
        #expect(alice.seen("BOB") == [.onCall])
        #expect(alice.seen("bob") == [.onCall])
        #expect(alice.lastPerson("BOB")?.name == "Bob")
        #expect(try alice.people("bOB").map(\.handle) == [.generic("Bob")])
    }

    @Test func `an account is one person in any case, and not a person whom it may call itself`() throws {
        var stored = StoredState()
        stored.provisioned = [AccountRecord(name: "Weiß", handles: [.generic("Weiß")])]
        let fixture = try VirtualHubFixture(stored: stored)
        let alice = try fixture.phone("alice")
        let weiss = try fixture.phone("WEISS")
        #expect(try weiss.people().map(\.handle) == [.generic("alice")])
        #expect(try alice.people() == [Person(handle: .generic("Weiß"), name: "Weiß", presence: .free)])
        #expect(try alice.watch("weiss") == [.free])
        try weiss.set(SettingsUpdate(isListed: false))
        #expect(alice.seen("weiss") == [.unknown])
        #expect(try weiss.watch("weiß") == [.free], "users see themselves")
    }

    @Test func `a block in another case ends seeing`() throws {
        let fixture = try VirtualHubFixture()
        let alice = try fixture.phone("alice")
        let bob = try fixture.phone("bob")
        #expect(try alice.watch("bob") == [.free])
        try bob.ask(.accountData(.block(.handle(.generic("ALICE")))))
        #expect(alice.seen("bob") == [.unknown])
        #expect(try alice.people().isEmpty)
    }

    @Test func `a person is present while the operator spells the account anew`() async throws {
        try await blocking {
            let hub = try TestHub()
            let alice = try RawPhone(port: hub.port, account: "alice")
            let bob = try RawPhone(port: hub.port, account: "Bob")
            let handles: [RawPhone.Object] = [["type": "generic", "value": "bob"]]
            #expect(try alice.ask("people.subscribe", ["handles": handles]).result != nil)
            hub.server.take([AccountRecord(name: "BOB", handles: [.generic("BOB")])], erased: [])
            let changed = try alice.next("people.changed")["people"] as? [RawPhone.Object]
            #expect(changed?.first?["name"] as? String == "BOB")
            #expect(changed?.first?["presence"] as? String == "free")
            try bob.ask("session.close")
            let gone = try alice.next("people.changed")["people"] as? [RawPhone.Object]
            #expect(gone?.first?["presence"] as? String == "offline")
            _ = try RawPhone(port: hub.port, account: "bOb")
            let present = try alice.next("people.changed")["people"] as? [RawPhone.Object]
            #expect(present?.first?["presence"] as? String == "free")
        }
    }
}
