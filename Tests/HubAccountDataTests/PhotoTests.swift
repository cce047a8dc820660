import HubAccountData
import HubEngine
import Testing

/// The photos and ringtones of contacts.
struct PhotoTests {
    private var world = MemoryWorld()

    private static func photo(_ size: Int, fill: UInt8 = 0) throws -> Photo {
        try #require(Photo([0xFF, 0xD8, 0xFF] + [UInt8](repeating: fill, count: size - 3)))
    }

    private func put(_ photo: PhotoChange = .keep, of identifier: String = "a", name: String = "") -> AccountDataRequest
    {
        AccountDataRequest.putContact(Contact(identifier: identifier, name: name), photo: photo)
            .settingPhotoHash { "\($0.count)-\($0.last ?? 0)" }
    }

    private mutating func contact(_ identifier: String = "a") throws -> Contact? {
        guard case .contacts(let all) = try world.ask(.listContacts).reply else { return nil }
        return all.first { $0.identifier == identifier }
    }

    @Test(arguments: [
        ([], false), ([0xFF], false), ([0xFF, 0xD8, 0xFF], true), ([0xFF, 0xD8, 0xFE], false),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], true), (Array("GIF89a".utf8), false),
        (Array("RIFF....WEBP".utf8), true), (Array("RIFF....WAVE".utf8), false), (Array("RIFF".utf8), false),
        (Array("<svg/>".utf8), false),
    ])
    func `a photo is known by its first bytes`(bytes: [UInt8], isPhoto: Bool) {
        #expect((Photo(bytes) != nil) == isPhoto)
    }

    @Test func `a photo has at most 12,288 bytes`() throws {
        #expect(try Self.photo(12_288).bytes.count == 12_288)
        #expect(Photo([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 12_286)) == nil)
    }

    @Test mutating func `a contact keeps its photo until it is replaced or removed`() throws {
        let (first, second) = (try Self.photo(10), try Self.photo(20))
        #expect(try world.ask(put(.replace(first))) == AccountDataResult(.done, changed: [.contacts]))
        #expect(try contact()?.photoHash == "10-0")
        #expect(try world.ask(.contactPhoto(identifier: "a")).reply == .photo(.inMemory(first.bytes)))
        #expect(try world.ask(put(.replace(first))).reply == .ignored)
        #expect(try world.ask(put(name: "Ann")).reply == .done)
        #expect(try contact()?.photoHash == "10-0")
        #expect(try world.ask(put(.replace(second), name: "Ann")).reply == .done)
        #expect(try world.ask(.contactPhoto(identifier: "a")).reply == .photo(.inMemory(second.bytes)))
        #expect(try world.ask(put(.remove, name: "Ann")) == AccountDataResult(.done, changed: [.contacts]))
        #expect(try contact()?.photoHash == nil)
        #expect(world.refusal(.contactPhoto(identifier: "a")) == .notFound)
        #expect(try world.ask(put(.remove, name: "Ann")).reply == .ignored)
    }

    @Test mutating func `a client cannot set the hash of a photo`() throws {
        try world.ask(.putContact(Contact(identifier: "a", name: "", photoHash: "made up")))
        #expect(try contact()?.photoHash == nil)
    }

    @Test mutating func `a photo goes with its contact, and an unknown contact has none`() throws {
        try world.ask(put(.replace(try Self.photo(10))))
        try world.ask(.removeContact(identifier: "a"))
        for identifier in ["a", "nobody", ""] {
            #expect(world.refusal(.contactPhoto(identifier: identifier)) == .notFound)
        }
        try world.ask(put())
        #expect(try contact()?.photoHash == nil)
        try world.ask(put(.replace(try Self.photo(10))))
        try world.ask(.erase)
        #expect(world.refusal(.contactPhoto(identifier: "a")) == .notFound)
        #expect(world.accountData.storedData("bob")?.photos ?? [:] == [:])
    }

    @Test mutating func `the photos of an account have a limit together, and one that is removed makes room`() throws {
        #expect(world.accountData.limits.maximumPhotoBytes == 8_388_608)
        world.accountData.limits.maximumPhotoBytes = 30
        try world.ask(put(.replace(try Self.photo(10)), of: "a"))
        try world.ask(put(.replace(try Self.photo(20)), of: "b"))
        #expect(world.refusal(put(.replace(try Self.photo(3)), of: "c")) == .tooMany)
        #expect(try contact("c") == nil)
        #expect(world.refusal(put(.replace(try Self.photo(11)), of: "a")) == .tooMany)
        #expect(try contact("a")?.photoHash == "10-0")
        #expect(try world.ask(put(.replace(try Self.photo(10, fill: 1)), of: "a")).reply == .done)
        #expect(try world.ask(put(of: "c")).reply == .done)
        try world.ask(put(.remove, of: "b"))
        #expect(try world.ask(put(.replace(try Self.photo(20)), of: "c")).reply == .done)
        #expect(world.refusal(put(.replace(try Self.photo(3)), of: "b")) == .tooMany)
    }

    @Test mutating func `a table beside a store has no photo in memory, and counts their sizes`() throws {
        var limits = AccountDataLimits()
        limits.maximumPhotoBytes = 30
        world.accountData = AccountDataTable(limits: limits, keepsPhotos: false)
        var stored = StoredAccountData(name: "bob")
        stored.contacts = [Contact(identifier: "a", name: "", photoHash: "10-0")]
        stored.photos = ["a": .inMemory(try Self.photo(10).bytes)]
        world.accountData.restore(stored)
        try world.ask(put(.replace(try Self.photo(20)), of: "b"))
        #expect(
            world.accountData.storedData("bob")?.photos == ["a": .inStore(byteCount: 10), "b": .inStore(byteCount: 20)]
        )
        #expect(try world.ask(.contactPhoto(identifier: "b")).reply == .photo(.inStore(byteCount: 20)))
        #expect(world.refusal(put(.replace(try Self.photo(3)), of: "c")) == .tooMany)
    }

    @Test mutating func `a contact has the ringtone that it was put with`() throws {
        try world.ask(.putContact(Contact(identifier: "a", name: "", ringtone: "marimba")))
        #expect(try contact()?.ringtone == "marimba")
        try world.ask(put())
        #expect(try contact()?.ringtone == nil)
    }
}
