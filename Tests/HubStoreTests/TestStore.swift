import Foundation
import HubAccountData
import HubEngine
import HubSimulation
import HubTestSupport
import Testing

@testable import HubStore

extension TemporaryFolder {
    /// The path of a file in it.
    func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// The names of the files in it, sorted.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }
}

/// The values reported by closures, from any thread.
final class ReportedValues<Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var values: [Value] = []

    func add(_ value: Value) {
        condition.withLock {
            values.append(value)
            condition.broadcast()
        }
    }

    var all: [Value] { condition.withLock { values } }

    /// Waits until there are so many; those there are after a minute, which fails the test that counts them.
    func wait(for count: Int = 1) -> [Value] {
        let limit = Date(timeIntervalSinceNow: 60)
        return condition.withLock {
            while values.count < count, condition.wait(until: limit) {}
            return values
        }
    }
}

extension Store {
    /// Writes and waits.
    func write(_ changes: [AccountDataChange], of account: String) throws(StoreError) {
        try wait { file throws(StoreError) in try file.write(changes, of: account) }
    }

    /// Returns the stored data of an account; nil if there is none.
    func storedData(_ account: String) throws(StoreError) -> StoredAccountData? {
        try load().storedData.first { $0.name == account }
    }

    /// The names in an account's Recents, the oldest first.
    func recents(_ account: String) throws(StoreError) -> [String] {
        try storedData(account)?.recents.map(\.call.name) ?? []
    }
}

extension StoreFile {
    func storedData(_ account: String) throws(StoreError) -> StoredAccountData? {
        try load().storedData.first { $0.name == account }
    }
}

/// A call that is over.
func call(_ name: String, id: UInt64 = .random(in: 0 ... .max), devices: [String] = ["desk"], endedAt: Int64 = 5)
    -> RecentCall
{
    RecentCall(
        id: RecentUUID(high: 1, low: id),
        handle: .generic(name),
        name: name,
        isOutgoing: id % 2 == 0,
        outcome: .missed,
        devices: devices,
        startedAt: Instant(nanoseconds: 1),
        connectedAt: id % 3 == 0 ? Instant(nanoseconds: 2) : nil,
        endedAt: Instant(nanoseconds: endedAt)
    )
}

/// Text that is trouble where text is not taken for text.
let troubles = [
    "", "'", "\"", "';DROP TABLE accounts;--", "%", "_", "\\", "a\u{0}b", "\u{0}", "é", "e\u{301}", "ﬁ", "fi", "Аlice",
    "Alice", "alice", "👩‍👩‍👧", "\u{202E}evil", "\u{FEFF}", String(repeating: "ä", count: 5_000), "NULL", "0x00", "1e3",
    "\u{1EB9}\u{301}", "e\u{301}\u{323}", "\n\r\t", "{\"a\":[1]}", "Å", "Å",
]

/// Does something on so many threads at once, and waits for all of them.
func concurrently(_ count: Int, _ work: @escaping @Sendable () -> Void) throws {
    let done = ReportedValues<Bool>()
    for _ in 0..<count {
        Thread {
            work()
            done.add(true)
        }.start()
    }
    try #require(done.wait(for: count).count == count)
}

/// Returns the changes that a directory load makes to account data, which is empty by default.
func directoryChanges(_ load: DirectoryLoad, in accountData: AccountDataTable = AccountDataTable()) throws
    -> [AccountDataChange]
{
    let requester = AccountDataRequester(account: "bob", device: "", session: SessionID(index: 1, generation: 0))
    return try accountData.plannedChanges(
        .loadDirectory(load),
        from: requester,
        at: Instant(nanoseconds: 3),
        clock: { _ in nil }
    )
}
