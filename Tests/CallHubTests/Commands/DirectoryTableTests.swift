import HubAccountData
import HubEngine
import HubSimulation
import HubWire
import Testing

@testable import DirectoryReading

/// Tests of the entries sent to a hub: sorted, without duplicates, in messages that it accepts.
struct DirectoryTableTests {
    private func table(_ lines: [DirectoryFileEntry]) -> DirectoryTable {
        var table = DirectoryTable()
        for line in lines {
            let isTaken = table.add(line)
            #expect(isTaken)
        }
        table.sort()
        return table
    }

    private func batches(_ table: DirectoryTable, longestMessage: Int) -> [DirectoryLoad] {
        var batches = DirectoryBatches(table, "spam", isIncremental: false, longestMessage: longestMessage)
        var loads: [DirectoryLoad] = []
        while let load = batches.next() { loads.append(load) }
        #expect(batches.taken == table.count)
        return loads
    }

    @Test func `entries are sorted, and duplicates are removed`() {
        let table = table([
            .label(3, "C"), .block(9), .label(1, "second"), .label(3, "C"), .block(2), .label(1, "first"), .block(9),
            .label(1, "second"),
        ])
        #expect(table.blocking == [2, 9])
        let entries = (0..<table.labelCount).map { table.entry(at: $0).entry }
        // Entries of one number keep their order: the first name is the one that is shown.
        #expect(entries == [DirectoryEntry(1, "second"), DirectoryEntry(1, "first"), DirectoryEntry(3, "C")])
        #expect(table.duplicates == 3)
        #expect(table.overfullNumber == nil)
    }

    @Test func `a number with more than sixteen labels is found`() {
        #expect(table((1...16).map { .label(7, "name \($0)") }).overfullNumber == nil)
        #expect(table((1...17).map { .label(7, "name \($0)") }).overfullNumber == 7)
    }

    @Test func `removals are sent before additions, and count towards the total`() {
        let gone = table((1...3_000).map { .block($0) } + [.label(1, "A"), .label(1, "B"), .label(7, "C")])
        var batches = DirectoryBatches(
            table([.label(1, "D")]),
            removing: gone,
            "spam",
            isIncremental: true,
            longestMessage: 4_096
        )
        var loads: [DirectoryLoad] = []
        while let load = batches.next() { loads.append(load) }
        #expect(loads.flatMap(\.removeBlocking) == Array(1...3_000))
        #expect(loads.flatMap(\.removeIdentification) == [1, 7])
        #expect(loads.flatMap(\.identification) == [DirectoryEntry(1, "D")])
        #expect(loads.map(\.isFinal) == Array(repeating: false, count: loads.count - 1) + [true])
        #expect(loads.allSatisfy { ClientRequest.accountData(.loadDirectory($0)).encoded.count <= 4_096 })
        #expect(batches.taken == 3_003)
    }

    @Test(arguments: [4_096, 65_536])
    func `every batch fits into a message, whatever the labels contain`(longestMessage: Int) throws {
        var random = SeededRandom(seed: 5)
        let letters = ["a", "\"", "\\", "ä", "李", "\u{1F600}", "/"]
        var lines: [DirectoryFileEntry] = []
        for _ in 0..<3_000 {
            let number = Int64.random(in: 1 ... .max - 1, using: &random)
            if Bool.random(using: &random) {
                lines.append(.block(number))
            } else {
                let length = Int.random(in: 1...60, using: &random)
                let label = (0..<length).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
                lines.append(.label(number, label))
            }
        }
        let table = table(lines)
        let loads = batches(table, longestMessage: longestMessage)
        #expect(loads.map(\.batch) == Array(1...loads.count))
        #expect(loads.map(\.isFinal) == Array(repeating: false, count: loads.count - 1) + [true])
        #expect(loads.flatMap(\.blocking) == table.blocking)
        #expect(loads.flatMap(\.identification).map(\.number) == loads.flatMap(\.identification).map(\.number).sorted())
        #expect(loads.reduce(0) { $0 + $1.blocking.count + $1.identification.count } == lines.count)
        for load in loads {
            let bytes = ClientRequest.accountData(.loadDirectory(load)).encoded.count
            #expect(bytes <= longestMessage)
            #expect(load.isFinal || load.blocking.isEmpty || bytes > longestMessage / 4, "it is not half empty")
        }
    }
}

extension ClientRequest {
    /// The encoded message that carries it.
    fileprivate var encoded: [UInt8] {
        var bytes: [UInt8] = []
        encode(id: .number("9223372036854775807"), into: &bytes)
        return bytes
    }
}
