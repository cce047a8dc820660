import HubAccountData
import HubEngine
import HubTestSupport
import Testing

@testable import HubStore

/// The migration of a database in which `Alice` and `alice` were two accounts.
struct NameFoldingTests {
    private let folder: TemporaryFolder
    private var path: String { folder("hub.db") }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Makes a database of the version before, with accounts in the order of their creation.
    private func makeOldDatabase(_ accounts: [OldAccount], _ more: String = "") throws {
        let migrator = Migrator(
            migrations: Array(Schema.migrator.migrations.prefix(5)),
            applicationID: Schema.migrator.applicationID
        )
        let database = try Database(path: path)
        try migrator.migrate(database, at: path)
        for (index, account) in accounts.enumerated() {
            try account.insert(id: index + 1, into: database)
        }
        try database.execute(more)
    }

    private func mail(_ address: String) -> Handle { Handle(type: .emailAddress, value: address) }

    /// The names of the accounts with the texts of their handles, the oldest first.
    private func accounts(_ file: StoreFile) throws -> [String] {
        try file.accounts().map { "\($0.name): \($0.handles.map(\.value).joined(separator: ", "))" }
    }

    @Test func `accounts with different names keep them, and are found in any case`() throws {
        try makeOldDatabase([OldAccount("Bob", [.generic("Bob"), mail("Bob@X.org")]), OldAccount("carol")])
        let file = try StoreFile(path)
        #expect(try accounts(file) == ["Bob: Bob, Bob@X.org", "carol: carol"])
        #expect(try file.password(of: "BOB")?.hash == "hash of Bob")
        #expect(try file.load().notices == [])
        #expect(throws: StoreError.self) { try file.addAccount(NewAccount("x", handles: [mail("bob@x.ORG")])) }
    }

