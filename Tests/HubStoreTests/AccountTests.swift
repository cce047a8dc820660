import HubAccountData
import HubEngine
import HubTestSupport
import Testing

@testable import HubStore

/// The accounts in the database: their credentials, handles and erasure.
struct AccountTests {
    private let folder: TemporaryFolder
    private let file: StoreFile

    init() throws {
        folder = try TemporaryFolder()
        file = try StoreFile(folder("hub.db"))
    }

    private func phone(_ number: String) -> Handle { Handle(type: .phoneNumber, value: number) }
    private func mail(_ address: String) -> Handle { Handle(type: .emailAddress, value: address) }

    /// Does something that must be refused; its kind and sentence.
    private func refusal(_ work: () throws(StoreError) -> Void) -> String {
        do throws(StoreError) {
            try work()
            return "done"
        } catch {
            return "\(error.kind): \(error.message)"
        }
    }

    @Test func `an account is stored with its properties and its handles in order`() throws {
        let handles = [phone("+49 30 1"), .generic("bobby"), mail("bob@x"), .generic("Robert"), phone("12")]
        try file.addAccount(NewAccount("bob", passwordHash: "$argon2id$", handles: handles, isAdmin: true))
        try file.addAccount(NewAccount("alice"))
        let accounts = try StoreFile(folder("hub.db")).accounts()
        #expect(accounts.map(\.name) == ["bob", "alice"])
        #expect(accounts[0].handles == handles)
        #expect(accounts.map(\.isAdmin) == [true, false])
        #expect(accounts.map(\.hasPassword) == [true, false])
        #expect(accounts.map(\.isProvisioned) == [true, true])
        #expect(accounts.map(\.isDisabled) == [false, false])
        #expect(try file.password(of: "bob")?.hash == "$argon2id$")
        #expect(try file.password(of: "alice")?.hash == nil)
        #expect(try file.password(of: "carol")?.hash == nil)
    }

    @Test func `each property of an account can be changed separately`() throws {
        try file.addAccount(NewAccount("bob", passwordHash: "old", handles: [.generic("b")]))
        try file.setPasswordHash("new", of: "bob")
        #expect(try file.password(of: "bob")?.hash == "new")
        try file.setPasswordHash(nil, of: "bob")
        #expect(try file.accounts()[0].hasPassword == false)
        try file.setAdmin(true, "bob")
        try file.setDisabled(true, "bob")
        try file.setHandles([phone("1"), .generic("b")], of: "bob")
        let bob = try file.accounts()[0]
        #expect(bob.isAdmin && bob.isDisabled)
        #expect(bob.handles == [phone("1"), .generic("b")])
    }

    @Test func `a new password is a new version, a rehash of the same one is not`() throws {
        try file.addAccount(NewAccount("bob", passwordHash: "old"))
        let first = try #require(try file.password(of: "bob"))
        try file.replacePasswordHash("old", by: "old, dearer", of: "bob")
        #expect(try file.password(of: "bob") == StoredPassword(hash: "old, dearer", version: first.version))
        try file.setPasswordHash("new", of: "bob")
        let second = try #require(try file.password(of: "bob"))
        #expect(second.version > first.version)
        #expect(try file.accounts().map(\.passwordVersion) == [second.version])
        // Found out too late: the password is another one.
        try file.replacePasswordHash("old, dearer", by: "dearest", of: "bob")
        #expect(try file.password(of: "bob") == second)
    }

