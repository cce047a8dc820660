import Foundation
import HubCrypto
import HubEngine
import HubTestSupport
import HubWire
import Testing

@testable import HubStore

/// The audit log: a chain of entries that shows whether one was changed.
struct AuditStoreTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let day = Duration.seconds(86_400)
    private static let start = Instant(nanoseconds: 1_000 * 86_400_000_000_000)
    private static let root = AuditActor(.session, account: "root", device: "Chrome, Linux", address: "127.0.0.1")

    private func file(at now: Instant = start) throws -> StoreFile { try StoreFile(folder("hub.db"), clock: { now }) }

    /// Stores so many entries, one a day.
    private func fill(_ count: Int) throws {
        for number in 1...count {
            let now = Self.start + Self.day * (number - 1)
            try file(at: now).record(AuditAct("account.disable", on: "bob \(number)", "detail"), by: Self.root)
        }
    }

    private func change(_ sql: String) throws { try Database(path: folder("hub.db")).execute(sql) }

    @Test func `each entry has the hash of the one before, and their hashes are those of the documented bytes`() throws
    {
        try fill(3)
        let entries = try file().auditEntries()
        #expect(entries.map(\.number) == [3, 2, 1])
        #expect(entries.map(\.act.target) == ["bob 3", "bob 2", "bob 1"])
        #expect(entries.last?.previous == [UInt8](repeating: 0, count: 32))
        #expect(entries[0].previous == entries[1].hash && entries[1].previous == entries[2].hash)
        let first = try #require(entries.last)
        let zeros = String(repeating: "0", count: 64)
        let bytes =
            "64:\(zeros),1:1,24:\(RFC3339.text(of: Self.start)),7:session,4:root,13:Chrome, Linux,9:127.0.0.1,-"
            + "15:account.disable,5:bob 1,6:detail,4:done,-"
        #expect(String(decoding: first.hashedBytes, as: UTF8.self) == bytes)
        #expect(first.hash == SHA256.digest(Array(bytes.utf8)))
        let verification = try file().verifyAudit()
        #expect(verification == AuditVerification(count: 3, head: AuditHead(number: 3, hash: entries[0].hash)))
    }

    @Test(
        arguments: [
            ("UPDATE audit SET target = 'ann' WHERE number = 3", 3, "entry 3 was changed"),
            ("UPDATE audit SET detail = NULL WHERE number = 1", 1, "entry 1 was changed"),
            ("UPDATE audit SET at = at + 1000000 WHERE number = 5", 5, "entry 5 was changed"),
            ("UPDATE audit SET result = 'refused' WHERE number = 5", 5, "entry 5 was changed"),
            ("UPDATE audit SET result = 'nothing' WHERE number = 2", 2, "entry 2 was changed"),
            ("UPDATE audit SET account = 'ann', user = 'root' WHERE number = 4", 4, "entry 4 was changed"),
            ("DELETE FROM audit WHERE number = 3", 3, "entry 3 is missing; the next one is 4"),
            ("DELETE FROM audit WHERE number = 1", 1, "entry 1 is missing; the next one is 2"),
            (
                "DELETE FROM audit WHERE number = 3; UPDATE audit SET number = number - 1 WHERE number > 3", 3,
                "entry 3 does not follow the one before it, which was changed, replaced or moved"
            ),
            (
                """
                UPDATE audit SET number = 100 WHERE number = 2; UPDATE audit SET number = 2 WHERE number = 3;
                UPDATE audit SET number = 3 WHERE number = 100
                """, 2, "entry 2 does not follow the one before it, which was changed, replaced or moved"
            ),
            (
                "UPDATE audit SET hash = x'\(String(repeating: "00", count: 32))' WHERE number = 3", 3,
                "entry 3 was changed"
            ),
            ("DELETE FROM audit WHERE number = 5", 5, "the last entries, up to 5, are missing"),
            ("DELETE FROM audit", 1, "the last entries, up to 5, are missing"),
            (
                "DELETE FROM audit WHERE number <= 2; INSERT INTO audit_start SELECT 1, 2, previous FROM audit WHERE number = 3",
                2, "the entries up to 2 were removed, and no entry says so"
            ),
        ] as [(String, Int64, String)]
    )
    func `a change, a removal or another order is found`(sql: String, number: Int64, sentence: String) throws {
        try fill(5)
        try change(sql)
        let verification = try file().verifyAudit()
        #expect(verification.faultAt == number)
        #expect(verification.fault == sentence)
        // What is stored later does not hide it.
        try file().record(AuditAct("later"), by: AuditActor(.server))
        #expect(try file().verifyAudit().fault != nil)
    }

    @Test func `an entry whose hash was computed anew breaks the next one`() throws {
        try fill(3)
        var entry = try #require(try file().auditEntries().first { $0.number == 2 })
        entry.act.target = "ann"
        let hash = SHA256.digest(entry.hashedBytes).hexadecimal
        try change("UPDATE audit SET target = 'ann', hash = x'\(hash)' WHERE number = 2")
        #expect(try file().verifyAudit().faultAt == 3)
    }

    @Test func `who rewrites all of the end is found by the head that was noted elsewhere alone`() throws {
        try fill(3)
        let noted = try #require(try file().auditHead())
        try change("DELETE FROM audit WHERE number = 3; UPDATE sqlite_sequence SET seq = 2 WHERE name = 'audit'")
        try file().record(AuditAct("account.enable", on: "mallory"), by: Self.root)
        let verification = try file().verifyAudit()
        #expect(verification.fault == nil)
        #expect(verification.head?.number == noted.number && verification.head != noted)
    }

    @Test func `old entries are removed, and the rest is verified with the entry that says so`() throws {
        try fill(10)
        let later = Self.start + Self.day * 400
        #expect(try file(at: later).pruneAudit(before: Self.start + Self.day * 4) == 4)
        #expect(try file().auditEntries().map(\.number) == [11, 10, 9, 8, 7, 6, 5])
        #expect(try file().auditEntries().first?.act.name == "audit.prune")
        #expect(try file().verifyAudit().fault == nil)
        #expect(try file(at: later).pruneAudit(before: Self.start + Self.day * 4) == 0)
        // All of them, but for the new entry of the removal.
        #expect(try file(at: later).pruneAudit(before: later + .seconds(-1)) == 6)
        #expect(try file().verifyAudit() == AuditVerification(count: 2, head: file().auditHead()))
        #expect(try file().auditEntries().map(\.number) == [12, 11])
        try change("DELETE FROM audit WHERE number = 12")
        #expect(try file().verifyAudit().fault != nil)
    }

    @Test func `an act and its entry are stored together, or neither is`() throws {
        let file = try file()
        let act = AuditAct("account.add", on: "bob")
        try file.audited(act, by: Self.root) { () throws(StoreError) in try file.addAccount(NewAccount("bob")) }.get()
        let again = try file.audited(act, by: Self.root) { () throws(StoreError) in
            try file.addAccount(NewAccount("bob"))
        }
        #expect(throws: StoreError.self) { try again.get() }
        #expect(try file.auditEntries().map(\.result) == [.refused, .done])
        #expect(try file.auditEntries().first?.reason?.contains("already") == true)
        // A trigger stands for a disk that fails.
        try change("CREATE TRIGGER t BEFORE INSERT ON audit BEGIN SELECT raise(ABORT, 'disk'); END")
        #expect(throws: StoreError.self) {
            try file.audited(AuditAct("account.disable", on: "bob"), by: Self.root) { () throws(StoreError) in
                try file.setDisabled(true, "bob")
            }
        }
        #expect(try file.accounts().map(\.isDisabled) == [false])
        #expect(try file.auditEntries().count == 2)
    }

    @Test func `several programs append to one chain`() async throws {
        let path = folder("hub.db")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 1...4 {
                group.addTask {
                    for number in 1...25 {
                        let act = AuditAct("test", on: "\(writer)", "\(number)")
                        try StoreFile(path).record(act, by: AuditActor(.commandLine, user: "root"))
                    }
                }
            }
            try await group.waitForAll()
        }
        let verification = try file().verifyAudit()
        #expect(verification.count == 100 && verification.fault == nil)
    }

    @Test func `texts are cut, and no text of a client breaks the chain`() throws {
        let long = String(repeating: "é", count: 10_000)
        let file = try file()
        try file.record(AuditAct("a", on: long, "x\u{0}y,3:z"), by: AuditActor(.session, account: "", device: "-"))
        try file.record(AuditAct("b"), by: AuditActor(.server))
        let entry = try #require(try file.auditEntries().last)
        #expect(entry.act.target?.count == 256)
        #expect(entry.act.detail == "x\u{FFFD}y,3:z")
        #expect(try self.file().verifyAudit().fault == nil)
    }

    @Test func `the last administrator is neither disabled nor removed, nor loses the right`() throws {
        let file = try file()
        for name in ["root", "ann", "bob"] { try file.addAccount(NewAccount(name, isAdmin: name != "bob")) }
        try file.requireOtherAdministrator(than: "root")
        try file.setDisabled(true, "ann")
        let refusal = #expect(throws: StoreError.self) { try file.requireOtherAdministrator(than: "ROOT") }
        #expect(refusal?.kind == .lastAdministrator)
        // They are no administrators, so nothing is taken away.
        try file.requireOtherAdministrator(than: "bob")
        try file.requireOtherAdministrator(than: "ann")
        try file.requireOtherAdministrator(than: "nobody")
    }

    // MARK: New passwords

    private func reset(_ id: String, of account: String) throws -> StoredInvitation {
        StoredInvitation(
            id: try #require(InvitationID(id)),
            for: .reset(StoredInvitation.PasswordReset(of: account)),
            createdAt: Self.start,
            expiresAt: Self.start + Self.day
        )
    }

    @Test func `a link for a new password is used once, and the newer one revokes the older`() throws {
        let file = try file()
        try file.addAccount(NewAccount("Bob", passwordHash: "old"))
        #expect(throws: StoreError.self) { try file.addReset(reset("none", of: "ann"), secretHash: [9]) }
        try file.addReset(reset("one", of: "bob"), secretHash: [1])
        try file.addReset(reset("two", of: "BOB"), secretHash: [2])
        #expect(try file.password(of: "bob")?.hash == "old")
        #expect(throws: InvitationFault.revoked) { try file.acceptReset(secretHash: [1], passwordHash: "x").get() }
        let before = try #require(try file.password(of: "bob"))
        #expect(try file.acceptReset(secretHash: [2], passwordHash: "new").get().reset?.account == "BOB")
        let after = try #require(try file.password(of: "bob"))
        #expect(after.hash == "new" && after.version > before.version)
        #expect(throws: InvitationFault.used) { try file.acceptReset(secretHash: [2], passwordHash: "x").get() }
        #expect(throws: InvitationFault.unknown) { try file.acceptReset(secretHash: [3], passwordHash: "x").get() }
        let late = try self.file(at: Self.start + Self.day * 2)
        try file.addReset(reset("three", of: "bob"), secretHash: [3])
        #expect(throws: InvitationFault.expired) { try late.acceptReset(secretHash: [3], passwordHash: "x").get() }
    }

    @Test func `a removed account's link does not open the next account of that name`() throws {
        for erases in [false, true] {
            let file = try file()
            try file.addAccount(NewAccount("bob", passwordHash: "old"))
            try file.addReset(reset("of-\(erases)", of: "bob"), secretHash: [erases ? 1 : 2])
            if erases { try file.erase("bob") } else { try file.removeAccount("bob") }
            try file.addAccount(NewAccount("bob", passwordHash: "another"))
            #expect(throws: InvitationFault.revoked) {
                try file.acceptReset(secretHash: [erases ? 1 : 2], passwordHash: "x").get()
            }
            #expect(try file.password(of: "bob")?.hash == "another")
            try file.erase("bob")
        }
    }
}
