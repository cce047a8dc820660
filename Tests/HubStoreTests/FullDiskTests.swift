import Foundation
import HubAccountData
import HubEngine
import HubTestSupport
import Testing

@testable import HubStore

/// A full disk: requests are refused with the reason, calls are queued, and nothing else happens.
struct FullDiskTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `a database that cannot grow refuses with a sentence, and accepts smaller data again`() throws {
        let store = try Store(StoreSettings(folder("hub.db")))
        try store.write([.contact(Contact(identifier: "first", name: "x"))], of: "bob")
        try store.narrow(true)
        let big = AccountDataChange.contact(Contact(identifier: "big", name: String(repeating: "x", count: 100_000)))
        let failure = #expect(throws: StoreError.self) { try store.write([big], of: "bob") }
        #expect(failure?.kind == .full)
        #expect(
            failure?.message == "the hub cannot store this now: its disk is full; try again when there is free space"
        )
        #expect(try store.storedData("bob")?.contacts.map(\.identifier) == ["first"])
        try store.narrow(false)
        try store.write([big], of: "bob")
        #expect(try store.storedData("bob")?.contacts.count == 2)
        #expect(store.statistics.failures == [.full: 1])
    }

    @Test func `one operation that does not fit does not affect others in the same transaction`() throws {
        let store = try Store(StoreSettings(folder("hub.db")))
        try store.narrow(true)
        let gate = Gate(store)
        let said = ReportedValues<String>()
        for number in 0..<30 {
            let name = String(repeating: "x", count: number == 15 ? 300_000 : 10)
            store.write([.contact(Contact(identifier: "\(number)", name: name))], of: "bob") { result in
                if case .failure(let failure) = result {
                    said.add("\(number) \(failure.kind)")
                } else {
                    said.add("\(number)")
                }
            }
        }
        gate.open()
        let words = said.wait(for: 30)
        #expect(words == (0..<30).map { $0 == 15 ? "15 full" : "\($0)" })
        #expect(try store.storedData("bob")?.contacts.count == 29)
    }

    @Test func `calls that cannot be written wait, precede later ones, and are stored in the end`() throws {
        let warnings = ReportedValues<String>()
        var settings = StoreSettings(folder("hub.db"))
        settings.warn = { warnings.add($0) }
        let store = try Store(settings)
        try store.narrow(true)
        let long = String(repeating: "x", count: 100_000)
        store.addRecent(call(long, id: 1), of: "bob")
        store.addRecent(call("second", id: 2), of: "bob")
        // Nothing may overtake them: a removal of all would else leave the ones that come later.
        let failure = #expect(throws: StoreError.self) { try store.write([.recentsRemoved(nil)], of: "bob") }
        #expect(failure?.kind == .full)
        #expect(store.statistics.waiting == 2)
        #expect(warnings.all.count == 1)
        store.addRecent(call("third", id: 3), of: "bob")
        // It is behind the calls, and so they are written first.
        try store.narrow(false)
        #expect(try store.recents("bob") == [long, "second", "third"])
        #expect(store.statistics.waiting == 0)
        #expect(store.statistics.lostRecents == 0)
    }

    @Test func `reads succeed while a call that cannot be written waits`() throws {
        let warnings = ReportedValues<String>()
        var settings = StoreSettings(folder("hub.db"))
        settings.warn = { warnings.add($0) }
        let store = try Store(settings)
        try store.wait { file throws(StoreError) in
            try file.addAccount(NewAccount("bob", passwordHash: "a hash", handles: []))
        }
        try store.narrow(true)
        store.addRecent(call(String(repeating: "x", count: 100_000), id: 1), of: "bob")
        let writes = store.statistics.writes
        for _ in 0..<3 {
            let answer = BlockingResult<Result<String?, StoreError>>()
            store.read { file throws(StoreError) in
                try file.password(of: "bob")?.hash
            } then: {
                answer.set($0)
            }
            #expect(try answer.take().get() == "a hash")
        }
        // Nothing was written meanwhile, and so there was nothing more to warn of either.
        #expect(store.statistics.writes == writes)
        #expect(store.statistics.waiting == 1)
        #expect(store.statistics.failures.keys.sorted { $0.rawValue < $1.rawValue } == [.full])
        #expect(warnings.all.count == 1)
    }

    @Test func `calls that could not be written are stored when the next hub starts`() throws {
        let store = try Store(StoreSettings(folder("hub.db")))
        try store.narrow(true)
        store.addRecent(call(String(repeating: "x", count: 100_000), id: 1), of: "bob")
        store.addRecent(call("second", id: 2), of: "bob")
        store.close()
        let next = try Store(StoreSettings(folder("hub.db")))
        #expect(try next.recents("bob").map(\.count) == [100_000, 6])
    }

    @Test func `a hub that started without room for a journal creates one once there is room`() throws {
        let obstacle = folder("hub.db.recents.new")
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: true)
        let warnings = ReportedValues<String>()
        var settings = StoreSettings(folder("hub.db"))
        settings.warn = { warnings.add($0) }
        settings.pollInterval = .milliseconds(5)
        let store = try Store(settings)
        store.addRecent(call("first", id: 1), of: "bob")
        #expect(store.statistics.unjournaledCalls == 1)
        try FileManager.default.removeItem(atPath: obstacle)
        let limit = Date(timeIntervalSinceNow: 60)
        // The thread checks between two operations.
        while !folder.names.contains("hub.db.recents"), limit.timeIntervalSinceNow > 0 {
            try store.write([.blocked(.prefix("1"))], of: "bob")
        }
        try store.narrow(true)
        store.addRecent(call(String(repeating: "x", count: 100_000), id: 2), of: "bob")
        store.addRecent(call("third", id: 3), of: "bob")
        store.close()
        #expect(warnings.all.count { $0.contains("no journal") } == 1)
        let next = try Store(StoreSettings(folder("hub.db")))
        #expect(try next.recents("bob").map(\.count) == [5, 100_000, 5])
    }

    @Test func `a file size limit is treated as a full disk, and no signal ends the hub`() throws {
        try Store(StoreSettings(folder("empty.db"))).close()
        let empty = try #require(FileManager.default.attributesOfItem(atPath: folder("empty.db"))[.size] as? Int)
        let lines = try Victim("fill", folder("hub.db"), "\(empty + 400_000)").finished()
        let full = "the hub cannot store this now: its disk is full; try again when there is free space"
        #expect(lines.first { $0.hasPrefix("failed") } == "failed full: \(full)")
        #expect(lines.first { $0.hasPrefix("then") } == "then well")
        #expect(lines.last?.hasPrefix("wrote ") == true)
        let file = try StoreFile(folder("hub.db"))
        let count = try #require(lines.last.flatMap { Int($0.dropFirst(6)) })
        #expect(count > 10)
        #expect(try file.storedData("full")?.contacts.count == count + 1)
        #expect(try file.storedData("late")?.recents.count == 1)
    }
}

extension Store {
    /// Lets the database not grow any more, or grow again; calls that wait do not keep it from that.
    fileprivate func narrow(_ isNarrow: Bool) throws(StoreError) {
        let pages = isNarrow ? "1" : "1000000"
        let answer = BlockingResult<Result<Int64?, StoreError>>()
        let operation = TypedStoreOperation(sharesTransaction: false) { file throws(StoreError) in
            try file.first("PRAGMA max_page_count = \(pages)") { $0.integer(0) }
        } then: {
            answer.set($0)
        }
        queue.add(operation, bytes: 0)
        _ = try answer.take().get()
    }
}
