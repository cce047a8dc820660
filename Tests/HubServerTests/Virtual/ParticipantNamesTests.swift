import HubAccountData
import HubEngine
import HubServer
import HubTestSupport
import HubWire
import Testing

/// The names of the people in a group's conversation: Bob has merged his calls with Alice and Carol.
struct ParticipantNamesTests {
    private let fixture: VirtualHubFixture
    private let alice: VirtualPhone
    private let bob: VirtualPhone
    private let carol: VirtualPhone
    private let alices: CallUUID
    private let bobs: (alice: CallUUID, carol: CallUUID)
    private let carols: CallUUID

    init() throws {
        fixture = try VirtualHubFixture()
        (alice, bob, carol) = (try fixture.phone("alice"), try fixture.phone("bob"), try fixture.phone("carol"))
        alices = try alice.call("bob")
        let fromAlice = try bob.ringing()
        try bob.act((fromAlice, .answer))
        bobs = (fromAlice, try bob.call("carol"))
        carols = try carol.ringing()
        try carol.act((carols, .answer))
    }

    private func merge() throws { try bob.act((bobs.alice, .setGroup(with: bobs.carol))) }

    private func set(_ update: SettingsUpdate, by phone: VirtualPhone) throws {
        try phone.ask(.accountData(.setSettings(update)))
    }

    private func put(_ contact: String, for handle: String, by phone: VirtualPhone) throws {
        let contact = Contact(identifier: handle, name: contact, handles: [.generic(handle)])
        try phone.ask(.accountData(.putContact(contact)))
    }

    private func shown(_ call: CallUUID, _ phone: VirtualPhone) -> [String]? {
        phone.call(call)?.participants.map { "\($0.handle.value) \($0.name) \($0.nameSource.rawValue)" }
    }

    @Test func `a participant is named like a caller: by themselves, a contact, or the handle (CH-01, CK-15)`() throws {
        try put("My Carol", for: "carol", by: alice)
        try put("Bob's Carol", for: "carol", by: bob)
        try merge()
        #expect(shown(alices, alice) == ["carol My Carol contact"])
        #expect(shown(carols, carol) == ["alice alice handle"])
        try bob.act((bobs.alice, .setGroup(with: nil)))
        try set(SettingsUpdate(displayName: "Carol Hu"), by: carol)
        try merge()
        #expect(shown(alices, alice) == ["carol Carol Hu caller"])
    }

    @Test func `a directory names a participant who calls by a number (CH-01, CK-15)`() throws {
        let fixture = try VirtualHubFixture(services: Self.numbered)
        let (alice, bob) = (try fixture.phone("alice"), try fixture.phone("bob"))
        let number = try fixture.phone("491111")
        var load = DirectoryLoad("numbers")
        load.identification = [DirectoryEntry(491_111, "Operator")]
        try alice.ask(.accountData(.loadDirectory(load)))
        let first = try alice.call("bob")
        try bob.act((try bob.ringing(), .answer))
        _ = try number.call("bob")
        let second = try bob.ringing()
        try bob.act((second, .answer))
        let others = bob.told.compactMap { if case .callChanged(let call) = $0 { call } else { nil } }
        let held = try #require(others.first { $0.remoteHandle == .generic("alice") }).uuid
        try bob.act((held, .setGroup(with: second)))
        #expect(alice.call(first)?.participants.map(\.name) == ["Operator"])
        #expect(alice.call(first)?.participants.map(\.nameSource) == [.directory])
    }

    /// Accounts with a name of digits have a telephone number.
    private static var numbered: HubServices {
        struct NumberAuthenticator: Authenticator {
            func authenticate(
                _ credentials: Credentials,
                _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
            ) {
                let account = credentials.account ?? ""
                let isNumber = account.allSatisfy(\.isNumber)
                let handle = isNumber ? Handle(type: .phoneNumber, value: account) : .generic(account)
                then(.success(AuthenticatedIdentity(account: account, handles: [handle])))
            }
        }
        var services = HubServices()
        services.authenticator = NumberAuthenticator()
        return services
    }

