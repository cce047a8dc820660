import HubAccountData
import HubEngine
import HubTestSupport
import Testing

@testable import HubStore

/// The passkeys of accounts in the database, and the passwords that users replace.
struct PasskeyStoreTests {
    private let folder: TemporaryFolder
    private static let now = Instant(nanoseconds: 100 * 86_400_000_000_000)

    init() throws {
        folder = try TemporaryFolder()
    }

    private func file() throws -> StoreFile {
        let file = try StoreFile(folder("hub.db"), clock: { Self.now })
        if try file.accounts().isEmpty {
            for name in ["alice", "bob"] { try file.addAccount(NewAccount(name, passwordHash: "hash of \(name)")) }
        }
        return file
    }

    private func passkey(_ id: UInt8, counter: UInt32 = 0) -> StoredPasskey {
        StoredPasskey(
            id: [id],
            site: "hub.example",
            name: "Key \(id)",
            algorithm: -7,
            publicKey: [4, id],
            counter: counter,
            createdAt: Self.now + .seconds(Int(id))
        )
    }

    @Test func `passkeys belong to one account, and are read again`() throws {
        let file = try file()
        #expect(try file.passkeyUser(of: "Alice", orStore: [1]) == [1])
        #expect(try file.passkeyUser(of: "alice", orStore: [2]) == [1], "the user handle never changes")
        #expect(try file.add(passkey(2), to: "alice"))
        #expect(try file.add(passkey(1), to: "ALICE"))
        #expect(try file.add(passkey(1), to: "bob") == false)
        let again = try self.file()
        #expect(try again.passkeys(of: "alice") == [passkey(1), passkey(2)])
        #expect(try again.passkeys(of: "bob").isEmpty)
        #expect(try again.accounts().map(\.passkeys) == [[[1], [2]], []])
        let owner = try #require(try again.passkey([2]))
        #expect(owner.account == "alice" && owner.user == [1] && owner.passkey == passkey(2))
        #expect(try again.passkey([]) == nil)
        #expect(throws: StoreError.self) { try file.add(passkey(3), to: "nobody") }
        #expect(throws: StoreError.self) { try file.passkeyUser(of: "nobody", orStore: [1]) }
    }

    @Test func `only the account's own passkey is renamed or removed`() throws {
        let file = try file()
        #expect(try file.add(passkey(1), to: "alice"))
        #expect(try file.renamePasskey([1], of: "bob", to: "mine") == false)
        #expect(try file.removePasskey([1], of: "bob") == false)
        #expect(try file.renamePasskey([1], of: "ALICE", to: "mine"))
        #expect(try file.passkeys(of: "alice").map(\.name) == ["mine"])
        #expect(try file.removePasskey([1], of: "alice"))
        #expect(try file.removePasskey([1], of: "alice") == false)
    }

    @Test func `a counter goes up alone, and one of zero stays`() throws {
        let file = try file()
        #expect(try file.add(passkey(1), to: "alice"))
        let use = { (counter: UInt32) in try file.notePasskeyUse([1], counter: counter, at: Self.now) }
        #expect(try use(0) && use(0))
        #expect(try file.passkeys(of: "alice").first?.lastUsedAt == Self.now)
        #expect(try use(5))
        for counter: UInt32 in [5, 4, 0] { #expect(try use(counter) == false) }
        #expect(try use(.max))
        #expect(try use(.max) == false)
        #expect(try file.passkeys(of: "alice").first?.counter == .max)
        #expect(try file.notePasskeyUse([9], counter: 1, at: Self.now) == false)
    }

    @Test func `passkeys go with the account, removed or erased, and are in its export without keys`() throws {
        let file = try file()
        for (id, name): (UInt8, String) in [(1, "alice"), (2, "bob")] {
            _ = try file.passkeyUser(of: name, orStore: [id])
            #expect(try file.add(passkey(id), to: name))
        }
        #expect(try file.export("alice").passkeys.map(\.name) == ["Key 1"])
        try file.removeAccount("alice")
        #expect(try file.passkey([1]) == nil)
        try file.addAccount(NewAccount("alice"))
        #expect(try file.passkeys(of: "alice").isEmpty)
        try file.erase("bob")
        #expect(try file.passkey([2]) == nil)
        #expect(try file.rowCount(of: "passkeys") == 0)
    }

    @Test func `a user's new password replaces the one that was verified, and no newer one`() throws {
        let file = try file()
        let version = try #require(try file.password(of: "alice")).version
        #expect(try file.replacePassword("hash of alice", by: "new", of: "Alice") == version + 1)
        #expect(try file.replacePassword("hash of alice", by: "newer", of: "alice") == nil)
        #expect(try file.password(of: "alice")?.hash == "new")
        try file.setPasswordHash(nil, of: "bob")
        #expect(try file.replacePassword("hash of bob", by: "new", of: "bob") == nil)
        #expect(try file.replacePassword("", by: "new", of: "nobody") == nil)
    }

    @Test func `the user's own photo is beside those of contacts, and is erased with them`() throws {
        let file = try file()
        let photo = try #require(Photo([0xFF, 0xD8, 0xFF, 1]))
        let contact = Contact(identifier: "1", name: "Ann", photoHash: "of Ann")
        try file.write(
            [.contact(contact, photo: .replace(photo)), .photo(.replace(photo), hash: "own")],
            of: "alice"
        )
        #expect(try file.photo(of: "alice") == photo.bytes)
        let stored = try #require(try self.file().load().storedData.first { $0.name == "alice" })
        #expect(stored.settings.photoHash == "own")
        #expect(stored.photo == .inStore(byteCount: 4))
        #expect(stored.contacts.map(\.photoHash) == ["of Ann"])
        #expect(stored.photos == ["1": .inStore(byteCount: 4)])
        try file.write([.contactRemoved(identifier: "1")], of: "alice")
        #expect(try file.photo(of: "alice") == photo.bytes)
        try file.write([.photo(.remove, hash: nil)], of: "alice")
        #expect(try file.photo(of: "alice") == nil)
        try file.write([.photo(.replace(photo), hash: "own")], of: "alice")
        #expect(try file.export("alice").settings.photo != nil)
        try file.write([.erased], of: "alice")
        #expect(try file.photo(of: "alice") == nil)
    }
}

extension StoreFile {
    fileprivate func rowCount(of table: String) throws -> Int64? {
        try first("SELECT count(*) FROM \(table)") { $0.integer(0) }
    }
}
