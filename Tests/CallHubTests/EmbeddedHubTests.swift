import HubAccounts
import HubClient
import HubConfiguration
import HubCrypto
import HubServer
import HubStore
import HubTestSupport
import Testing

/// A hub with accounts in a Swift program, by the public libraries and without `callhub`.
struct EmbeddedHubTests {
    private func settings(_ folder: TemporaryFolder) throws -> ServeSettings {
        var settings = ServeSettings()
        settings.authMode = .accounts
        settings.passwordMegabytes = 8
        settings.passwordPasses = 1
        settings.hub.transport.host = "127.0.0.1"
        settings.hub.transport.port = 0
        settings.hub.log.write = { _ in }
        try settings.resolve(dataDirectory: folder.path)
        return settings
    }

    private func addAlice(_ settings: ServeSettings) throws {
        let cost = PasswordCost(megabytes: settings.passwordMegabytes, passes: settings.passwordPasses)
        let hash = try #require(PasswordHash(try Password("alice-secret"), cost: cost ?? .standard))
        let file = try StoreFile(try #require(settings.storagePath))
        try file.addAccount(NewAccount("alice", passwordHash: hash.text))
    }

    @Test func `a Swift program can embed a hub with accounts`() async throws {
        let folder = try TemporaryFolder()
        let settings = try settings(folder)
        try addAlice(settings)
        let hub = try await blocking { try ConfiguredHub.start(settings) }
        let url = "ws://127.0.0.1:\(hub.server.port)/v1"
        var options = ClientOptions()
        options.password = "alice-secret"
        let client = try await HubClient.connect(to: url, account: "alice", options: options)
        #expect(client.session?.account == "alice")
        await client.close()
        options.password = "wrong"
        await #expect(throws: HubClientError.self) {
            _ = try await HubClient.connect(to: url, account: "alice", options: options)
        }
        hub.server.stop()
        try await blocking { hub.waitUntilStopped() }
    }

    @Test func `an open hub refuses to listen on a public address by default`() throws {
        let folder = try TemporaryFolder()
        var settings = try settings(folder)
        settings.authMode = .open
        settings.hub.transport.host = "0.0.0.0"
        #expect(throws: SettingsError.self) { try ConfiguredHub.start(settings) }
    }
}
