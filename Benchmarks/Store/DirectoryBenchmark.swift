import BenchmarkSupport
import HubAccountData
import HubEngine
import HubStore

/// The measurements of a call directory of the largest size: stored, changed a little, read, and looked up.
struct DirectoryBenchmark {
    private let folder: WorkFolder
    private let options: Options
    private let requester = AccountDataRequester(
        account: "bob",
        device: "",
        session: SessionID(index: 1, generation: 0)
    )
    private let now = Instant(nanoseconds: 1)

    /// A benchmark that creates its databases in a folder.
    init(_ folder: WorkFolder, _ options: Options) {
        self.folder = folder
        self.options = options
    }

    /// Performs all measurements.
    func measure() throws(BenchmarkError) -> [Measurement] {
        var accountData = AccountDataTable()
        let load = whole()
        let changes = try take(load, &accountData)
        let small = try take(change(), &accountData)
        var (storing, changing, reading) = ([], [], []) as ([Double], [Double], [Double])
        for round in 0..<options.rounds {
            let name = "directory-\(round)"
            let store = try folder.store(name)
            storing.append(try seconds { () throws(BenchmarkError) in try store.writeAndWait(changes, of: "bob") })
            changing.append(try seconds { () throws(BenchmarkError) in try store.writeAndWait(small, of: "bob") })
            store.close()
            let next = try folder.store(name)
            reading.append(try seconds { () throws(BenchmarkError) in try read(next) })
            next.close()
        }
        let count = options.entries
        let lookUps = lookUps(in: accountData)
        return [
            Measurement(.directoryStored, "a directory of \(count) entries stored", storing),
            Measurement(.other, "1,000 entries of it changed, stored", changing),
            Measurement(.directoryRead, "the directory read at the start", reading),
            Measurement(.lookUp, "a caller who is blocked by it looked up", count: Self.lookUpCount, lookUps.blocked),
            Measurement(.lookUp, "a caller with a label", count: Self.lookUpCount, lookUps.named),
            Measurement(.lookUp, "a caller without an entry", count: Self.lookUpCount, lookUps.unknown),
        ]
    }

    /// Half of the entries block, half are names; each range contains every seventh number.
    private func whole() -> DirectoryLoad {
        let half = Int64(options.entries / 2)
        var load = DirectoryLoad("list")
        load.blocking = (0..<half).map { 4_930_000_000 + $0 * 7 }
        load.identification = (0..<half).map { DirectoryEntry(4_950_000_000 + $0 * 7, "Somebody \($0)") }
        return load
    }

    private func change() -> DirectoryLoad {
        var load = DirectoryLoad("list", isIncremental: true)
        load.blocking = (0..<500).map { 4_930_000_001 + $0 * 7 }
        load.removeIdentification = (0..<500).map { 4_950_000_000 + $0 * 7 }
        return load
    }

    /// Applies a load, and returns the changes that the store has to write.
    private func take(_ load: DirectoryLoad, _ accountData: inout AccountDataTable) throws(BenchmarkError)
        -> [AccountDataChange]
    {
        do throws(AccountDataError) {
            let changes = try accountData.plannedChanges(
                .loadDirectory(load),
                from: requester,
                at: now,
                clock: { _ in nil }
            )
            _ = try accountData.handle(.loadDirectory(load), from: requester, at: now, clock: { _ in nil })
            return changes
        } catch {
            throw BenchmarkError(error.message)
        }
    }

    private func read(_ store: Store) throws(BenchmarkError) {
        let hub = try loaded(store)
        let contents = hub.storedData.first?.directories.first?.contents ?? DirectoryContents()
        let count = contents.blockingCount + contents.identificationCount
        guard count == options.entries / 2 * 2 else { throw BenchmarkError("\(count) entries were read") }
    }

    /// Looks up random callers, so that their entries are in no cache.
    ///
    /// An infinite time stands for a wrong result.
    private func lookUps(in accountData: AccountDataTable) -> (blocked: [Double], named: [Double], unknown: [Double]) {
        func rounds(_ first: Int64, _ isRight: (CallerScreeningData) -> Bool) -> [Double] {
            (0..<options.rounds).map { _ in
                let callers = (0..<Self.lookUpCount).map { _ in
                    // Beyond the numbers that the small load has changed.
                    let number = first + Int64.random(in: 500..<Int64(options.entries / 2)) * 7
                    return Handle(type: .phoneNumber, value: "+\(number)")
                }
                let start = threadNanoseconds()
                let right = callers.count { isRight(accountData.screeningData(of: $0, by: "bob", clock: { _ in nil })) }
                let time = Double(threadNanoseconds() - start) / 1e9
                return right == Self.lookUpCount ? time : .infinity
            }
        }
        return (
            rounds(4_930_000_000) { $0.isBlockedByDirectory }, rounds(4_950_000_000) { $0.names.directory != nil },
            rounds(4_930_000_003) { !$0.isBlockedByDirectory && $0.names.directory == nil }
        )
    }

    private static let lookUpCount = 100_000
}