    @Test func `the younger of two accounts is renamed, with its handle, and keeps its password and data`() throws {
        try makeOldDatabase(
            [OldAccount("alice"), OldAccount("Alice"), OldAccount("bob")],
            """
            INSERT INTO settings VALUES (2, 1, '[]', '', '[]', 'Alice Two');
            INSERT INTO push_subscriptions VALUES ('https://push', 2, 'd', x'01', x'02', 1, NULL);
            """
        )
        let file = try StoreFile(path)
        #expect(try accounts(file) == ["alice: alice", "Alice-2: Alice-2", "bob: bob"])
        #expect(try file.password(of: "ALICE")?.hash == "hash of alice")
        #expect(try file.password(of: "alice-2")?.hash == "hash of Alice")
        #expect(try file.storedData("Alice-2")?.settings.displayName == "Alice Two")
        #expect(try file.subscriptions(of: "ALICE-2").map(\.subscription.endpoint) == ["https://push"])
        #expect(
            try file.load().notices == [
                #"the account "Alice" is "Alice-2" now, as names are compared without case and "alice" keeps that "#
                    + #"name; its handle "Alice" is "Alice-2" now, as "alice" keeps it"#
            ]
        )
        try file.removeNotices()
        #expect(try StoreFile(path).load().notices == [], "said once")
        #expect(try accounts(StoreFile(path)) == ["alice: alice", "Alice-2: Alice-2", "bob: bob"])
    }

    @Test func `three younger accounts get free names`() throws {
        try makeOldDatabase([
            OldAccount("ALICE"), OldAccount("alice"), OldAccount("alice-2"), OldAccount("Alice"),
            OldAccount("bob", [.generic("Alice-4")]), OldAccount("aLICE"),
        ])
        let file = try StoreFile(path)
        #expect(
            try accounts(file) == [
                "ALICE: ALICE", "alice-3: alice-3", "alice-2: alice-2", "Alice-5: Alice-5", "bob: Alice-4",
                "aLICE-6: aLICE-6",
            ]
        )
        #expect(try file.load().notices.count == 3)
        for name in ["alice", "Alice", "aLICE"] {
            let owners = try file.accounts().filter { try file.password(of: $0.name)?.hash == "hash of \(name)" }
            #expect(owners.count == 1 && owners.allSatisfy { $0.name.lowercased().hasPrefix("alice-") })
        }
    }

    @Test func `what others have stored about the younger account follows it to its new handle`() throws {
        try makeOldDatabase(
            [OldAccount("alice"), OldAccount("Alice"), OldAccount("bob")],
            """
            INSERT INTO block_rules (account, key, type, value) VALUES
                (3, '1:Alice', 1, 'Alice'), (3, '1:Mallory', 1, 'Mallory'), (3, '1:mallory', 1, 'mallory'),
                (3, 'prefix:49', NULL, '49'), (3, '2:4930', 2, '+4930');
            INSERT INTO contacts (id, account, key, identifier, name, is_favorite, breaks_through) VALUES
                (1, 3, 'A', 'A', 'The younger', 0, 0), (2, 3, 'a', 'a', 'The older', 0, 0);
            INSERT INTO contact_handles VALUES (1, 0, 1, 'Alice'), (2, 0, 1, 'alice');
            INSERT INTO recents (
                id, account, handle_type, handle, name, is_outgoing, outcome, is_silenced, devices, started_at, ended_at,
                text_bytes
            ) VALUES (x'00000000000000000000000000000001', 3, 1, 'Alice', 'A', 0, 'missed', 0, '[]', 1, 2, 6),
                (x'00000000000000000000000000000002', 3, 1, 'alice', 'a', 0, 'missed', 0, '[]', 1, 2, 6);
            """
        )
        let file = try StoreFile(path)
        let bob = try #require(try file.storedData("bob"))
        #expect(
            bob.blocked == [
                .handle(.generic("Alice-2")), .handle(.generic("Mallory")), .prefix("49"),
                .handle(Handle(type: .phoneNumber, value: "+4930")),
            ]
        )
        #expect(bob.contacts.map(\.name) == ["The younger", "The older"])
        #expect(bob.contacts.flatMap(\.handles).map(\.value) == ["Alice-2", "alice"])
        #expect(bob.recents.map(\.call.handle.value) == ["Alice-2", "alice"])
        #expect(try file.first("SELECT sum(text_bytes) FROM recents") { $0.integer(0) } == 14)
        try file.write([.unblocked(.handle(.generic("MALLORY")))], of: "bob")
        #expect(try file.storedData("bob")?.blocked.count == 3)
    }

    @Test func `a handle of two accounts stays the older one's, and an e-mail address is not made up`() throws {
        try makeOldDatabase([
            OldAccount("carol", [.generic("sales"), mail("Sales@Example.org")]),
            OldAccount("dave", [.generic("Sales"), .generic("SALES"), .generic("dave")]),
            OldAccount("erin", [mail("sales@example.org")]),
            OldAccount("frank", [mail("SALES@example.org"), .generic("frankie")]),
            OldAccount("Grace", [.generic("Grace"), .generic("GRACE")]),
        ])
        let file = try StoreFile(path)
        #expect(
            try accounts(file) == [
                "carol: sales, Sales@Example.org", "dave: Sales-2, SALES-3, dave", "erin: erin", "frank: frankie",
                "Grace: Grace",
            ]
        )
        let notices = try file.load().notices
        #expect(notices.count == 3)
        #expect(
            notices.last == #"the account "frank" is called otherwise now, as handles are compared without case; "#
                + #"its handle "SALES@example.org" is "frankie" now, as "carol" keeps it"#
        )
    }

    @Test func `an account that has a built-in party's name gets another one`() throws {
        try makeOldDatabase([OldAccount("Echo"), OldAccount("bob", [.generic("Tone")])])
        #expect(try accounts(StoreFile(path)) == ["Echo-2: Echo-2", "bob: Tone-2"])
    }

    @Test func `a name that is as long as may be is shortened`() throws {
        let name = String(repeating: "é", count: 64)
        try makeOldDatabase([OldAccount(name), OldAccount(name.uppercased())])
        #expect(try StoreFile(path).accounts().map(\.name) == [name, String(repeating: "É", count: 63) + "-2"])
    }

    @Test func `a removed account's data takes no name away from an account`() throws {
        try makeOldDatabase([OldAccount("alice", []), OldAccount("Alice")])
        let database = try Database(path: path)
        try database.execute("UPDATE accounts SET created_at = NULL WHERE id = 1")
        let file = try StoreFile(path)
        #expect(try accounts(file) == ["alice-2: ", "Alice: Alice"])
    }

    @Test func `an invitation to a handle that is another account's now is revoked`() throws {
        try makeOldDatabase(
            [OldAccount("alice"), OldAccount("Alice")],
            """
            INSERT INTO links VALUES ('one', 1, 'alice', NULL, 1, 9000000000000000000, NULL),
                ('two', 1, 'Alice', NULL, 1, 9000000000000000000, NULL), ('three', 1, 'Alice', NULL, 1, 2, NULL);
            """
        )
        let hub = try StoreFile(path).load()
        #expect(hub.revokedInvitations == Set(["two", "three"].compactMap { InvitationID($0) }))
        #expect(hub.notices.first?.hasSuffix("; the guest links to it (1) are revoked") == true)
    }

    @Test func `a call that a killed hub has left in its journal is stored for the renamed account`() throws {
        try makeOldDatabase(
            [OldAccount("alice"), OldAccount("Alice")],
            "INSERT INTO erasures VALUES ('ALICE'); INSERT INTO journal VALUES (1, 1, 0)"
        )
        let calls = [("Alice", "to the younger"), ("alice", "to the older"), ("ALICE", "to an erased one")]
        try leaveJournal(calls.map { ($0, call($1)) })
        var settings = StoreSettings(path)
        settings.warn = { Issue.record("\($0)") }
        let store = try Store(settings)
        #expect(try store.recents("Alice-2") == ["to the younger"])
        #expect(try store.recents("alice") == ["to the older"])
        store.close()
        let file = try StoreFile(path)
        #expect(try file.first("SELECT count(*) FROM former_names") { $0.integer(0) } == 0)
        #expect(try !file.isBeingErased("alice"))
    }

    /// Writes a journal as a killed hub leaves it, and its number to the database.
    private func leaveJournal(_ entries: [(account: String, call: RecentCall)]) throws {
        let journal = try RecentsJournal(replacing: path + ".recents", capacity: 4_096)
        for entry in entries { _ = journal.append(JournalEntry(entry.call, of: entry.account)) }
        try Database(path: path).execute("UPDATE journal SET id = \(journal.id)")
    }

    @Test func `a command leaves a database alone that a hub of the older version uses`() throws {
        try makeOldDatabase([OldAccount("alice"), OldAccount("Alice")])
        let lock = try HubLock(path)
        let failure = #expect(throws: StoreError.self) { try StoreFile(path) }
        #expect(
            failure?.message == "\(path) is used by a hub of an older version, or by one that is just starting; "
                + "restart that hub with this version, then try again"
        )
        #expect(try Database(path: path).integer("PRAGMA user_version") == 5)
        withExtendedLifetime(lock) {}
    }

    @Test func `a restored backup of the version before is migrated as well`() throws {
        try makeOldDatabase([OldAccount("alice"), OldAccount("Alice")])
        let copy = folder("copy.db")
        try Database(path: path).execute("VACUUM INTO '\(copy)'")
        #expect(try accounts(StoreFile(copy)) == ["alice: alice", "Alice-2: Alice-2"])
        let target = folder("backup.db")
        try StoreFile(copy).backup(to: target)
        #expect(try StoreFile(target).load().notices.count == 1)
    }
}

/// An account as the version before has stored it.
private struct OldAccount {
    let name: String
    let handles: [Handle]

    init(_ name: String, _ handles: [Handle]? = nil) {
        self.name = name
        self.handles = handles ?? [.generic(name)]
    }

    func insert(id: Int, into database: borrowing Database) throws {
        try database.rows(
            """
            INSERT INTO accounts (id, key, name, created_at, password_hash, first_seen_at, last_seen_at)
            VALUES (?, ?, ?, 1, ?, 1, 1)
            """,
            [.integer(Int64(id)), .text(name.key), .text(name), .text("hash of \(name)")]
        )
        for (position, handle) in handles.enumerated() {
            try database.rows(
                "INSERT INTO account_handles (key, account, position, type, value) VALUES (?, ?, ?, ?, ?)",
                [
                    .text("\(handle.type.rawValue):\(handle.value.key)"), .integer(Int64(id)),
                    .integer(Int64(position)), .integer(Int64(handle.type.rawValue)), .text(handle.value),
                ]
            )
        }
    }
}
