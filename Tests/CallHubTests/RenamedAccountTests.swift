import HubAccounts
import HubClient
import HubConfiguration
import HubCrypto
import HubServer
import HubTestSupport
import Synchronization
import Testing

@testable import HubStore

/// A hub whose database is of the version that compared names by case.
struct RenamedAccountTests {
    private final class LogLines: Sendable {
        private let lines = Mutex<[String]>([])

        func add(_ line: String) { lines.withLock { $0.append(line) } }

        /// The lines about changed accounts.
        var changes: [String] { lines.withLock { $0.filter { $0.contains("account changed") } } }
    }

    private func settings(_ folder: TemporaryFolder, _ log: LogLines) throws -> ServeSettings {
        var settings = ServeSettings()
        settings.authMode = .accounts
        settings.passwordMegabytes = 8
        settings.passwordPasses = 1
        settings.hub.transport.host = "127.0.0.1"
        settings.hub.transport.port = 0
        settings.hub.log.write = { log.add("\($0)") }
        try settings.resolve(dataDirectory: folder.path)
        return settings
    }

    /// Makes the old database with the accounts `alice`, `Alice` and `bob`, whose passwords are `NAME-secret`.
    private func makeOldDatabase(_ settings: ServeSettings) throws {
        let path = try #require(settings.storagePath)
        let cost = PasswordCost(megabytes: settings.passwordMegabytes, passes: settings.passwordPasses)
        let migrator = Migrator(
            migrations: Array(Schema.migrator.migrations.prefix(5)),
            applicationID: Schema.migrator.applicationID
        )
        let database = try Database(path: path)
        try migrator.migrate(database, at: path)
        for name in ["alice", "Alice", "bob"] {
            let hash = try #require(PasswordHash(try Password("\(name)-secret"), cost: cost ?? .standard))
            try database.rows(
                """
                INSERT INTO accounts (key, name, created_at, password_hash, first_seen_at, last_seen_at)
                VALUES (?, ?, 1, ?, 1, 1)
                """,
                [.text(name), .text(name), .text(hash.text)]
            )
            try database.rows(
                "INSERT INTO account_handles (key, account, position, type, value) VALUES (?, ?, 0, 1, ?)",
                [.text("1:" + name), .integer(database.lastInsertedRow), .text(name)]
            )
        }
    }

    @Test func `a hub logs each renamed account once, which signs in by its new name in any case`() async throws {
        let folder = try TemporaryFolder()
        let log = LogLines()
        let settings = try settings(folder, log)
        try makeOldDatabase(settings)
        let hub = try await blocking { try ConfiguredHub.start(settings) }
        #expect(log.changes.count == 1)
        #expect(
            log.changes.first?.contains("\"Alice\" is \"Alice-2\" now") == true
                || log.changes.first?.contains(#"\"Alice\" is \"Alice-2\" now"#) == true,
            "\(log.changes)"
        )
        let url = "ws://127.0.0.1:\(hub.server.port)/v1"
        for (typed, password, account) in [
            ("Alice-2", "Alice-secret", "Alice-2"), ("ALICE-2", "Alice-secret", "Alice-2"),
            ("ALICE", "alice-secret", "alice"), ("Bob", "bob-secret", "bob"),
        ] {
            var options = ClientOptions()
            options.password = password
            let client = try await HubClient.connect(to: url, account: typed, options: options)
            #expect(client.session?.account == account)
            #expect(client.session?.handles == [.generic(account)])
            await client.close()
        }
        hub.server.stop()
        try await blocking { hub.waitUntilStopped() }
        let next = try await blocking { try ConfiguredHub.start(settings) }
        #expect(log.changes.count == 1, "said once")
        next.server.stop()
        try await blocking { next.waitUntilStopped() }
    }
}