    @Test func `an impossible change is refused with a sentence, and nothing is changed`() throws {
        try file.addAccount(NewAccount("bob", handles: [phone("+49 30 1")]))
        try file.addAccount(NewAccount("alice", handles: [.generic("a")]))
        let before = try file.accounts()
        let refusals = [
            refusal { () throws(StoreError) in try file.addAccount(NewAccount("bob")) },
            refusal { () throws(StoreError) in try file.addAccount(NewAccount("")) },
            refusal { () throws(StoreError) in try file.addAccount(NewAccount("x", handles: [phone("(4930) 1")])) },
            refusal { () throws(StoreError) in try file.setHandles([.generic("z"), phone("49301")], of: "alice") },
            refusal { () throws(StoreError) in try file.setHandles([.generic("z"), .generic("z")], of: "alice") },
            refusal { () throws(StoreError) in try file.setHandles([.generic("")], of: "alice") },
            refusal { () throws(StoreError) in try file.setDisabled(true, "carol") },
            refusal { () throws(StoreError) in try file.removeAccount("carol\n';--") },
        ]
        #expect(
            refusals == [
                "accountExists: there is an account \"bob\" already; choose another name",
                "invalidArgument: an account must have a name; say one",
                "handleTaken: \"(4930) 1\" is a handle of \"bob\" already; a handle is one account's, once",
                "handleTaken: \"49301\" is a handle of \"bob\" already; a handle is one account's, once",
                "handleTaken: \"z\" is a handle of \"alice\" already; a handle is one account's, once",
                "invalidArgument: a handle must not be empty; say one",
                "noSuchAccount: there is no account \"carol\"; add it first",
                "noSuchAccount: there is no account \"carol?';--\"; add it first",
            ]
        )
        #expect(try file.accounts() == before)
    }

    @Test func `names that look alike are distinct, equivalent spellings of one name are not`() throws {
        for name in ["Alice", "Аlice", "Alicе", "fi", "a\u{0}", "a", "🇩🇪"] {
            try file.addAccount(NewAccount(name, handles: [.generic(name)]))
        }
        #expect(try file.accounts().count == 7)
        for name in ["alice", "ALICE", "ﬁ", "FI"] {
            let refused = refusal { () throws(StoreError) in try file.addAccount(NewAccount(name)) }
            #expect(refused.hasPrefix("accountExists"), "\(name)")
        }
        try file.addAccount(NewAccount("\u{1EB9}\u{301}"))
        let refused = refusal { () throws(StoreError) in try file.addAccount(NewAccount("e\u{301}\u{323}")) }
        #expect(refused.hasPrefix("accountExists"))
    }

    @Test func `a name that only signed in is no registered account until an operator creates it`() throws {
        try file.recordSignIn("bob")
        try file.addRecent(call("alice"), of: "bob")
        #expect(try file.accounts().map(\.isProvisioned) == [false])
        #expect(refusal { () throws(StoreError) in try file.setAdmin(true, "bob") }.hasPrefix("noSuchAccount"))
        try file.addAccount(NewAccount("bob", passwordHash: "x"))
        #expect(try file.storedData("bob")?.recents.count == 1)
        try file.removeAccount("bob")
        #expect(try file.accounts().map(\.isProvisioned) == [false])
        #expect(try file.password(of: "bob")?.hash == nil)
        #expect(try file.storedData("bob")?.recents.count == 1)
    }

    @Test func `a name and a department are the operator's, and until then the last token's`() throws {
        try file.recordSignIn("dan", profile: PersonProfile(name: "Dan", department: "Outside"))
        try file.recordSignIn("dan")
        #expect(try file.accounts()[0].profile == PersonProfile(name: "Dan", department: "Outside"))
        try file.addAccount(NewAccount("bob", profile: PersonProfile(name: "Bob Miller")))
        try file.recordSignIn("bob", profile: PersonProfile(name: "by token"))
        try file.setProfile(name: nil, department: "Sales", of: "bob")
        #expect(try file.accounts()[1].profile == PersonProfile(name: "Bob Miller", department: "Sales"))
        try file.setProfile(name: "", department: nil, of: "bob")
        #expect(try StoreFile(folder("hub.db")).accounts()[1].profile == PersonProfile(department: "Sales"))
        #expect(try file.export("bob").department == "Sales")
        try file.removeAccount("bob")
        #expect(try file.accounts()[1].profile == PersonProfile())
        let refused = refusal { () throws(StoreError) in try file.setProfile(name: "x", department: nil, of: "dan") }
        #expect(refused.hasPrefix("noSuchAccount"))
    }

    @Test func `an account created by a token has the latest token's handles, until an operator sets others`() throws {
        try file.recordSignIn("bob", handles: [.generic("b"), phone("1")])
        try file.recordSignIn("bob", handles: [phone("1"), .generic("bb")])
        #expect(try file.accounts()[0].handles == [phone("1"), .generic("bb")])
        let refused = refusal { () throws(StoreError) in try file.recordSignIn("alice", handles: [phone("+1")]) }
        #expect(refused.hasPrefix("handleTaken"))
        #expect(try file.accounts().map(\.name) == ["bob"])
        try file.addAccount(NewAccount("bob", handles: [.generic("made")]))
        try file.recordSignIn("bob", handles: [.generic("x")])
        #expect(try file.accounts()[0].handles == [.generic("made")])
        #expect(try !file.eraseUnprovisioned("bob"))
        try file.removeAccount("bob")
        #expect(try file.eraseUnprovisioned("bob"))
        #expect(try file.accounts().isEmpty)
    }

    @Test func `no table contains anything of an erased account`() throws {
        for name in ["bob", "alice"] {
            try file.addAccount(NewAccount(name, passwordHash: "x", handles: [.generic(name)]))
            try fill(name)
        }
        #expect(try file.erase("bob"))
        #expect(try !file.erase("bob"))
        let tables = [
            "accounts", "account_handles", "settings", "block_rules", "contacts", "contact_handles", "recents",
            "directories", "directory_chunks", "push_subscriptions", "photos",
        ]
        for table in tables {
            let count = try file.first("SELECT count(*) FROM \(table)") { $0.integer(0) }
            #expect(count == (table == "directory_chunks" ? 2 : 1), "\(table)")
        }
        #expect(try file.accounts().map(\.name) == ["alice"])
        // Later data under that name does not belong to the removed account.
        try file.addRecent(call("carol"), of: "bob")
        #expect(try file.storedData("bob")?.recents.map(\.call.name) == ["carol"])
    }

    @Test func `the least recently seen accounts are erased, never those that an operator created`() throws {
        try file.addAccount(NewAccount("made"))
        for name in ["a", "b", "c", "d"] { try file.recordSignIn(name) }
        try file.recordSignIn("b")
        #expect(try file.eraseLeastRecentlySeen(keeping: 2) == ["a", "c"])
        #expect(try file.accounts().map(\.name) == ["made", "b", "d"])
        #expect(try file.eraseLeastRecentlySeen(keeping: 2) == [])
    }

    @Test func `a subscription's endpoint belongs to one account`() throws {
        let first = StoredPushSubscription(
            account: "bob",
            device: "d\u{0}",
            subscription: PushSubscription(endpoint: "https://push.example/1", key: [4, 0, 255], secret: []),
            createdAt: Instant(nanoseconds: 5)
        )
        var second = first
        second.account = "alice"
        second.lastUsedAt = Instant(nanoseconds: 9)
        try file.put(first)
        #expect(try file.subscriptions() == [first])
        try file.put(second)
        #expect(try file.subscriptions() == [second])
        #expect(try file.subscriptions(of: "alice") == [second])
        #expect(try file.subscriptions(of: "bob") == [])
        try file.recordUse(of: "https://push.example/1")
        second.lastUsedAt = try file.subscriptions().first?.lastUsedAt
        #expect(second.lastUsedAt ?? Instant(nanoseconds: 0) > Instant(nanoseconds: 9))
        try file.removeSubscription("https://push.example/2")
        #expect(try file.subscriptions() == [second])
        try file.removeSubscription("https://push.example/1")
        #expect(try file.subscriptions() == [])
    }

    @Test func `a secret is created once, even by concurrent requests`() throws {
        let other = try StoreFile(folder("hub.db"))
        #expect(try file.secret("vapid") { [1, 2, 0] } == [1, 2, 0])
        #expect(try other.secret("vapid") { [9] } == [1, 2, 0])
        #expect(try other.secret("links") { [] } == [])
        #expect(try file.load().secrets == ["vapid": [1, 2, 0], "links": []])
    }

    /// Something in every table.
    private func fill(_ name: String) throws {
        let contact = Contact(identifier: "1", name: "x", handles: [.generic("y")])
        let photo = try #require(Photo([0xFF, 0xD8, 0xFF]))
        let changes: [AccountDataChange] = [
            .settings(AccountSettings()), .blocked(.prefix("1")), .contact(contact, photo: .replace(photo)),
        ]
        try file.write(changes, of: name)
        try file.addRecent(call("x"), of: name)
        try file.put(
            StoredPushSubscription(
                account: name,
                device: "d",
                subscription: PushSubscription(endpoint: name, key: [], secret: []),
                createdAt: Instant(nanoseconds: 1)
            )
        )
        var load = DirectoryLoad("list")
        load.blocking = [1]
        load.identification = [DirectoryEntry(2, "two")]
        try file.write(directoryChanges(load), of: name)
    }

    @Test func `every change of an account names it in any case, and it is shown as it was created`() throws {
        try file.addAccount(NewAccount("Alice", passwordHash: "old", handles: [.generic("Alice")]))
        try file.setPasswordHash("new", of: "ALICE")
        #expect(try file.password(of: "alice")?.hash == "new")
        try file.setAdmin(true, "aLICE")
        try file.addHandle(Handle(type: .emailAddress, value: "Alice@Example.org"), to: "alice")
        let taken = refusal { () throws(StoreError) in
            try file.addAccount(
                NewAccount("bob", handles: [Handle(type: .emailAddress, value: "alice@example.ORG")])
            )
        }
        #expect(taken.hasPrefix("handleTaken"))
        try file.putHandleFirst(Handle(type: .emailAddress, value: "ALICE@EXAMPLE.ORG"), of: "alice")
        try file.addRecent(call("bob"), of: "alice")
        try file.write([.blocked(.handle(.generic("BOB"))), .unblocked(.handle(.generic("bob")))], of: "ALICE")
        let account = try #require(file.accounts().first)
        #expect(account.name == "Alice" && account.isAdmin)
        #expect(account.handles.map(\.value) == ["Alice@Example.org", "Alice"])
        let export = try file.export("alice")
        #expect(export.account == "Alice" && export.recents.count == 1 && export.blocked.isEmpty)
        try file.removeAccount("alice")
        try file.addAccount(NewAccount("ALICE"))
        #expect(try file.accounts().map(\.name) == ["ALICE"])
        #expect(try file.storedData("ALICE")?.recents.count == 1)
        #expect(try file.erase("alice"))
        #expect(try file.accounts().isEmpty)
    }
}
