import HubAccountData
import HubEngine
import HubServer
import HubSimulator
import HubWire
import Testing

/// The presence of people, as a hub notifies those who watch it.
struct PresenceTests {
    private let fixture: VirtualHubFixture
    private let alice: VirtualPhone
    private let bob: VirtualPhone

    init() throws {
        fixture = try VirtualHubFixture { $0.resumeGrace = .seconds(30) }
        alice = try fixture.phone("alice")
        bob = try fixture.phone("bob")
    }

    @Test func `being in a call is seen at its connection, not while it rings, and its end a second later`() throws {
        #expect(try alice.watch("bob") == [.free])
        let carol = try fixture.phone("carol")
        _ = try carol.call("bob")
        #expect(alice.seen("bob") == [])
        try bob.act((try bob.ringing(), .answer))
        #expect(alice.seen("bob") == [.onCall])
        try bob.act((try bob.lastCall(), .setHeld(true)))
        try bob.act((try bob.lastCall(), .end))
        #expect(alice.seen("bob") == [.onCall])
        fixture.advance(by: .seconds(1))
        #expect(alice.seen("bob") == [.onCall, .free])
    }

    @Test func `a call on any device counts, and a held one too`() throws {
        let laptop = try fixture.phone("bob", on: "laptop")
        #expect(try alice.watch("bob") == [.free])
        _ = try laptop.call("echo")
        #expect(alice.seen("bob") == [.onCall])
        try laptop.act((try laptop.lastCall(), .setHeld(true)))
        fixture.advance(by: .seconds(3))
        #expect(alice.seen("bob") == [.onCall])
        try laptop.ask(.close)
        fixture.advance(by: .seconds(1))
        #expect(alice.seen("bob") == [.onCall, .free])
    }

    @Test func `a call that moves to another device changes nothing`() throws {
        _ = try bob.call("echo")
        let laptop = try fixture.phone("bob", on: "laptop")
        #expect(try alice.watch("bob") == [.onCall])
        try laptop.act((try bob.lastCall(), .pull))
        fixture.advance(by: .seconds(3))
        #expect(alice.seen("bob") == [])
        #expect(try alice.watch("bob") == [.onCall])
    }

    @Test func `a lost connection is offline when its grace period is over, and a resumed one never was`() throws {
        #expect(try alice.watch("bob") == [.free])
        try bob.dropConnection()
        fixture.advance(by: .seconds(29))
        try bob.resume()
        fixture.advance(by: .seconds(60))
        #expect(alice.seen("bob") == [])
        try bob.dropConnection()
        fixture.advance(by: .seconds(31))
        #expect(alice.seen("bob") == [.offline])
        try bob.signIn()
        #expect(alice.seen("bob") == [.offline, .free])
    }

    @Test func `a device that may not ring makes nobody present`() throws {
        _ = try fixture.phone("dan", on: "observer", [.observe])
        #expect(try alice.watch("dan") == [.offline])
        _ = try fixture.phone("dan")
        #expect(alice.seen("dan") == [.free])
        #expect(try bob.ask(.engine(.invalidate)) == .done)
        #expect(try alice.watch("bob") == [.offline])
        _ = try bob.ask(.engine(.configure(ProviderConfiguration())))
        fixture.advance(by: .seconds(1))
        #expect(alice.seen("bob") == [.free])
    }

    @Test func `away is seen when all devices that could ring have set it`() throws {
        let laptop = try fixture.phone("bob", on: "laptop")
        #expect(try alice.watch("bob") == [.free])
        #expect(try bob.ask(.people(.setAway(true))) == .done)
        #expect(try bob.ask(.people(.setAway(true))) == .ignored)
        fixture.advance(by: .seconds(2))
        #expect(alice.seen("bob") == [])
        #expect(try laptop.ask(.people(.setAway(true))) == .done)
        #expect(alice.seen("bob") == [.away])
        #expect(try bob.ask(.people(.setAway(false))) == .done)
        fixture.advance(by: .seconds(1))
        #expect(alice.seen("bob") == [.away, .free])
    }

    @Test func `a resumed device is still away, and one that signs in anew is not`() throws {
        #expect(try bob.ask(.people(.setAway(true))) == .done)
        try bob.dropConnection()
        try bob.resume()
        #expect(try alice.watch("bob") == [.away])
        try bob.signIn()
        #expect(alice.seen("bob") == [.free])
    }

