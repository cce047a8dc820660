import HubEngine
import HubTestSupport
import Testing

@testable import HubStore

/// The list of call links, and its entries after an account's erasure.
struct LinkStoreTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The time that the file's clock shows.
    private static let now = Instant(nanoseconds: 100 * 86_400_000_000_000)

    private func file() throws -> StoreFile { try StoreFile(folder("hub.db"), clock: { Self.now }) }

    private func link(_ id: String, to callee: Handle, days: Int = 1) throws -> StoredInvitation {
        let end = Self.now + .seconds(days * 86_400)
        let id = try #require(InvitationID(id))
        let calls = StoredInvitation.GuestCalls(to: callee, name: "Visitor")
        return StoredInvitation(id: id, for: .calls(calls), createdAt: Self.now, expiresAt: end)
    }

    @Test func `a link is listed until a month after its expiry, and a revoked one stays revoked meanwhile`() throws {
        let file = try file()
        for (id, days) in [("old", -31), ("ended", -29), ("valid", 1)] {
            try file.add(link(id, to: .generic("bob"), days: days))
        }
        let latest = Self.now + .seconds(86_400)
        for id in ["ended", "valid", "unlisted"].compactMap(InvitationID.init) {
            try file.revokeInvitation(id, endingBy: latest)
        }
        #expect(try self.file().invitations().map(\.id.text) == ["ended", "valid", "unlisted"])
        #expect(Set(try self.file().load().revokedInvitations.map(\.text)) == ["ended", "valid", "unlisted"])
        #expect(try file.invitations().last?.guestCalls?.callee == nil)
        try file.revokeInvitations(replacing: "key", by: [1])
        #expect(try file.invitations().isEmpty)
        #expect(try file.load().secrets["key"] == [1])
    }

    @Test func `an erased account's links are not listed, and can still be revoked`() throws {
        let file = try file()
        let number = Handle(type: .phoneNumber, value: "+49 30 1")
        try file.addAccount(NewAccount("bob", passwordHash: nil, handles: [number]))
        let callees = [.generic("bob"), Handle(type: .phoneNumber, value: "49301"), .generic("alice")]
        for (place, callee) in callees.enumerated() { try file.add(link("link-\(place)", to: callee)) }
        #expect(try file.export("bob").links.map(\.id) == ["link-0", "link-1"])
        try file.erase("bob")
        #expect(try file.invitations().map(\.guestCalls?.callee) == [nil, nil, .generic("alice")])
        #expect(try file.invitations().map(\.guestCalls?.name) == [nil, nil, "Visitor"])
        let id = try #require(InvitationID("link-0"))
        #expect(try file.revokeInvitation(id, endingBy: Self.now)?.revokedAt == nil)
        #expect(try file.load().revokedInvitations == [id])
    }
}
