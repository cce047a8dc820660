import Foundation
import HubAccountData
import HubEngine
import HubStore

/// A hub's store without a hub, for tests that kill the process or fill its disk.
///
/// It reports each write on standard output once the store has confirmed it.
@main
enum Main {
    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        guard words.count == 3, let mode = words.first, let number = words.last.flatMap({ Int64($0) }) else {
            say("say: keep|fill|migrate DATABASE NUMBER")
            exit(64)
        }
        let path = Array(words)[1]
        if mode == "migrate" { return try migrate(path, dyingAt: number) }
        var settings = StoreSettings(path)
        settings.limits.maximumRecents = 1_000_000
        settings.limits.maximumListBytes = 1 << 30
        // Small, so that the journal wraps around and is full now and then.
        settings.journalBytes = 65_536
        settings.warn = { say("warning \($0)") }
        let store = try Store(settings)
        if mode == "keep" { Keeping(store, from: number).run() } else { fill(store, limit: number) }
    }

    /// Opens a database of an older version, and dies in the middle of a write.
    ///
    /// - Parameters:
    ///   - path: The database.
    ///   - number: The write of SQLite's in which the process is killed, from 1 on.
    /// - Throws: `StoreError` as `StoreFile.init`.
    private static func migrate(_ path: String, dyingAt number: Int64) throws {
        try WriteTrap.set(at: number)
        let file = try StoreFile(path)
        say("migrated \(try file.accounts().count)")
    }

    /// Adds calls until the file has its maximum size; then frees space, and continues.
    private static func fill(_ store: Store, limit: Int64) {
        signal(SIGXFSZ, SIG_IGN)
        var before = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before)
        var narrow = rlimit(rlim_cur: rlim_t(limit), rlim_max: before.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &narrow)
        var number: UInt64 = 0
        while store.failed(adding: number) == nil, number < 10_000 { number += 1 }
        // Two failures in a row: the store continues after the first.
        say("failed \(store.failed(adding: number).map { "\($0.kind): \($0.message)" } ?? "not at all")")
        store.addRecent(call(number), of: "late")
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before)
        say("then \(store.failed(adding: number).map { "\($0)" } ?? "well")")
        store.close()
        say("wrote \(number)")
    }
}

/// An endless sequence of calls, removals and directory loads, each reported once the store has confirmed it.
struct Keeping {
    private let store: Store
    private let first: UInt64
    private let tasks = DispatchGroup()

    init(_ store: Store, from number: Int64) {
        self.store = store
        first = UInt64(number)
    }

    func run() {
        for number in first... {
            store.addRecent(call(number), of: "account \(number % 3)")
            say("kept \(number)")
            if number % 7 == 3 { remove(number - 2) }
            if number % 50 == 0 { load(Int(number % 1_000) / 50) }
            // No more writes in flight than the store can handle.
            if number % 100 == 99 { tasks.wait() }
        }
    }

    private func remove(_ number: UInt64) {
        guard number >= first else { return }
        say("removing \(number)")
        tell("removed \(number)", [.recentsRemoved([call(number).id])], of: "account \(number % 3)")
    }

    /// Loads a directory of another size each time.
    private func load(_ size: Int) {
        var load = DirectoryLoad("list")
        load.blocking = (1...Int64(size * 500 + 1)).map { $0 * 3 }
        load.identification = load.blocking.map { DirectoryEntry($0, "size \(size)") }
        let requester = AccountDataRequester(account: "list", device: "", session: SessionID(index: 1, generation: 0))
        guard
            let changes = try? AccountDataTable().plannedChanges(
                .loadDirectory(load),
                from: requester,
                at: Instant(nanoseconds: 1),
                clock: { _ in nil }
            )
        else { return say("warning the load was refused") }
        say("loading \(size)")
        tell("loaded \(size)", changes, of: "list")
    }

    private func tell(_ what: String, _ changes: [AccountDataChange], of account: String) {
        tasks.enter()
        store.write(changes, of: account) { [tasks] result in
            if case .failure(let failure) = result { say("warning \(failure)") } else { say(what) }
            tasks.leave()
        }
    }
}

extension Store {
    /// Adds a contact and waits; returns the error, or nil.
    fileprivate func failed(adding number: UInt64) -> StoreError? {
        let answer = Answer()
        let contact = Contact(identifier: "\(number)", name: String(repeating: "x", count: 2_000))
        write([.contact(contact)], of: "full") { answer.give($0) }
        return answer.take()
    }
}

private final class Answer: @unchecked Sendable {
    private let done = DispatchSemaphore(value: 0)
    private var failure: StoreError?

    func give(_ result: Result<Void, StoreError>) {
        if case .failure(let failure) = result { self.failure = failure }
        done.signal()
    }

    func take() -> StoreError? {
        done.wait()
        return failure
    }
}

private func call(_ number: UInt64) -> RecentCall {
    RecentCall(
        id: RecentUUID(high: 7, low: number),
        handle: .generic("somebody"),
        name: "\(number)",
        isOutgoing: false,
        outcome: .answered,
        devices: ["desk"],
        startedAt: Instant(nanoseconds: 1),
        endedAt: Instant(nanoseconds: 2)
    )
}

/// Prints a line without buffering, so that no line printed before a kill is lost.
private func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}
