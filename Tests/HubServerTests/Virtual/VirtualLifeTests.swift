import HubAccountData
import HubEngine
import HubServer
import HubSimulator
import HubWire
import Testing

/// Simulated hubs that are killed, started and stopped.
struct VirtualLifeTests {
    @Test func `a killed and restarted hub has no sessions, and resets its clients`() throws {
        let fixture = try VirtualHubFixture()
        let (alice, bob) = (try fixture.phone("alice"), try fixture.phone("bob"))
        let call = try alice.call("bob")
        try bob.act((try bob.ringing(), .answer))
        fixture.hub.kill()
        fixture.deliver()
        #expect((alice.end, bob.end) == (.lost, .lost))
        #expect(fixture.hub.connect() == nil)
        #expect(fixture.hub.nextDeadline == nil)
        fixture.hub.restart()
        try alice.resume()
        #expect(alice.opened?.resumed == false)
        #expect(alice.opened?.calls.isEmpty == true)
        #expect(alice.told.contains(.didReset))
        #expect(alice.call(call) == nil)
        try bob.signIn()
        _ = try alice.call("bob")
        try bob.act((try bob.ringing(), .answer))
        try alice.say("a")
        #expect(bob.takeReceivedAudio() == "aaaaa")
    }

    @Test func `a killed and restarted hub has the account data that clients stored`() throws {
        let fixture = try VirtualHubFixture()
        let (alice, bob) = (try fixture.phone("alice"), try fixture.phone("bob"))
        try Self.changeAllAccountData(by: bob)
        for isAnswered in [true, false] {
            let call = try alice.call("bob")
            if isAnswered { try bob.act((try bob.ringing(), .answer)) }
            fixture.advance(by: .seconds(5))
            try alice.act((call, .end))
            if isAnswered { try bob.ask(.accountData(.markRecentsSeen(nil))) }
        }
        let before = try Self.remembered(by: bob)
        guard case .recents(let recents) = before.last else { throw VirtualPhone.Missing("Recents") }
        #expect(recents.map(\.call.outcome) == [.missed, .answered])
        #expect(recents.map(\.isSeen) == [false, true])
        fixture.hub.kill()
        fixture.hub.restart()
        fixture.deliver()
        try bob.signIn()
        #expect(try Self.remembered(by: bob) == before)
        // An unlisted account that is known but not signed in.
        #expect(bob.call(try bob.call("alice"))?.cause == .offline)
    }

    /// All requests that change account data.
    private static func changeAllAccountData(by phone: VirtualPhone) throws {
        var load = DirectoryLoad("spam")
        load.blocking = [49_301_234]
        load.identification = [DirectoryEntry(49_305_678, "The dentist")]
        let requests: [AccountDataRequest] = [
            .setSettings(SettingsUpdate(timeZone: "Asia/Kathmandu", displayName: "Bob B.")),
            .block(.handle(.generic("mallory"))), .block(.prefix("4930")), .block(.prefix("4989")),
            .unblock(.prefix("4930")),
            .putContact(Contact(identifier: "a", name: "Alice", handles: [.generic("alice")])),
            .putContact(Contact(identifier: "b", name: "Nobody")), .putContact(Contact(identifier: "c", name: "Carol")),
            .putContact(Contact(identifier: "c", name: "Carol C.", isFavorite: true)),
            .putContact(
                Contact(identifier: "a", name: "Alice", handles: [.generic("alice")], ringtone: "bell"),
                photo: .replace(try #require(Photo([0xFF, 0xD8, 0xFF])))
            ),
            .removeContact(identifier: "b"),
            .loadDirectory(load), .loadDirectory(DirectoryLoad("empty")),
            .setDirectoryEnabled(identifier: "empty", false),
        ]
        for request in requests { try phone.ask(.accountData(request)) }
    }

    private static func remembered(by phone: VirtualPhone) throws -> [ReplyPayload] {
        let questions: [AccountDataRequest] = [
            .getSettings, .listBlocked, .listContacts, .contactPhoto(identifier: "a"),
            .directoryStatus(identifier: nil),
            .listRecents(limit: nil, before: nil),
        ]
        return try questions.map { try phone.ask(.accountData($0)) }
    }

    @Test func `a stopping hub notifies all clients`() throws {
        let fixture = try VirtualHubFixture()
        let (alice, bob) = (try fixture.phone("alice"), try fixture.phone("bob"))
        let call = try alice.call("bob")
        fixture.hub.stop()
        fixture.deliver()
        #expect(alice.call(call)?.cause == .shutdown)
        for phone in [alice, bob] {
            guard case .closed(code: 1001, _) = phone.end else { throw VirtualPhone.Missing("the close") }
        }
        #expect(!fixture.hub.isRunning)
        #expect(fixture.hub.nextDeadline == nil)
    }
}
