import HubAccountData
import HubEngine
import HubTestSupport
import Testing

@testable import HubStore

/// The migration of a database to the version of its program, step by step, or its refusal.
struct MigrationTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let steps = [
        Migration(sql: "CREATE TABLE a (x); INSERT INTO a VALUES ('one')"),
        Migration(sql: "ALTER TABLE a ADD COLUMN y; UPDATE a SET y = 'two'"),
        Migration(sql: "CREATE TABLE b (z); INSERT INTO b SELECT y FROM a"),
    ]

    private static func migrator(_ count: Int) -> Migrator {
        Migrator(migrations: Array(steps[..<count]), applicationID: 77)
    }

    @Test(arguments: 0...3) func `a database of any version is migrated to the latest one, once`(version: Int) throws {
        let database = try Database(path: folder("a.db"))
        try Self.migrator(version).migrate(database, at: "a.db")
        for _ in 1...2 { try Self.migrator(3).migrate(database, at: "a.db") }
        #expect(try database.integer("PRAGMA user_version") == 3)
        #expect(try database.integer("PRAGMA application_id") == 77)
        #expect(try database.integer("SELECT count(*) FROM b WHERE z = 'two'") == 1)
    }

    @Test func `a failed migration step is rolled back, and can be repeated`() throws {
        let database = try Database(path: folder("a.db"))
        var steps = Self.steps
        steps[1] = Migration(sql: "ALTER TABLE a ADD COLUMN y; INSERT INTO missing VALUES (1)")
        let broken = Migrator(migrations: steps, applicationID: 77)
        #expect(throws: StoreError.self) { try broken.migrate(database, at: "a.db") }
        #expect(try database.integer("PRAGMA user_version") == 1)
        let isOver = !database.isInTransaction
        #expect(isOver)
        try Self.migrator(3).migrate(database, at: "a.db")
        #expect(try database.integer("SELECT count(*) FROM b WHERE z = 'two'") == 1)
    }

    @Test func `a newer version is refused and left unchanged`() throws {
        let database = try Database(path: folder("a.db"))
        try Self.migrator(3).migrate(database, at: "a.db")
        let failure = #expect(throws: StoreError.self) { try Self.migrator(2).migrate(database, at: "a.db") }
        #expect(
            failure?.message
                == "a.db is of version 3, from a newer CallHub; this one supports versions up to 2: run the newer "
                + "one, or restore a backup from before it"
        )
        #expect(try database.integer("SELECT count(*) FROM b") == 1)
    }

    @Test func `another program's database is refused and left unchanged`() throws {
        let database = try Database(path: folder("a.db"))
        try database.execute("CREATE TABLE theirs (x)")
        let failure = #expect(throws: StoreError.self) { try Self.migrator(3).migrate(database, at: "a.db") }
        #expect(
            failure?.message
                == "a.db is another program's database; name another file, which is created if it is missing"
        )
        #expect(try database.integer("SELECT count(*) FROM sqlite_schema") == 1)
    }

    @Test(arguments: 1...20) func `concurrent migrations wait for each other`(round: Int) throws {
        let path = folder("a.db")
        try Database(path: path).execute("PRAGMA journal_mode = WAL")
        let failures = ReportedValues<String>()
        try concurrently(8) {
            do {
                try Self.migrator(3).migrate(Database(path: path), at: path)
            } catch {
                failures.add("\(error)")
            }
        }
        #expect(failures.all == [])
        #expect(try Database(path: path).integer("SELECT count(*) FROM b") == 1)
    }

    @Test(arguments: 1...20) func `several programs may create the file at the same time`(round: Int) throws {
        let path = folder("hub.db")
        let failures = ReportedValues<String>()
        try concurrently(6) {
            do {
                try StoreFile(path).recordSignIn("bob")
            } catch {
                failures.add("\(error)")
            }
        }
        #expect(failures.all == [])
        #expect(try StoreFile(path).accounts().count == 1)
    }

    @Test func `a call from before links had identifiers becomes its own entry, for one call`() throws {
        let path = folder("hub.db")
        let before = Migrator(
            migrations: Array(Schema.migrator.migrations.prefix(3)),
            applicationID: Schema.migrator.applicationID
        )
        let database = try Database(path: path)
        try before.migrate(database, at: path)
        try database.execute(
            """
            INSERT INTO accounts (key, name, first_seen_at, last_seen_at) VALUES ('bob', 'bob', 0, 0);
            INSERT INTO recents (
                id, account, handle_type, handle, name, is_outgoing, outcome, is_silenced, devices, started_at, ended_at,
                text_bytes
            ) VALUES (x'00000000000000000000000000000001', 1, 1, 'guest-1', 'Visitor', 0, 'missed', 0, '[]', 1, 2, 14)
            """
        )
        let file = try StoreFile(path)
        let entries = try #require(file.load().storedData.first).recents
        #expect(entries.map(\.count) == [1])
        #expect(entries.map(\.call.invitation) == [nil])
        for id in 2...4 as ClosedRange<UInt64> {
            var call = call("guest-\(id)", id: id)
            (call.outcome, call.isOutgoing, call.invitation) = (.missed, false, InvitationID("link-1"))
            try file.addRecent(call, of: "bob")
        }
        #expect(try #require(file.load().storedData.first).recents.map(\.count) == [1, 3])
        #expect(try file.export("bob").recents.map(\.link) == [nil, "link-1"])
    }

    @Test func `settings from before isNamedInGroups name the account in groups (CH-01)`() throws {
        let path = folder("hub.db")
        let before = Migrator(
            migrations: Array(Schema.migrator.migrations.prefix(5)),
            applicationID: Schema.migrator.applicationID
        )
        let database = try Database(path: path)
        try before.migrate(database, at: path)
        try database.execute(
            """
            INSERT INTO accounts (key, name, first_seen_at, last_seen_at) VALUES ('bob', 'bob', 0, 0);
            INSERT INTO settings VALUES (1, 1, '[]', 'UTC', '["desk"]', 'Bob')
            """
        )
        let file = try StoreFile(path)
        var settings = try #require(file.load().storedData.first).settings
        #expect(settings.doNotDisturb && settings.isNamedInGroups && settings.displayName == "Bob")
        settings.isNamedInGroups = false
        try file.write([.settings(settings)], of: "bob")
        #expect(try StoreFile(path).load().storedData.first?.settings == settings)
    }

    @Test func `accounts and settings from before the directory of the house are listed by default, without names`()
        throws
    {
        let path = folder("hub.db")
        let before = Migrator(
            migrations: Array(Schema.migrator.migrations.prefix(7)),
            applicationID: Schema.migrator.applicationID
        )
        let database = try Database(path: path)
        try before.migrate(database, at: path)
        try database.execute(
            """
            INSERT INTO accounts (key, name, created_at, first_seen_at, last_seen_at) VALUES ('bob', 'bob', 1, 1, 1);
            INSERT INTO settings VALUES (1, 1, '[]', 'UTC', '[]', 'Bobby', 1);
            """
        )
        let file = try StoreFile(path)
        #expect(try file.accounts().map(\.profile) == [PersonProfile()])
        var settings = try #require(file.load().storedData.first).settings
        #expect(settings.displayName == "Bobby" && settings.doNotDisturb && settings.isListed == nil)
        for isListed in [true, false] {
            settings.isListed = isListed
            try file.write([.settings(settings)], of: "bob")
            #expect(try file.load().storedData.first?.settings == settings)
        }
        #expect(try file.export("bob").settings.isListed == false)
    }

    @Test func `settings from before acceptsTransferredStrangers accept them (CH-08)`() throws {
        let path = folder("hub.db")
        let before = Migrator(
            migrations: Array(Schema.migrator.migrations.prefix(15)),
            applicationID: Schema.migrator.applicationID
        )
        let database = try Database(path: path)
        try before.migrate(database, at: path)
        try database.execute(
            """
            INSERT INTO accounts (key, name, created_at, first_seen_at, last_seen_at) VALUES ('bob', 'bob', 1, 1, 1);
            INSERT INTO settings VALUES (1, 1, '[]', 'UTC', '[]', 'Bobby', 1, 0);
            """
        )
        let file = try StoreFile(path)
        var settings = try #require(file.load().storedData.first).settings
        #expect(settings.doNotDisturb && settings.isListed == false && settings.acceptsTransferredStrangers)
        settings.acceptsTransferredStrangers = false
        try file.write([.settings(settings)], of: "bob")
        #expect(try StoreFile(path).load().storedData.first?.settings == settings)
    }

    @Test func `settings from before holdAudio leave it to the hub, and there is no music (CH-09)`() throws {
        let path = folder("hub.db")
        let before = Migrator(
            migrations: Array(Schema.migrator.migrations.prefix(16)),
            applicationID: Schema.migrator.applicationID
        )
        let database = try Database(path: path)
        try before.migrate(database, at: path)
        try database.execute(
            """
            INSERT INTO accounts (key, name, created_at, first_seen_at, last_seen_at) VALUES ('bob', 'bob', 1, 1, 1);
            INSERT INTO settings VALUES (1, 1, '[]', 'UTC', '[]', 'Bobby', 1, 0, 0);
            """
        )
        let file = try StoreFile(path)
        var settings = try #require(file.load().storedData.first).settings
        #expect(!settings.acceptsTransferredStrangers && settings.holdAudio == .hub)
        #expect(try file.holdMusic(of: "bob") == [] && file.holdMusic(of: nil) == [])
        for choice in HoldAudioChoice.allCases {
            settings.holdAudio = choice
            try file.write([.settings(settings)], of: "bob")
            #expect(try StoreFile(path).load().storedData.first?.settings == settings)
        }
    }

    @Test func `contacts from before photos and ringtones have neither, and may get both`() throws {
        let path = folder("hub.db")
        let before = Migrator(
            migrations: Array(Schema.migrator.migrations.prefix(8)),
            applicationID: Schema.migrator.applicationID
        )
        let database = try Database(path: path)
        try before.migrate(database, at: path)
        try database.execute(
            """
            INSERT INTO accounts (key, name, first_seen_at, last_seen_at) VALUES ('bob', 'bob', 0, 0);
            INSERT INTO contacts VALUES (7, 1, 'a', 'a', 'Ann', 1, 0);
            INSERT INTO contact_handles VALUES (7, 0, 1, 'ann');
            """
        )
        let file = try StoreFile(path)
        var contact = Contact(identifier: "a", name: "Ann", handles: [.generic("ann")], isFavorite: true)
        #expect(try file.load().storedData.first?.contacts == [contact])
        (contact.ringtone, contact.photoHash) = ("bell", "00ff")
        let photo = try #require(Photo([0xFF, 0xD8, 0xFF]))
        try file.write([.contact(contact, photo: .replace(photo))], of: "bob")
        let stored = try #require(try StoreFile(path).load().storedData.first)
        #expect(stored.contacts == [contact] && stored.photos == ["a": .inStore(byteCount: 3)])
        #expect(try file.photo(of: "a", in: "BOB") == photo.bytes)
        #expect(try file.photo(of: "b", in: "bob") == nil)
        #expect(try file.photo(of: "a", in: "alice") == nil)
        try file.write([.contactRemoved(identifier: "a")], of: "bob")
        #expect(try file.photo(of: "a", in: "bob") == nil)
    }

    @Test func `the hub's database has its version and application id`() throws {
        let file = try StoreFile(folder("hub.db"))
        #expect(try file.database.integer("PRAGMA user_version") == Int64(Schema.migrator.migrations.count))
        #expect(try file.database.integer("PRAGMA application_id") == 0x4361_6C6C)
        #expect(try file.database.integer("PRAGMA foreign_keys") == 1)
        #expect(try file.first("PRAGMA journal_mode") { $0.text(0) } == "wal")
    }
}
