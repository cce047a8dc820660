import BenchmarkSupport
import HubAccountData
import HubEngine
import HubStore

/// The measurements of stored calls and of client changes: many at a time, and one by one.
struct RecentsBenchmark {
    private let folder: WorkFolder
    private let options: Options

    /// A benchmark that creates its databases in a folder.
    init(_ folder: WorkFolder, _ options: Options) {
        self.folder = folder
        self.options = options
    }

    /// Performs all measurements.
    func measure() throws(BenchmarkError) -> [Measurement] {
        var (telling, keeping, alone, together, oneByOne, loading) = ([], [], [], [], [], []) as Rounds
        // One by one they are slow, so fewer of them are measured.
        let few = options.calls / 20
        for round in 0..<options.rounds {
            let store = try folder.store("recents-\(round)")
            var toldIn = 0.0
            keeping.append(try seconds { () throws(BenchmarkError) in toldIn = try storeAll(in: store) })
            telling.append(toldIn)
            loading.append(try seconds { () throws(BenchmarkError) in try load(store) })
            alone.append(try seconds { () throws(BenchmarkError) in try storeOneByOne(few, in: store) })
            together.append(try seconds { () throws(BenchmarkError) in try change(few, in: store) })
            oneByOne.append(try seconds { () throws(BenchmarkError) in try changeOneByOne(few, in: store) })
            let lost = store.statistics.lostRecents
            store.close()
            guard lost == 0 else { throw BenchmarkError("\(lost) calls were lost") }
        }
        return [
            Measurement(.other, "a call added to the store, on the caller's thread", count: options.calls, telling),
            Measurement(.callsKept, "calls kept, until they are in the database", count: options.calls, keeping),
            Measurement(.other, "calls kept, a transaction each", count: few, alone),
            Measurement(.other, "clients' changes, as many as wait together", count: few, together),
            Measurement(.other, "clients' changes, each waited for", count: few, oneByOne),
            Measurement(.other, "all calls read at the start", count: options.calls, loading),
        ]
    }

    private typealias Rounds = ([Double], [Double], [Double], [Double], [Double], [Double])

    private func call(_ number: Int, _ kind: UInt64) -> RecentCall {
        RecentCall(
            id: RecentUUID(randomBits: kind << 48 | UInt64(number), .random(in: 0 ... .max)),
            handle: Handle(type: .phoneNumber, value: "+49 30 \(number)"),
            name: "somebody \(number)",
            isOutgoing: number % 2 == 0,
            outcome: .answered,
            devices: ["desk"],
            startedAt: Instant(nanoseconds: 1),
            connectedAt: Instant(nanoseconds: 2),
            endedAt: Instant(nanoseconds: 3)
        )
    }

    private func account(_ number: Int) -> String { "account \(number % options.accounts)" }

    /// Stores all calls as fast as the store takes them; returns the CPU seconds of this thread for handing them over.
    private func storeAll(in store: Store) throws(BenchmarkError) -> Double {
        var told = 0.0
        var number = 0
        while number < options.calls {
            let batch = number..<min(number + 4_000, options.calls)
            let calls = batch.map { call($0, 1) }
            told += try ownSeconds { () throws(BenchmarkError) in
                for (number, call) in zip(batch, calls) { store.addRecent(call, of: account(number)) }
            }
            number = batch.upperBound
            try store.waitForAll()
        }
        return told
    }

    private func storeOneByOne(_ count: Int, in store: Store) throws(BenchmarkError) {
        for number in 0..<count {
            store.addRecent(call(number, 2), of: account(number))
            try store.waitForAll()
        }
    }

    private func load(_ store: Store) throws(BenchmarkError) {
        let kept = try loaded(store).storedData.map(\.recents.count).reduce(0, +)
        guard kept == options.calls else { throw BenchmarkError("\(kept) calls are kept, not \(options.calls)") }
    }

    private func contact(_ number: Int, _ name: String) -> [AccountDataChange] {
        [.contact(Contact(identifier: "\(number)", name: name, handles: [.generic("somebody \(number)")]))]
    }

    private func change(_ count: Int, in store: Store) throws(BenchmarkError) {
        let answers = Answers()
        for number in 0..<count { store.write(contact(number, "one"), of: account(number), then: answers.add) }
        try answers.wait(for: count)
    }

    private func changeOneByOne(_ count: Int, in store: Store) throws(BenchmarkError) {
        for number in 0..<count { try store.writeAndWait(contact(number, "two"), of: account(number)) }
    }
}
