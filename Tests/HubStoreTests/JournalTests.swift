import Foundation
import HubAccountData
import HubEngine
import HubSimulation
import HubTestSupport
import Testing

@testable import HubStore

/// The journal: appended entries are found after a crash, and no others.
struct JournalTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func entry(_ number: UInt64, _ length: Int = 5) -> JournalEntry {
        JournalEntry(call(String(repeating: "n", count: length), id: number), of: "bob \(number % 3)")
    }

    /// Returns the numbers of the calls found in a journal file; nil if the file is unusable.
    private func found(_ journal: RecentsJournal, from position: UInt64, _ name: String = "j") -> [UInt64]? {
        switch JournalReader(path: folder(name)).read(id: journal.id, from: position) {
        case .nothing: []
        case .entries(let entries, _): entries.map(\.call.id.low)
        case .unusable: nil
        }
    }

    @Test(arguments: 0..<40) func `at any moment the journal contains the appended, unreleased entries`(seed: UInt64)
        throws
    {
        var random = SeededRandom(seed: seed)
        let journal = try RecentsJournal(replacing: folder("j"), capacity: 4_096)
        var model: [(number: UInt64, end: UInt64)] = []
        var released: UInt64 = 0
        var refused = 0
        for number in 1...400 as ClosedRange<UInt64> {
            if Int.random(in: 0..<3, using: &random) > 0 || model.isEmpty {
                let length = Int.random(in: 0...300, using: &random)
                if let end = journal.append(entry(number, length)) { model.append((number, end)) } else { refused += 1 }
            } else {
                let count = Int.random(in: 1...model.count, using: &random)
                released = model[count - 1].end
                journal.release(to: released)
                model.removeFirst(count)
            }
            #expect(found(journal, from: released) == model.map(\.number))
        }
        // Many times around.
        #expect(released > 20_000)
        #expect(refused < 300)
    }

    @Test func `entries are read as appended`() throws {
        for text in troubles {
            let journal = try RecentsJournal(replacing: folder("j"), capacity: 65_536)
            var known = call(text, id: 6, devices: [text, ""])
            known.startedAt = Instant(nanoseconds: .min)
            known.endedAt = Instant(nanoseconds: .max)
            var guest = call("x", id: 7)
            guest.invitation = InvitationID("link-1")
            guest.invitationName = text
            let entries = [JournalEntry(known, of: text), JournalEntry(guest, of: "")]
            for entry in entries { _ = journal.append(entry) }
            guard case .entries(let read, let end) = JournalReader(path: folder("j")).read(id: journal.id, from: 0)
            else {
                Issue.record("nothing is found")
                continue
            }
            #expect(read == entries)
            #expect(end == journal.end)
        }
    }

    @Test func `a half-written entry is ignored, and the ones before it are kept`() throws {
        let journal = try RecentsJournal(replacing: folder("j"), capacity: 4_096)
        _ = journal.append(entry(1))
        let middle = Int(try #require(journal.append(entry(2))))
        let end = Int(try #require(journal.append(entry(3))))
        let whole = try Data(contentsOf: URL(filePath: folder("j")))
        for count in middle..<end {
            var torn = whole
            for index in count..<end { torn[4_096 + index] = 0 }
            try torn.write(to: URL(filePath: folder("torn")))
            let numbers = try #require(found(journal, from: 0, "torn"))
            // The last bytes may be zeros that were to be there.
            #expect(numbers == [1, 2] || numbers == [1, 2, 3] && torn == whole)
        }
    }

    @Test func `any damage is detected without a crash`() throws {
        let journal = try RecentsJournal(replacing: folder("j"), capacity: 4_096)
        for number in 1...10 as ClosedRange<UInt64> { _ = journal.append(entry(number)) }
        let whole = try Data(contentsOf: URL(filePath: folder("j")))
        var random = SeededRandom(seed: 3)
        for _ in 0..<500 {
            var damaged = whole
            let isHeader = Bool.random(using: &random)
            let index =
                isHeader ? Int.random(in: 0..<40, using: &random) : 4_096 + Int.random(in: 0..<1_000, using: &random)
            damaged[index] ^= UInt8.random(in: 1...255, using: &random)
            try damaged.write(to: URL(filePath: folder("damaged")))
            let numbers = found(journal, from: 0, "damaged")
            let intact = numbers.map { Array((1...10 as ClosedRange<UInt64>).prefix($0.count)) }
            #expect(numbers == intact)
            #expect((numbers == nil) == isHeader)
        }
        for length in [0, 1, 39, 40, 4_095, 4_096, 4_097, 5_000, 8_191] {
            try whole.prefix(length).write(to: URL(filePath: folder("short")))
            #expect(found(journal, from: 0, "short") == nil, "\(length)")
        }
    }

    @Test(arguments: [-1, -8, Int64.max, Int64.min]) func `an invalid position gives no entry`(
        stored: Int64
    ) throws {
        let position = UInt64(bitPattern: stored)
        let journal = try RecentsJournal(replacing: folder("j"), capacity: 4_096)
        while journal.append(entry(1, 100)) != nil {}
        #expect(found(journal, from: position) == [])
    }

    @Test func `random bytes with a valid checksum are read or refused`() {
        var random = SeededRandom(seed: 9)
        var bytes: [UInt8] = []
        entry(5).append(to: &bytes)
        for _ in 0..<20_000 {
            var other = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                other[Int.random(in: 0..<other.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if let entry = JournalEntry(other[...]) {
                var again: [UInt8] = []
                entry.append(to: &again)
                #expect(JournalEntry(again[...]) == entry)
            }
            _ = JournalEntry(random.bytes(Int.random(in: 0...60, using: &random))[...])
        }
    }

    @Test func `calls that the previous hub could not write are stored once at the next start`() throws {
        try makeKilledHubFiles([1, 2, 3], written: 1)
        for _ in 1...2 {
            let store = try Store(StoreSettings(folder("hub.db")))
            #expect(try store.load().storedData.flatMap(\.recents).map(\.call.id.low).sorted() == [1, 2, 3])
            store.close()
        }
    }

    @Test func `a call removed before the kill is not restored from the journal`() throws {
        try makeKilledHubFiles([1, 2, 3], written: 2) { file throws(StoreError) in
            try file.write([.recentsRemoved(nil)], of: "bob 1")
        }
        let store = try Store(StoreSettings(folder("hub.db")))
        #expect(try store.load().storedData.flatMap(\.recents).map(\.call.id.low).sorted() == [2, 3])
    }

    /// Makes the files of a killed hub: a journal with some calls, the first `written` of which are in the database.
    private func makeKilledHubFiles(
        _ numbers: [UInt64],
        written: Int,
        then: (StoreFile) throws(StoreError) -> Void = { _ throws(StoreError) in }
    ) throws {
        let file = try StoreFile(folder("hub.db"))
        let path = folder("hub.db.recents")
        let journal = try #require(file.recoverJournal(path, capacity: 4_096, warn: { Issue.record("\($0)") }))
        for (index, number) in numbers.enumerated() {
            let end = try #require(journal.append(entry(number)))
            guard index < written else { continue }
            try file.atomically { () throws(StoreError) in
                try file.addRecent(entry(number).call, of: entry(number).account)
                try file.setJournal(id: journal.id, position: end)
            }
        }
        try then(file)
    }

    @Test func `without a journal the hub runs, and logs one warning`() throws {
        try makeKilledHubFiles([1, 2], written: 0)
        // A folder in the way: as on a disk without room, nothing can be made there.
        let obstacle = folder("hub.db.recents.new")
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: true)
        let warnings = ReportedValues<String>()
        var settings = StoreSettings(folder("hub.db"))
        settings.warn = { warnings.add($0) }
        let store = try Store(settings)
        #expect(warnings.all.count == 1)
        let sentence =
            "calls that have just ended will be lost if the hub is killed: no journal can be created until there is free disk space: "
        #expect(warnings.all.first?.hasPrefix(sentence) == true)
        store.addRecent(call("third", id: 3), of: "bob")
        store.close()
        try FileManager.default.removeItem(atPath: obstacle)
        // Entries that were recovered then are not recovered again.
        try StoreFile(folder("hub.db")).write([.recentsRemoved(nil)], of: "bob 1")
        let next = try Store(StoreSettings(folder("hub.db")))
        #expect(try next.load().storedData.flatMap(\.recents).map(\.call.id.low).sorted() == [2, 3])
    }

    @Test(arguments: ["garbage", "foreign"]) func `an untrusted journal is set aside with a warning`(
        what: String
    ) throws {
        _ = try StoreFile(folder("hub.db"))
        let path = folder("hub.db.recents")
        if what == "garbage" {
            try Data(repeating: 7, count: 9_000).write(to: URL(filePath: path))
        } else {
            _ = try RecentsJournal(replacing: path, capacity: 4_096).append(entry(1))
        }
        let bytes = try Data(contentsOf: URL(filePath: path))
        let warnings = ReportedValues<String>()
        var settings = StoreSettings(folder("hub.db"))
        settings.warn = { warnings.add($0) }
        settings.clock = { Instant(nanoseconds: 5_000_000_000) }
        let store = try Store(settings)
        let reason = what == "garbage" ? "it is damaged, or no journal" : "it belongs to another database"
        #expect(
            warnings.all == [
                "\(path) was renamed to \(path).damaged-5: \(reason); calls that had just ended may be missing from Recents"
            ]
        )
        #expect(try Data(contentsOf: URL(filePath: path + ".damaged-5")) == bytes)
        #expect(try store.load().storedData.isEmpty)
    }

    @Test func `a full journal is counted, and the calls are stored all the same`() throws {
        var settings = StoreSettings(folder("hub.db"))
        settings.journalBytes = 4_096
        let store = try Store(settings)
        let gate = Gate(store)
        for number in 0..<100 { store.addRecent(call("\(number)"), of: "bob") }
        #expect((20..<80).contains(store.statistics.unjournaledCalls))
        gate.open()
        #expect(try store.recents("bob").count == 100)
        let counted = store.statistics.unjournaledCalls
        // There is room again.
        for number in 0..<10 { store.addRecent(call("\(number)"), of: "bob") }
        #expect(store.statistics.unjournaledCalls == counted)
        #expect(store.statistics.lostRecents == 0)
    }
}
