/// Entries of a call directory, ascending by number: chunks of a few thousand, none of them empty.
///
/// Millions of entries are a few hundred chunks: one is found in some twenty steps, and a load that changes little copies
/// little. In one piece, a small change would hold the hub up for as long as it takes to copy all of them.
struct SortedChunks<Chunk: SortedChunk>: Hashable, Sendable {
    private(set) var chunks: [Chunk] = []
    private(set) var count = 0
    /// The memory of the entries, in bytes.
    private(set) var byteCount = 0

    /// No entries.
    init() {}

    /// Takes chunks as they are; nil: one is empty, or does not come after the one before.
    init?(_ chunks: [Chunk]) {
        var last: Int64?
        for chunk in chunks {
            guard chunk.count > 0, last.map({ $0 < chunk.number(at: 0) }) ?? true else { return nil }
            last = chunk.number(at: chunk.count - 1)
            count += chunk.count
            byteCount += chunk.byteCount
        }
        self.chunks = chunks
    }

    /// The chunk that a number is in, if it is anywhere.
    func chunk(for number: Int64) -> Chunk? {
        let next = chunks.firstIndex(sortedWhere: { $0.number(at: 0) <= number })
        return next > 0 ? chunks[next - 1] : nil
    }

    /// Adds an entry at the end.
    mutating func append(_ entry: Chunk.Entry) throws(MemoryRefusal) {
        if chunks.last?.hasRoom(before: Chunk.number(of: entry)) != true { chunks.append(Chunk()) }
        try chunks[chunks.count - 1].append(entry)
        count += 1
        byteCount += Chunk.byteCount(of: entry)
    }

    /// Takes all entries of some numbers out; numbers that are not there are no matter.
    mutating func remove(ascending numbers: [Int64]) {
        var rest = numbers[...]
        rebuild { chunk, bound in
            let run = rest.prefix(upTo: rest.firstIndex { $0 >= bound } ?? rest.endIndex)
            rest = rest[run.endIndex...]
            return run.isEmpty ? chunk : chunk.removing(run)
        }
    }

    /// Adds entries, each behind those that its number has.
    mutating func insert(_ added: SortedChunks) throws(MemoryRefusal) {
        guard count > 0 else { return self = added }
        var rest = Run(added)
        var refusal: MemoryRefusal?
        rebuild { chunk, bound in
            let run = rest.take(below: bound)
            guard run.count > 0, refusal == nil else { return chunk }
            do throws(MemoryRefusal) {
                return try chunk.inserting(run)
            } catch {
                refusal = error
                return chunk
            }
        }
        if let refusal { throw refusal }
    }

    /// Makes each chunk anew, of its old self and the number below which everything goes into it.
    private mutating func rebuild(_ change: (Chunk, _ bound: Int64) -> Chunk) {
        var changed: [Chunk] = []
        changed.reserveCapacity(chunks.count)
        for (index, chunk) in chunks.enumerated() {
            let bound = index + 1 < chunks.count ? chunks[index + 1].number(at: 0) : .max
            change(chunk, bound).split(into: &changed)
        }
        chunks = changed
        count = changed.reduce(0) { $0 + $1.count }
        byteCount = changed.reduce(0) { $0 + $1.byteCount }
    }

    /// Entries that are used up from the smallest on.
    private struct Run {
        private let chunks: [Chunk]
        private var chunk = 0
        private var index = 0

        init(_ entries: SortedChunks) {
            chunks = entries.chunks
        }

        /// Those of smaller numbers, as one chunk of whatever size.
        mutating func take(below bound: Int64) -> Chunk {
            var run = Chunk()
            while chunk < chunks.count {
                let end = chunks[chunk].place(of: bound)
                run.append(chunks[chunk], index..<max(index, end))
                index = max(index, end)
                guard index == chunks[chunk].count else { break }
                (chunk, index) = (chunk + 1, 0)
            }
            return run
        }
    }
}

/// Entries in one piece, ascending by number.
protocol SortedChunk: Hashable, Sendable {
    associatedtype Entry

    static func number(of entry: Entry) -> Int64
    /// The memory of an entry, in bytes.
    static func byteCount(of entry: Entry) -> Int

    init()
    var count: Int { get }
    /// The memory of all entries, in bytes.
    var byteCount: Int { get }
    func number(at index: Int) -> Int64
    /// Adds an entry at the end; refuses one that does not belong there.
    mutating func append(_ entry: Entry) throws(MemoryRefusal)
    /// Adds some of another chunk's entries at the end, unchecked.
    mutating func append(_ other: Self, _ range: Range<Int>)
    /// Refuses an entry of another chunk where it is in this one already; only the last entries may be of its number.
    func checkIsNew(_ other: Self, _ index: Int) throws(MemoryRefusal)
}

extension SortedChunk {
    /// The first place of an entry that is not of a smaller number.
    func place(of number: Int64, from start: Int = 0) -> Int {
        firstPlace(from: start) { $0 < number }
    }

    /// The first place of an entry of a greater number.
    func place(after number: Int64, from start: Int = 0) -> Int {
        firstPlace(from: start) { $0 <= number }
    }

    private func firstPlace(from start: Int, where isBefore: (Int64) -> Bool) -> Int {
        var (low, high) = (start, count)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(number(at: middle)) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether an entry of that number may go into this chunk: the entries of one number are never parted.
    fileprivate func hasRoom(before number: Int64) -> Bool {
        count < entriesOfAChunk || number <= self.number(at: count - 1)
    }

    /// The chunk without the entries of some numbers.
    fileprivate func removing(_ numbers: ArraySlice<Int64>) -> Self {
        var kept = Self()
        var start = 0
        for number in numbers {
            let end = place(of: number, from: start)
            kept.append(self, start..<end)
            start = place(after: number, from: end)
        }
        kept.append(self, start..<count)
        return kept
    }

    /// The chunk with some entries more, each behind those that its number has.
    fileprivate func inserting(_ added: Self) throws(MemoryRefusal) -> Self {
        var merged = Self()
        var start = 0
        for index in 0..<added.count {
            let end = place(after: added.number(at: index), from: start)
            merged.append(self, start..<end)
            try merged.checkIsNew(added, index)
            merged.append(added, index..<index + 1)
            start = end
        }
        merged.append(self, start..<count)
        return merged
    }

    /// Appends the chunk, or as many as are made of it where it is too large; none where it is empty.
    fileprivate func split(into chunks: inout [Self]) {
        guard count > 2 * entriesOfAChunk else {
            if count > 0 { chunks.append(self) }
            return
        }
        var start = 0
        while start < count {
            let middle = min(start + entriesOfAChunk, count) - 1
            let end = place(after: number(at: middle), from: middle)
            var piece = Self()
            piece.append(self, start..<end)
            chunks.append(piece)
            start = end
        }
    }
}

/// Entries that a chunk is filled with.
///
/// More: fewer chunks to look through; more is copied for a change.
private let entriesOfAChunk = 4_096
