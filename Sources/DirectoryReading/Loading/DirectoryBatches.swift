package import HubAccountData
import HubEngine

/// The batches that a table is sent in; each fits into one message of the hub's.
package struct DirectoryBatches {
    private let table: DirectoryTable
    private let unblocked: [Int64]
    private let unnamed: [Int64]
    private let identifier: String
    private let isIncremental: Bool
    private let longestMessage: Int
    private var nextUnblocked = 0
    private var nextUnnamed = 0
    private var nextNumber = 0
    private var nextLabel = 0
    private var lastBatch = 0

    /// Creates the batches of a load: the removals first, then the additions.
    package init(
        _ table: DirectoryTable,
        removing gone: DirectoryTable = DirectoryTable(),
        _ identifier: String,
        isIncremental: Bool,
        longestMessage: Int
    ) {
        self.table = table
        unblocked = gone.blocking
        unnamed = gone.namedNumbers
        self.identifier = identifier
        self.isIncremental = isIncremental
        self.longestMessage = min(longestMessage, Self.largestMessage)
    }

    /// The number of entries in the batches so far.
    package var taken: Int { nextUnblocked + nextUnnamed + nextNumber + nextLabel }

    private var count: Int { unblocked.count + unnamed.count + table.count }

    /// The next batch; nil: there are no more.
    package mutating func next() -> DirectoryLoad? {
        guard lastBatch == 0 || taken < count else { return nil }
        lastBatch += 1
        var load = DirectoryLoad(identifier, isIncremental: isIncremental)
        load.batch = lastBatch
        var room = longestMessage - Self.envelope - 6 * identifier.utf8.count
        Self.fill(&load.removeBlocking, from: unblocked, at: &nextUnblocked, &room)
        Self.fill(&load.removeIdentification, from: unnamed, at: &nextUnnamed, &room)
        Self.fill(&load.blocking, from: table.blocking, at: &nextNumber, &room)
        while nextLabel < table.labelCount {
            let (entry, cost) = table.entry(at: nextLabel)
            guard cost <= room else { break }
            load.identification.append(entry)
            nextLabel += 1
            room -= cost
        }
        load.isFinal = taken == count
        return load
    }

    /// Moves numbers from `all` to `list` while they fit into `room` bytes.
    private static func fill(_ list: inout [Int64], from all: [Int64], at next: inout Int, _ room: inout Int) {
        while next < all.count {
            let cost = digits(of: all[next]) + 1
            guard cost <= room else { return }
            list.append(all[next])
            next += 1
            room -= cost
        }
    }

    /// The bytes of a message that are reserved for all but the entries.
    private static let envelope = 512
    /// More: fewer messages; the hub reads each in one go, and reads no other connection meanwhile.
    private static let largestMessage = 262_144
}
