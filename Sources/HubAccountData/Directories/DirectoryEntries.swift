import HubEngine

/// The entries of a call directory extension.
struct DirectoryEntries: Hashable, Sendable {
    var blocking = SortedChunks<NumberChunk>()
    var identification = SortedChunks<LabelChunk>()

    var count: Int { blocking.count + identification.count }

    /// The memory of the entries, in bytes.
    var byteCount: Int { blocking.byteCount + identification.byteCount }
}

/// A load under way: its batches are collected, and stored together or not at all.
struct LoadInProgress: Hashable, Sendable {
    let session: SessionID
    let isIncremental: Bool
    private var lastBatch = 0
    /// The extension's new title; empty: none, nil: unchanged.
    private(set) var title: String?
    private var added = DirectoryEntries()
    private var removeBlocking: [Int64] = []
    private var removeIdentification: [Int64] = []
    private var removesAllBlocking = false
    private var removesAllIdentification = false
    /// The time at which the load times out.
    var deadline = Instant(nanoseconds: .max)

    init(_ load: DirectoryLoad, by session: SessionID) {
        self.session = session
        isIncremental = load.isIncremental
    }

    /// The number of collected entries and removals.
    var count: Int { added.count + removeBlocking.count + removeIdentification.count }

    /// The memory of the collected entries and removals, in bytes.
    var byteCount: Int {
        added.byteCount + (removeBlocking.count + removeIdentification.count) * MemoryLayout<Int64>.size
    }

    /// Adds a batch.
    mutating func collect(_ batch: DirectoryLoad) throws(AccountDataError) {
        guard batch.batch == lastBatch + 1 else {
            throw .directory(
                .loadingInterrupted,
                "batch \(lastBatch + 1) of this load is missing, \(batch.batch) was received; start again with batch 1"
            )
        }
        guard batch.isIncremental == isIncremental else {
            throw .invalidArgument("all batches of a load must have the same incremental; start again with batch 1")
        }
        guard isIncremental || !batch.removesAnything else {
            throw .directory(
                .unexpectedIncrementalRemoval,
                "a load that is not incremental replaces everything and can remove nothing"
            )
        }
        lastBatch = batch.batch
        title = batch.title ?? title
        for number in batch.blocking { try added.blocking.append(number) }
        for entry in batch.identification { try added.identification.append(entry) }
        removeBlocking += batch.removeBlocking
        removeIdentification += batch.removeIdentification
        removesAllBlocking = removesAllBlocking || batch.removesAllBlocking
        removesAllIdentification = removesAllIdentification || batch.removesAllIdentification
    }

    /// Returns an extension's entries after the load is stored: removals are applied first.
    func applied(to entries: DirectoryEntries) throws(AccountDataError) -> DirectoryEntries {
        guard isIncremental else { return added }
        var entries = entries
        if removesAllBlocking { entries.blocking = SortedChunks<NumberChunk>() }
        if removesAllIdentification { entries.identification = SortedChunks<LabelChunk>() }
        if !removeBlocking.isEmpty { entries.blocking.remove(ascending: removeBlocking.sorted()) }
        if !removeIdentification.isEmpty {
            entries.identification.remove(ascending: removeIdentification.sorted())
        }
        if added.blocking.count > 0 { try entries.blocking.insert(added.blocking) }
        if added.identification.count > 0 { try entries.identification.insert(added.identification) }
        return entries
    }
}

extension DirectoryLoad {
    /// The memory that a batch takes when it is collected, in bytes.
    var byteCount: Int {
        let numbers = blocking.count + removeBlocking.count + removeIdentification.count
        return identification.reduce(numbers * MemoryLayout<Int64>.size) { $0 + LabelChunk.byteCount(of: $1) }
    }

    fileprivate var removesAnything: Bool {
        removesAllBlocking || removesAllIdentification || !removeBlocking.isEmpty || !removeIdentification.isEmpty
    }
}
