import HubAccountData
import HubEngine
import HubTestSupport
import Testing

@testable import HubStore

/// A store's thread: operations in order, waiting ones in one transaction, with a limit of waiting ones.
struct StoreTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func blocked(_ number: Int) -> [AccountDataChange] { [.blocked(.prefix("\(number)"))] }

    @Test func `waiting operations are one transaction, answered in order`() throws {
        let store = try Store(StoreSettings(folder("hub.db")))
        try store.write(blocked(0), of: "bob")
        let gate = Gate(store)
        let said = ReportedValues<Int>()
        for number in 1...500 {
            store.write(blocked(number), of: "bob") { _ in said.add(number) }
            store.addRecent(call("\(number)"), of: "alice")
        }
        #expect(store.statistics.waiting >= 1_000)
        gate.open()
        #expect(said.wait(for: 500) == Array(1...500))
        try store.write(blocked(501), of: "bob")
        // One with the gate, one or two with what waited, one for the last.
        #expect(store.statistics.transactions <= 5)
        #expect(store.statistics.waiting == 0)
        #expect(store.statistics.waitingBytes == 0)
        #expect(try store.storedData("bob")?.blocked.count == 502)
        #expect(try store.recents("alice") == (1...500).map { "\($0)" })
    }

    @Test func `a failed operation does not affect the others`() throws {
        let store = try Store(StoreSettings(folder("hub.db")))
        let gate = Gate(store)
        let said = ReportedValues<String>()
        for number in 0..<9 {
            store.perform { file throws(StoreError) in
                try file.addAccount(NewAccount("\(number / 3)", handles: [.generic("\(number)")]))
            } then: { result in
                if case .failure(let failure) = result { said.add("\(failure.kind)") } else { said.add("added") }
            }
        }
        gate.open()
        #expect(said.wait(for: 9) == (0..<9).map { $0 % 3 == 0 ? "added" : "accountExists" })
        #expect(try store.load().accounts.map(\.handles) == [[.generic("0")], [.generic("3")], [.generic("6")]])
        #expect(store.statistics.failures == [.accountExists: 6])
    }

    @Test func `an operation of several steps is atomic`() throws {
        let store = try Store(StoreSettings(folder("hub.db")))
        #expect(throws: StoreError.self) {
            try store.wait { file throws(StoreError) in
                try file.addAccount(NewAccount("bob"))
                try file.addRecent(call("alice"), of: "bob")
                try file.setAdmin(true, "nobody")
            }
        }
        #expect(try store.load().accounts.isEmpty)
    }

    @Test func `too many waiting operations are refused at once, by number and by bytes`() throws {
        var settings = StoreSettings(folder("hub.db"))
        settings.maximumWaiting = 4
        settings.maximumWaitingBytes = 10_000
        let store = try Store(settings)
        let gate = Gate(store)
        let said = ReportedValues<StoreError.Kind?>()
        for bytes in [1, 20_000, 2, 3, 4] {
            store.perform(bytes: bytes) { _ throws(StoreError) in
            } then: { result in
                if case .failure(let failure) = result { said.add(failure.kind) } else { said.add(nil) }
            }
        }
        // The gate waits too, as it is not done.
        #expect(said.all == [.overload, .overload])
        for number in 0..<5 { store.addRecent(call("\(number)"), of: "bob") }
        #expect(store.statistics.lostRecents == 1)
        gate.open()
        #expect(said.wait(for: 5) == [.overload, .overload, nil, nil, nil])
        #expect(try store.recents("bob") == ["0", "1", "2", "3"])
        #expect(store.statistics.failures == [.overload: 2])
        #expect(store.statistics.waitingBytes == 0)
    }

    @Test func `closing waits for all operations, and accepts no more`() throws {
        let store = try Store(StoreSettings(folder("hub.db")))
        let said = ReportedValues<Bool>()
        for number in 0..<300 {
            store.addRecent(call("\(number)"), of: "bob")
            store.write(blocked(number), of: "bob") { result in said.add((try? result.get()) != nil) }
        }
        store.close()
        #expect(said.all == Array(repeating: true, count: 300))
        let late = ReportedValues<StoreError.Kind>()
        store.write(blocked(1), of: "bob") { result in
            if case .failure(let failure) = result { late.add(failure.kind) }
        }
        store.addRecent(call("late"), of: "bob")
        #expect(late.all == [.closed])
        store.close()
        #expect(try StoreFile(folder("hub.db")).storedData("bob")?.recents.count == 300)
    }

    @Test func `any number of threads may use the store concurrently`() throws {
        let store = try Store(StoreSettings(folder("hub.db")))
        try concurrently(6) { [self] in
            for number in 0..<100 {
                store.addRecent(call("x"), of: "\(number % 5)")
                store.write(blocked(number), of: "\(number % 5)") { _ in }
                if number % 20 == 0 { _ = (try? store.load(), store.statistics) }
            }
        }
        let hub = try store.load()
        #expect(hub.storedData.map(\.recents.count).reduce(0, +) == 600)
        #expect(hub.storedData.map(\.blocked.count).reduce(0, +) == 100)
    }

    @Test func `an entry of Recents is stored once, even if it is added repeatedly`() throws {
        let store = try Store(StoreSettings(folder("hub.db")))
        for _ in 1...3 { store.addRecent(call("same", id: 5), of: "bob") }
        store.addRecent(call("other", id: 6), of: "bob")
        #expect(try store.recents("bob") == ["same", "other"])
    }

    @Test func `old calls are deleted, which delays other operations only a little`() throws {
        let store = try Store(StoreSettings(folder("hub.db")))
        var settings = StoreSettings(folder("hub.db"))
        settings.limits.maximumRecents = 10_000
        for number in 0..<1_300 {
            store.addRecent(call("\(number)", endedAt: Int64(number)), of: "\(number % 2)")
        }
        let gate = Gate(store)
        let said = ReportedValues<String>()
        store.expireRecents(endedBefore: Instant(nanoseconds: 1_200)) { result in
            said.add("forgotten \((try? result.get()) ?? -1)")
        }
        store.perform { _ throws(StoreError) in
        } then: { _ in
            said.add("another")
        }
        gate.open()
        #expect(said.wait(for: 2) == ["another", "forgotten 1200"])
        #expect(try store.recents("0").count == 50)
        #expect(try store.recents("1").first == "1201")
    }

    @Test func `a replacement of the hub's key by another process is reported`() throws {
        let told = ReportedValues<AccountsChange>()
        var settings = StoreSettings(folder("hub.db"))
        settings.pollInterval = .milliseconds(5)
        settings.accountsChanged = { told.add($0) }
        let store = try Store(settings)
        #expect(try store.secret("one") { [1] } == [1])
        let command = try StoreFile(folder("hub.db"))
        try command.setSecret("one", [2, 3])
        #expect(try #require(told.wait(for: 1).first).secrets == ["one": [2, 3]])
        #expect(try store.secret("one") { [1] } == [2, 3])
        try command.setSecret("two", [])
        #expect(try #require(told.wait(for: 2).last).secrets == ["one": [2, 3], "two": []])
    }

    @Test func `account changes by another process are reported, including erased accounts`() throws {
        let told = ReportedValues<AccountsChange>()
        var settings = StoreSettings(folder("hub.db"))
        settings.pollInterval = .milliseconds(5)
        settings.accountsChanged = { told.add($0) }
        let store = try Store(settings)
        store.addRecent(call("x"), of: "mine")
        store.addRecent(call("x"), of: "erased by me")
        store.perform { file throws(StoreError) in
            try file.erase("erased by me")
        } then: { _ in
        }
        _ = try store.load()
        let command = try StoreFile(folder("hub.db"))
        try command.addAccount(NewAccount("bob", passwordHash: "x", handles: [.generic("b")]))
        let first = try #require(told.wait(for: 1).first)
        #expect(first.erased == [])
        #expect(first.accounts.map(\.name) == ["mine", "bob"])
        #expect(first.accounts[1].handles == [.generic("b")])
        #expect(try command.erase("mine"))
        let second = try #require(told.wait(for: 2).last)
        #expect(second.erased == ["mine"])
        #expect(second.accounts.map(\.name) == ["bob"])
        // The store no longer has the account's number.
        store.addRecent(call("new"), of: "mine")
        #expect(try store.recents("mine") == ["new"])
        #expect(told.all.count == 2)
    }
}
