import HubEngine
import HubTestSupport
import HubWire
import Testing

@testable import HubStore

/// The invitations by a secret: for an account, for a hub's owner, and for calls of guests.
struct InvitationStoreTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let now = Instant(nanoseconds: 100 * 86_400_000_000_000)

    private func file() throws -> StoreFile { try StoreFile(folder("hub.db"), clock: { Self.now }) }

    private func invitation(
        _ id: String,
        for purpose: StoredInvitation.Purpose,
        by account: String? = nil,
        seconds: Int = 60
    ) throws -> StoredInvitation {
        let id = try #require(InvitationID(id))
        let end = Self.now + .seconds(seconds)
        return StoredInvitation(id: id, for: purpose, createdBy: account, createdAt: Self.now, expiresAt: end)
    }

    private func anAccount(_ role: StoredInvitation.NewAccountOffer.Role = .user) -> StoredInvitation.Purpose {
        .account(StoredInvitation.NewAccountOffer(role: role, account: "bob"))
    }

    @Test func `an invitation creates one account, which has the rights of the invitation`() throws {
        let file = try file()
        try file.add(invitation("user", for: anAccount()), secretHash: [1])
        try file.add(invitation("admin", for: anAccount(.administrator)), secretHash: [2])
        #expect(try file.accept(secretHash: [1], NewAccount("bob", isAdmin: true)).get().offer?.account == "bob")
        #expect(try file.accept(secretHash: [2], NewAccount("ann")).get().offer?.usedAt == Self.now)
        #expect(throws: InvitationFault.used) { try file.accept(secretHash: [1], NewAccount("carol")).get() }
        #expect(try self.file().accounts().map(\.name) == ["bob", "ann"])
        #expect(try self.file().accounts().map(\.isAdmin) == [false, true])
    }

    @Test func `two accept an invitation at once, and one wins`() async throws {
        let file = try file()
        try file.add(invitation("one", for: anAccount()), secretHash: [1])
        let path = folder("hub.db")
        let outcomes = try await withThrowingTaskGroup(of: InvitationFault?.self) { group in
            for name in ["bob", "carol", "dave", "erin"] {
                group.addTask {
                    let file = try StoreFile(path, clock: { Self.now })
                    switch try file.accept(secretHash: [1], NewAccount(name)) {
                    case .success: return nil
                    case .failure(let fault): return fault
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == nil }.count == 1)
        #expect(outcomes.filter { $0 == .used }.count == 3)
        #expect(try file.accounts().count == 1)
    }

    @Test func `a name that is taken leaves the invitation unused`() throws {
        let file = try file()
        try file.addAccount(NewAccount("bob", handles: [.generic("bob")]))
        try file.add(invitation("one", for: anAccount()), secretHash: [1])
        #expect(throws: StoreError.self) { try file.accept(secretHash: [1], NewAccount("BOB")) }
        #expect(throws: StoreError.self) {
            try file.accept(secretHash: [1], NewAccount("ann", handles: [.generic("Bob")]))
        }
        try file.recordSignIn("token", handles: [.generic("token")])
        #expect(throws: StoreError.self) { try file.accept(secretHash: [1], NewAccount("Token")) }
        #expect(try file.accept(secretHash: [1], NewAccount("ann")).get().createdBy == nil)
    }

    @Test func `an invitation that is expired, revoked or unknown creates no account`() throws {
        let file = try file()
        try file.add(invitation("late", for: anAccount(), seconds: 0), secretHash: [1])
        try file.add(invitation("revoked", for: anAccount()), secretHash: [2])
        try file.add(invitation("calls", for: .calls(.init(to: .generic("ann")))), secretHash: [3])
        let id = try #require(InvitationID("revoked"))
        #expect(try file.revokeInvitation(id, createdBy: nil)?.revokedAt == nil)
        let faults: [(UInt8, InvitationFault)] = [(1, .expired), (2, .revoked), (3, .unknown), (4, .unknown)]
        for (secret, fault) in faults {
            #expect(throws: fault) { try file.accept(secretHash: [secret], NewAccount("bob")).get() }
        }
        #expect(try file.accounts().isEmpty)
    }

    @Test func `an owner's invitation revokes the one before, creates one administrator, and there is none afterwards`()
        throws
    {
        let file = try file()
        func invite(_ number: UInt8) throws -> Bool {
            let id = try #require(InvitationID("owner-\(number)"))
            return try file.replaceOwnerInvitation(by: id, secretHash: [number], until: Self.now + .seconds(1))
        }
        #expect(try invite(0) && invite(1))
        #expect(throws: InvitationFault.revoked) { try file.accept(secretHash: [0], NewAccount("eve")).get() }
        _ = try file.accept(secretHash: [1], NewAccount("ann")).get()
        #expect(throws: InvitationFault.used) { try file.accept(secretHash: [1], NewAccount("eve")).get() }
        #expect(try file.accounts().map(\.isAdmin) == [true])
        #expect(try !invite(2))
        #expect(try file.invitations().map(\.revokedAt) == [Self.now, nil])
    }

    @Test func `an owner's invitation makes nobody the second administrator, but is good beside an account of a user`()
        throws
    {
        let file = try file()
        let id = try #require(InvitationID("owner"))
        #expect(try file.replaceOwnerInvitation(by: id, secretHash: [1], until: Self.now + .seconds(1)))
        try file.addAccount(NewAccount("bob"))
        try file.addAccount(NewAccount("root", isAdmin: true))
        #expect(throws: InvitationFault.used) { try file.accept(secretHash: [1], NewAccount("eve")).get() }
        try file.setAdmin(false, "root")
        #expect(try file.accept(secretHash: [1], NewAccount("ann")).get().offer?.account == "ann")
    }

    @Test func `calls are counted until there is none left, and stay counted`() throws {
        let file = try file()
        let calls = StoredInvitation.GuestCalls(to: .generic("ann"), maximumCalls: 2)
        try file.add(invitation("calls", for: .calls(calls), by: "ann"), secretHash: [1])
        let id = try #require(InvitationID("calls"))
        try file.count(calls: 1, of: id)
        #expect(try file.invitation(secretHash: [1])?.fault(at: Self.now) == nil)
        try file.count(calls: 1, of: id)
        let stored = try #require(try self.file().invitation(secretHash: [1]))
        #expect(stored.guestCalls?.calls == 2)
        #expect(stored.fault(at: Self.now) == .used)
        #expect(stored.createdBy == "ann")
        #expect(stored.hasSecret)
    }

    @Test func `an account revokes its own invitations, and no others`() throws {
        let file = try file()
        try file.add(invitation("calls", for: .calls(.init(to: .generic("ann"))), by: "ann"), secretHash: [1])
        let id = try #require(InvitationID("calls"))
        #expect(try file.revokeInvitation(id, createdBy: "bob") == nil)
        #expect(try file.invitations().map(\.revokedAt) == [nil])
        #expect(try file.revokeInvitation(id, createdBy: "ANN") != nil)
        #expect(try file.load().revokedInvitations == [id])
    }

    @Test func `revoking all links revokes guests' invitations, and leaves those for accounts`() throws {
        let file = try file()
        try file.add(invitation("token", for: .calls(.init(to: .generic("ann")))))
        try file.add(invitation("calls", for: .calls(.init(to: .generic("ann")))), secretHash: [1])
        try file.add(invitation("account", for: anAccount()), secretHash: [2])
        try file.revokeInvitations(replacing: "key", by: [1])
        #expect(try file.invitations().map(\.id.text) == ["calls", "account"])
        #expect(try file.invitations().map(\.revokedAt) == [Self.now, nil])
    }

    @Test func `an erased account is in no invitation, and nobody calls it by one`() throws {
        let file = try file()
        try file.add(invitation("account", for: anAccount()), secretHash: [1])
        _ = try file.accept(secretHash: [1], NewAccount("bob")).get()
        try file.add(invitation("calls", for: .calls(.init(to: .generic("bob"))), by: "bob"), secretHash: [2])
        try file.erase("bob")
        #expect(try file.invitations().map(\.createdBy) == [nil, nil])
        #expect(try file.invitations().map(\.offer?.account) == [nil, nil])
        #expect(try file.invitation(secretHash: [2])?.fault(at: Self.now) == .revoked)
        #expect(throws: InvitationFault.used) { try file.accept(secretHash: [1], NewAccount("eve")).get() }
    }
}
