import Foundation
import HubAccountData
import HubEngine
import HubTestSupport
import Testing

@testable import HubStore

/// An upgrade that is killed in the middle of any of its writes: the next start completes it, and nothing is lost.
struct MigrationKillTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The version that the upgrade begins with: before names were compared without case, which renames an account.
    private static let oldVersion = 3

    /// Writes a database of that version, with something in each table that a later step converts.
    private func makeOld(at path: String) throws {
        let migrator = Migrator(
            migrations: Array(Schema.migrator.migrations.prefix(Self.oldVersion)),
            applicationID: Schema.migrator.applicationID
        )
        let database = try Database(path: path)
        try migrator.migrate(database, at: path)
        try database.execute(
            """
            INSERT INTO accounts (key, name, created_at, password_hash, is_admin, first_seen_at, last_seen_at)
                VALUES ('Bob', 'Bob', 1, 'hash 1', 1, 1, 1), ('bob', 'bob', 1, 'hash 2', 0, 1, 1);
            INSERT INTO account_handles VALUES ('1:Bob', 1, 0, 1, 'Bob'), ('1:bob', 2, 0, 1, 'bob');
            INSERT INTO settings VALUES (1, 1, '[]', 'UTC', '["desk"]', 'Bobby');
            INSERT INTO block_rules (account, key, type, value) VALUES (1, '1:eve', 1, 'eve');
            INSERT INTO contacts VALUES (7, 1, 'a', 'a', 'Ann', 1, 0);
            INSERT INTO contact_handles VALUES (7, 0, 1, 'ann');
            INSERT INTO secrets VALUES ('key', x'0102');
            """
        )
        for number in 1...200 {
            try database.execute(
                """
                INSERT INTO recents (id, account, handle_type, handle, name, is_outgoing, outcome, is_silenced, devices,
                    started_at, ended_at, text_bytes)
                VALUES (randomblob(16), 1, 1, 'caller \(number)', 'Caller', 0, 'missed', 0, '[]', \(number), \(number), 20)
                """
            )
        }
    }

    private func isWhole(_ path: String) throws {
        let file = try StoreFile(path)
        #expect(try file.database.integer("PRAGMA user_version") == Int64(Schema.migrator.migrations.count))
        let accounts = try file.accounts()
        #expect(accounts.map(\.isAdmin) == [true, false])
        #expect(accounts.first?.name == "Bob" && accounts.last?.name == "bob-2", "\(accounts.map(\.name))")
        #expect(try file.password(of: "Bob")?.hash == "hash 1" && file.password(of: "bob-2")?.hash == "hash 2")
        let hub = try file.load()
        #expect(hub.warnings == [])
        #expect(hub.notices.count == 1)
        let data = try #require(hub.storedData.first { $0.name == "Bob" })
        #expect(data.settings.displayName == "Bobby" && data.settings.doNotDisturb)
        #expect(data.contacts.map(\.name) == ["Ann"])
        #expect(data.recents.count == 200)
        #expect(try file.secret("key") { [] } == [1, 2])
        #expect(try file.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
    }

    @Test func `an upgrade that is killed in each of its writes is completed by the next start, and loses nothing`()
        throws
    {
        let old = folder("old.db")
        try makeOld(at: old)
        var versions: Set<Int64> = []
        for number in 1... {
            let path = folder("\(number).db")
            try FileManager.default.copyItem(atPath: old, toPath: path)
            let output = try Victim("migrate", path, "\(number)").finished()
            if output.isEmpty { versions.insert(try Database(path: path).integer("PRAGMA user_version")) }
            try isWhole(path)
            for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
            guard output.isEmpty else {
                #expect(output == ["migrated 2"])
                // Each step was interrupted, the last one too.
                let all = Int64(Self.oldVersion)..<Int64(Schema.migrator.migrations.count)
                #expect(versions.isSuperset(of: all), "\(versions.sorted()) after \(number - 1) kills")
                return
            }
        }
    }
}
