import HubAccountData
import HubAccounts
import HubClient
import HubConfiguration
import HubServer
import HubStore
import HubTestSupport
import HubWire
import Testing

/// The photos of contacts in a hub with a database.
struct ContactPhotoTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func withHub(_ body: (HubClient) async throws -> Void) async throws {
        var settings = ServeSettings()
        settings.hub.transport.host = "127.0.0.1"
        settings.hub.transport.port = 0
        settings.hub.log.write = { _ in }
        try settings.resolve(dataDirectory: folder.path)
        let hub = try await blocking { [settings] in try ConfiguredHub.start(settings) }
        let client = try await HubClient.connect(to: "ws://127.0.0.1:\(hub.server.port)/v1", account: "bob")
        try await body(client)
        await client.close()
        hub.server.stop()
        try await blocking { hub.waitUntilStopped() }
    }

    private func contacts(_ client: HubClient) async throws -> [Contact] {
        guard case .contacts(let all) = try await client.send(.accountData(.listContacts)) else { return [] }
        return all
    }

    @Test func `photos survive a restart, and belong to the account's export`() async throws {
        let largest = [0xFF, 0xD8, 0xFF] + (0..<12_285).map { UInt8(truncatingIfNeeded: $0) }
        let photo = try #require(Photo(largest))
        let contact = Contact(identifier: "é", name: "Ann", ringtone: "trill")
        var hash: String?
        try await withHub { client async throws in
            _ = try await client.send(.accountData(.putContact(contact, photo: .replace(photo))))
            #expect(try await client.send(.accountData(.contactPhoto(identifier: "é"))) == .photo(largest))
            hash = try await contacts(client).first?.photoHash
            #expect(hash?.count == 32)
        }
        try await withHub { client async throws in
            #expect(try await contacts(client).map(\.photoHash) == [hash])
            #expect(try await client.send(.accountData(.contactPhoto(identifier: "é"))) == .photo(largest))
            await #expect(throws: HubClientError.self) {
                try await client.send(.accountData(.contactPhoto(identifier: "nobody")))
            }
        }
        let file = try StoreFile(folder.path + "/callhub.db")
        #expect(try file.export("bob").contacts.first?.photo == Base64.text(of: largest))
        #expect(try file.export("bob").contacts.first?.ringtone == "trill")
        try await withHub { client async throws in
            _ = try await client.send(.accountData(.erase))
            await #expect(throws: HubClientError.self) {
                try await client.send(.accountData(.contactPhoto(identifier: "é")))
            }
        }
        #expect(try file.photo(of: "é", in: "bob") == nil)
    }
}
