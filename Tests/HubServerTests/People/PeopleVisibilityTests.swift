import HubAccountData
import HubEngine
import HubServer
import HubSimulator
import HubWire
import Testing

/// The people that a client may see, in lists and by subscription.
struct PeopleVisibilityTests {
    /// Admits accounts without a token as listed, those with a token as their issuer's, and "link" as a guest.
    private struct MixedAuthenticator: Authenticator {
        func authenticate(
            _ credentials: Credentials,
            _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
        ) {
            let account = credentials.account ?? ""
            var identity = AuthenticatedIdentity(account: account, handles: [.generic(account)])
            if let token = credentials.token {
                identity.isListedByDefault = false
                identity.displayName = "\(account) by token"
                identity.department = "Outside"
                if token == "link" { identity.invitation = InvitationID("link") }
            }
            then(.success(identity))
        }
    }

    private static func records() -> [AccountRecord] {
        [
            AccountRecord(
                name: "bob",
                handles: [.generic("bob"), Handle(type: .phoneNumber, value: "+49 30 1")],
                profile: PersonProfile(name: "Bob Miller", department: "Sales")
            ),
            AccountRecord(name: "carol", handles: [.generic("carol")]),
            AccountRecord(name: "nameless", handles: []),
        ]
    }

    private let fixture: VirtualHubFixture
    private let alice: VirtualPhone

    init() throws {
        var services = HubServices()
        services.authenticator = MixedAuthenticator()
        var stored = StoredState()
        stored.provisioned = Self.records()
        fixture = try VirtualHubFixture(stored: stored, services: services)
        alice = try fixture.phone("alice")
    }