    @Test func `Do Not Disturb is seen instead of the call`() throws {
        _ = try bob.call("echo")
        #expect(try alice.watch("bob") == [.onCall])
        try bob.set(SettingsUpdate(doNotDisturb: true))
        #expect(alice.seen("bob") == [.doNotDisturb(until: nil)])
        try bob.set(SettingsUpdate(doNotDisturb: false))
        fixture.advance(by: .seconds(1))
        #expect(alice.seen("bob") == [.doNotDisturb(until: nil), .onCall])
        try bob.set(SettingsUpdate(deviceDoNotDisturb: true))
        fixture.advance(by: .seconds(1))
        #expect(alice.seen("bob").last == .doNotDisturb(until: nil))
        _ = try fixture.phone("bob", on: "laptop")
        fixture.advance(by: .seconds(1))
        #expect(alice.seen("bob").last == .onCall)
    }

    /// The virtual hub begins at midnight before a Thursday.
    @Test func `quiet hours are seen from their beginning, with their end`() throws {
        #expect(try alice.watch("bob") == [.free])
        let hours = QuietHours(days: [.thursday], from: 60, to: 90)
        try bob.set(SettingsUpdate(quietHours: [hours], timeZone: "UTC"))
        fixture.advance(by: .seconds(3_599))
        #expect(alice.seen("bob") == [])
        fixture.advance(by: .seconds(1))
        let end = VirtualHub.start + .seconds(5_400)
        #expect(alice.seen("bob") == [.doNotDisturb(until: end)])
        fixture.advance(by: .seconds(1_799))
        #expect(alice.seen("bob").count == 1)
        fixture.advance(by: .seconds(1))
        #expect(alice.seen("bob") == [.doNotDisturb(until: end), .free])
    }

    @Test func `a wall clock that is set is noticed within a quarter of an hour`() throws {
        try bob.set(SettingsUpdate(quietHours: [QuietHours(days: [.thursday], from: 600, to: 660)], timeZone: "UTC"))
        #expect(try alice.watch("bob") == [.free])
        fixture.hub.jumpWallClock(by: .seconds(36_000 + 60))
        fixture.advance(by: .seconds(901))
        guard case .doNotDisturb(let until?) = alice.seen("bob").last else {
            return #expect(Bool(false), "\(alice.seen("bob"))")
        }
        #expect(until == VirtualHub.start + .seconds(39_600))
    }

    @Test func `a new display name is seen, and an account that signs in for the first time`() throws {
        #expect(try alice.watch("bob", "carol") == [.free, .unknown])
        try bob.set(SettingsUpdate(displayName: "Robert"))
        #expect(alice.lastPerson("bob")?.name == "Robert")
        _ = try fixture.phone("carol")
        fixture.advance(by: .seconds(1))
        #expect(alice.lastPerson("carol") == Person(handle: .generic("carol"), name: "carol", presence: .free))
    }

    @Test func `a device without a connection is told the present state when it resumes, once`() throws {
        #expect(try alice.watch("bob") == [.free])
        try alice.dropConnection()
        for _ in 0..<10 {
            let call = try bob.call("echo")
            fixture.advance(by: .seconds(1))
            try bob.act((call, .end))
            fixture.advance(by: .milliseconds(500))
        }
        _ = try bob.call("echo")
        #expect(alice.seen("bob") == [])
        try alice.resume()
        #expect(alice.seen("bob") == [.onCall])
    }

    @Test func `watchers are sent at most one notification a second, whatever happens`() throws {
        #expect(try alice.watch("bob") == [.free])
        for round in 0..<100 {
            _ = try bob.ask(.people(.setAway(round.isMultiple(of: 2))))
            fixture.advance(by: .milliseconds(50))
        }
        fixture.advance(by: .seconds(2))
        #expect((5...7).contains(alice.notifications.count), "\(alice.notifications.count) in five seconds")
        #expect(alice.seen("bob").last == .free)
    }
}

extension VirtualPhone {
    /// Watches some accounts in place of the former ones, and returns their presence.
    func watch(_ accounts: String...) throws -> [Presence] {
        let handles = accounts.map { Handle.generic($0) }
        guard case .people(let people, _) = try ask(.people(.subscribe(handles))) else { return [] }
        #expect(people.map(\.handle) == handles)
        return people.map(\.presence)
    }

    /// The notifications of changed presence so far.
    var notifications: [[Person]] {
        told.compactMap { if case .peopleChanged(let people) = $0 { people } else { nil } }
    }

    /// Returns the states of an account that the phone was notified of, in order.
    func seen(_ account: String) -> [Presence] {
        notifications.flatMap { $0 }.filter { $0.handle == .generic(account) }.map(\.presence)
    }

    func lastPerson(_ account: String) -> Person? {
        notifications.flatMap { $0 }.last { $0.handle == .generic(account) }
    }

    func lastCall() throws -> CallUUID {
        let uuids = told.compactMap { if case .callChanged(let call) = $0 { call.uuid } else { nil } }
        return try #require(uuids.last)
    }

    func set(_ update: SettingsUpdate) throws { try ask(.accountData(.setSettings(update))) }
}