    @Test func `the name in a participant's token is shown if the account has set none (CH-01)`() throws {
        let fixture = try VirtualHubFixture(services: Self.named)
        let alice = try fixture.phone("alice", token: "x")
        let (bob, carol) = (
            try fixture.phone("bob", token: "x"), try fixture.phone("carol", token: "Carol of the token")
        )
        let first = try alice.call("bob")
        let fromAlice = try bob.ringing()
        try bob.act((fromAlice, .answer))
        let second = try bob.call("carol")
        try carol.act((try carol.ringing(), .answer))
        try bob.act((fromAlice, .setGroup(with: second)))
        #expect(alice.call(first)?.participants.map(\.name) == ["Carol of the token"])
    }

    /// The token is the name.
    private static var named: HubServices {
        struct NameAuthenticator: Authenticator {
            func authenticate(
                _ credentials: Credentials,
                _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
            ) {
                let account = credentials.account ?? ""
                var identity = AuthenticatedIdentity(account: account, handles: [.generic(account)])
                identity.displayName = credentials.token
                then(.success(identity))
            }
        }
        var services = HubServices()
        services.authenticator = NameAuthenticator()
        return services
    }

    @Test func `observer.calls, a resume and a refusal have the same names as the notification (CH-01)`() throws {
        try put("My Carol", for: "carol", by: alice)
        try merge()
        guard case .calls(let calls, _) = try alice.ask(.engine(.calls)) else { return #expect(Bool(false)) }
        #expect(calls == [try #require(alice.call(alices))])
        try alice.dropConnection()
        try alice.resume()
        #expect(alice.opened?.calls == calls)
        let unknown = fixture.name()
        let refusal = #expect(throws: WireError.self) { try alice.act((unknown, .end)) }
        #expect(refusal?.calls == calls)
    }

    @Test func `the setting isNamedInGroups hides an account in a conversation at once (CH-01)`() throws {
        try put("My Carol", for: "carol", by: alice)
        try merge()
        try set(SettingsUpdate(isNamedInGroups: false), by: carol)
        #expect(shown(alices, alice) == ["anonymous  hidden"])
        let sources = alice.told.compactMap { if case .audioSources(let sources) = $0 { sources } else { nil } }.last
        #expect(sources?.map { "\($0.handle.value) \($0.name)" } == ["bob bob", "anonymous "])
        #expect(bob.call(bobs.carol)?.remoteHandle == .generic("carol"))
        #expect(shown(bobs.alice, bob) == ["carol carol handle"])
        try set(SettingsUpdate(isNamedInGroups: true), by: carol)
        #expect(shown(alices, alice) == ["carol My Carol contact"])
    }

    @Test func `an account that hides before it signs in again is hidden from the beginning (CH-01)`() throws {
        try set(SettingsUpdate(isNamedInGroups: false), by: carol)
        let laptop = try fixture.phone("carol", on: "laptop")
        try carol.ask(.close)
        let call = try bob.call("carol")
        try laptop.act((try laptop.ringing(), .answer))
        try bob.act((bobs.alice, .setGroup(with: call)))
        #expect(shown(alices, alice) == ["anonymous  hidden"])
        // Erasing the data restores the default.
        try laptop.ask(.accountData(.erase))
        #expect(shown(alices, alice) == ["carol carol handle"])
    }

    @Test func `a decline with a text reaches the caller over the wire, one that is wrong is refused (CH-02)`() throws {
        let dave = try fixture.phone("dave")
        let call = try dave.call("erin-who-is-not-there")
        #expect(dave.call(call)?.message == nil)
        let erin = try fixture.phone("erin")
        let next = try dave.call("erin")
        try erin.act((try erin.ringing(), .decline(message: "In a meeting", onlyHere: false)))
        #expect(dave.call(next)?.message == "In a meeting")
        #expect(throws: WireError.self) { try alice.act((alices, .decline(message: "No", onlyHere: false))) }
    }
}