    @Test func `the operator's accounts are listed before anybody has signed in, without oneself`() throws {
        #expect(
            try alice.people() == [
                Person(handle: .generic("bob"), name: "Bob Miller", department: "Sales", presence: .offline),
                Person(handle: .generic("carol"), name: "carol", presence: .offline),
            ]
        )
        #expect(try alice.people("sal mill").map(\.handle.value) == ["bob"])
        #expect(try alice.people("4930").map(\.handle.value) == ["bob"])
        #expect(try alice.people("ali").isEmpty)
        let bob = try fixture.phone("bob")
        #expect(try bob.people().map(\.handle.value) == ["alice", "carol"])
    }

    @Test func `a name that the user has set comes before the operator's, and callees are shown the same`() throws {
        let bob = try fixture.phone("bob")
        _ = try bob.call("alice")
        #expect(alice.call(try alice.ringing())?.localizedCallerName == "Bob Miller")
        try bob.set(SettingsUpdate(displayName: "Bobby"))
        #expect(try alice.people("bobb").map(\.name) == ["Bobby"])
    }

    @Test func `an account that only tokens name is not listed until its user wants to be`() throws {
        let dan = try fixture.phone("dan", token: "jwt")
        #expect(try alice.people("dan").isEmpty)
        #expect(try alice.watch("dan") == [.unknown])
        guard case .settings(let settings) = try dan.ask(.accountData(.getSettings)) else { return }
        #expect(!settings.isListed)
        try dan.set(SettingsUpdate(isListed: true))
        let person = Person(handle: .generic("dan"), name: "dan by token", department: "Outside", presence: .free)
        #expect(alice.lastPerson("dan") == person)
        #expect(try alice.people("outs") == [person])
    }

    @Test func `an unlisted user cannot be told apart from nobody, and ends being seen at once`() throws {
        let bob = try fixture.phone("bob")
        #expect(try alice.watch("bob", "nobody") == [.free, .unknown])
        try bob.set(SettingsUpdate(isListed: false))
        #expect(alice.lastPerson("bob") == Person(handle: .generic("bob")))
        _ = try bob.call("echo")
        fixture.advance(by: .seconds(5))
        #expect(alice.seen("bob") == [.unknown])
        #expect(try alice.people("bob").isEmpty)
        #expect(try bob.watch("bob") == [.onCall], "users see themselves")
    }

    @Test(arguments: [BlockRule.handle(.generic("alice")), .handle(.generic("ALICE 2"))])
    func `a block by any of the watcher's handles ends seeing at once, and its end begins it`(rule: BlockRule) throws {
        let bob = try fixture.phone("bob")
        let isHers = rule == .handle(.generic("alice"))
        #expect(try alice.watch("bob") == [.free])
        try bob.ask(.accountData(.block(rule)))
        #expect(alice.seen("bob") == (isHers ? [.unknown] : []))
        #expect(try alice.people("bob").isEmpty == isHers)
        try bob.ask(.accountData(.unblock(rule)))
        fixture.advance(by: .seconds(1))
        #expect(alice.seen("bob") == (isHers ? [.unknown, .free] : []))
    }

    @Test func `a prefix and a call directory block by number`() throws {
        let bob = try fixture.phone("bob")
        let carol = try fixture.phone("carol")
        try carol.ask(.accountData(.block(.prefix("4930"))))
        #expect(try bob.watch("carol") == [.unknown])
        try carol.ask(.accountData(.unblock(.prefix("4930"))))
        #expect(try bob.watch("carol") == [.free])
        var load = DirectoryLoad("list", isIncremental: false)
        load.blocking = [49301]
        try carol.ask(.accountData(.loadDirectory(load)))
        fixture.advance(by: .seconds(1))
        #expect(bob.seen("carol").last == .unknown)
        try carol.ask(.accountData(.setDirectoryEnabled(identifier: "list", false)))
        fixture.advance(by: .seconds(1))
        #expect(bob.seen("carol").last == .free)
    }

    @Test func `guests, and sessions that may not call, see nobody and are seen by nobody`() throws {
        let guest = try fixture.phone("guest-1", token: "link")
        let observer = try fixture.phone("alice", on: "observer", [.observe])
        for phone in [guest, observer] {
            #expect(try phone.people().isEmpty)
            #expect(try phone.watch("bob", "guest-1") == [.unknown, .unknown])
        }
        _ = try fixture.phone("bob")
        fixture.advance(by: .seconds(3))
        #expect(guest.notifications.isEmpty && observer.notifications.isEmpty)
        #expect(try alice.watch("guest-1") == [.unknown])
        #expect(try alice.people("guest").isEmpty)
    }

    @Test func `a photo is shown to those who see the person, and nobody else can tell that there is one`() throws {
        let bob = try fixture.phone("bob")
        let image: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 96, 0, 96, 1, 1, 0x11, 0]
        let photo = try #require(Photo(image))
        let others = try [
            fixture.phone("guest-1", token: "link"), fixture.phone("alice", on: "observer", [.observe]),
        ]
        let none = try #require(#expect(throws: WireError.self) { try alice.photo(of: "bob") })
        #expect(none.code == .notFound)
        try bob.set(SettingsUpdate(photo: .replace(photo)))
        #expect(try alice.photo(of: "bob") == image)
        #expect(try bob.photo(of: "bob") == image)
        for other in others { #expect(throws: none) { try other.photo(of: "bob") } }
        #expect(throws: none) { try alice.photo(of: "nobody") }
        try bob.ask(.accountData(.block(.handle(.generic("alice")))))
        #expect(throws: none) { try alice.photo(of: "bob") }
        try bob.ask(.accountData(.unblock(.handle(.generic("alice")))))
        try bob.set(SettingsUpdate(isListed: false))
        #expect(throws: none) { try alice.photo(of: "bob") }
        #expect(try bob.photo(of: "bob") == image)
    }

    @Test func `pages continue where they ended, and an invented position is refused`() throws {
        guard case .people(let first, let next?) = try alice.ask(.people(.list(search: nil, AdminPage(limit: 1))))
        else { return #expect(Bool(false), "no next") }
        #expect(first.map(\.handle.value) == ["bob"])
        let page = AdminPage(limit: 1, after: next)
        guard case .people(let second, nil) = try alice.ask(.people(.list(search: nil, page))) else {
            return #expect(Bool(false), "no second page")
        }
        #expect(second.map(\.handle.value) == ["carol"])
        let wrong = #expect(throws: WireError.self) {
            try alice.ask(.people(.list(search: nil, AdminPage(after: "not base64!"))))
        }
        #expect(wrong?.code == .general(.invalidArgument))
    }

    @Test func `searches are limited to ten a second after a burst of fifty`() throws {
        for _ in 0..<50 { _ = try alice.people() }
        let refused = #expect(throws: WireError.self) { try alice.people() }
        #expect(refused?.code == .tooMany)
        fixture.advance(by: .milliseconds(100))
        _ = try alice.people()
    }
}

extension VirtualPhone {
    /// Requests the first page of the people that a search finds.
    func people(_ search: String? = nil) throws -> [Person] {
        guard case .people(let people, nil) = try ask(.people(.list(search: search, AdminPage()))) else { return [] }
        return people
    }

    /// Requests the photo of a person.
    fileprivate func photo(of name: String) throws -> [UInt8]? {
        guard case .photo(let bytes) = try ask(.people(.photo(.generic(name)))) else { return nil }
        return bytes
    }
}
