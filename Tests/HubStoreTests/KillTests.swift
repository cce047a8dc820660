import HubAccountData
import HubEngine
import HubSimulation
import HubTestSupport
import Testing

@testable import HubStore

/// A store that is killed at any moment: the next one has all acknowledged data, once and complete.
struct KillTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `after 50 kills no call is missing or restored, and no directory is incomplete`() throws {
        var random = SeededRandom(seed: 50)
        var ledger = ReportedOperations()
        for round in 1...50 {
            let victim = try Victim("keep", folder("hub.db"), "\(round * 1_000_000)")
            ledger.note(try victim.killed(after: Int.random(in: 1...500, using: &random)))
            var settings = StoreSettings(folder("hub.db"))
            settings.limits.maximumRecents = 1_000_000
            settings.limits.maximumListBytes = 1 << 30
            let warnings = ReportedValues<String>()
            settings.warn = { warnings.add($0) }
            let store = try Store(settings)
            let hub = try store.load()
            store.close()
            #expect(warnings.all == [] && hub.warnings == [] && ledger.warnings == [], "round \(round)")
            try #require(ledger.fault(in: hub.storedData) == nil, "round \(round)")
        }
        #expect(ledger.kept.count > 1_000)
        #expect(ledger.removed.count > 50)
    }
}

/// The operations that killed hubs have reported, and the database contents that must follow from them.
private struct ReportedOperations {
    private(set) var kept: Set<UInt64> = []
    private(set) var removed: Set<UInt64> = []
    private(set) var warnings: [String] = []
    private var removing: Set<UInt64> = []
    /// The sizes that the directory may have: the one reported last, and those of pending loads.
    private var sizes: [Int] = [-1]

    mutating func note(_ lines: [String]) {
        for line in lines {
            let words = line.split(separator: " ")
            guard let verb = words.first, words.count == 2, let number = UInt64(words[1]) else {
                warnings.append(line)
                continue
            }
            switch verb {
            case "kept": kept.insert(number)
            case "removing": removing.insert(number)
            case "removed": removed.insert(number)
            case "loading": sizes.append(Int(number))
            case "loaded": sizes.removeFirst()
            default: warnings.append(line)
            }
        }
    }

    /// Returns a description of the first inconsistency; nil: none.
    mutating func fault(in accounts: [StoredAccountData]) -> String? {
        var found: [UInt64] = []
        for account in accounts {
            let numbers = account.recents.map(\.call.id.low)
            guard numbers == numbers.sorted() else { return "\(account.name) is out of order" }
            found += numbers
            for directory in account.directories {
                if let fault = fault(in: directory) { return fault }
            }
        }
        let all = Set(found)
        guard all.count == found.count else { return "a call is there twice" }
        if let missing = kept.subtracting(removing).subtracting(all).min() { return "\(missing) is missing" }
        if let back = removed.intersection(all).min() { return "\(back) was removed and is back" }
        return nil
    }

    private mutating func fault(in directory: StoredDirectory) -> String? {
        let labels = directory.contents.labels
        let size = labels.first.flatMap { Int($0.label.dropFirst(5)) } ?? -1
        guard labels.count == size * 500 + 1, Set(labels.map(\.label)).count == 1,
            directory.contents.blockedNumbers == labels.map(\.number)
        else { return "a directory of size \(size) is half there" }
        guard sizes.contains(size) else { return "a directory of size \(size) is there, not of \(sizes)" }
        sizes = [size]
        return nil
    }
}
