import HubEngine

/// The pieces in which a table is sent: each fits into a message of the hub's.
struct DirectoryBatches {
    private let table: DirectoryTable
    private let identifier: String
    private let isIncremental: Bool
    private let longestMessage: Int
    private var nextNumber = 0
    private var nextLabel = 0
    private var lastBatch = 0

    init(_ table: DirectoryTable, _ identifier: String, isIncremental: Bool, longestMessage: Int) {
        self.table = table
        self.identifier = identifier
        self.isIncremental = isIncremental
        self.longestMessage = min(longestMessage, Self.largestMessage)
    }

    /// How many entries were given.
    var taken: Int { nextNumber + nextLabel }

    /// The next batch; nil: that was all.
    mutating func next() -> DirectoryLoad? {
        guard lastBatch == 0 || taken < table.count else { return nil }
        lastBatch += 1
        var load = DirectoryLoad(identifier, isIncremental: isIncremental)
        load.batch = lastBatch
        var room = longestMessage - Self.envelope - 6 * identifier.utf8.count
        while nextNumber < table.blocking.count {
            let number = table.blocking[nextNumber]
            let cost = digits(of: number) + 1
            guard cost <= room else { break }
            load.blocking.append(number)
            nextNumber += 1
            room -= cost
        }
        while nextNumber == table.blocking.count, nextLabel < table.labelCount {
            let (entry, cost) = table.entry(at: nextLabel)
            guard cost <= room else { break }
            load.identification.append(entry)
            nextLabel += 1
            room -= cost
        }
        load.isFinal = taken == table.count
        return load
    }

    /// What a message has besides the entries.
    private static let envelope = 512
    /// More: fewer messages; the hub reads each in one go, and nobody else's meanwhile.
    private static let largestMessage = 262_144
}
