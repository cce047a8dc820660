import HubEngine

/// The entries of a call directory, ascending by number, in chunks of a few thousand, none of them empty.
///
/// Millions of entries are a few hundred chunks: a lookup takes some twenty steps, and a load that changes little
/// copies little. In one array, a small change would block the hub for the time it takes to copy all entries.
struct SortedChunks<Chunk: SortedChunk>: Hashable, Sendable {
    private(set) var chunks: [Chunk] = []
    private(set) var count = 0
    /// The memory of the entries, in bytes.
    private(set) var byteCount = 0

    /// Creates an empty list.
    init() {}

    /// Creates a list from chunks; nil if one is empty, or does not follow the one before.
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

    /// Returns the chunk that contains a number, if any does.
    func chunk(for number: Int64) -> Chunk? {
        let next = chunks.firstIndex(sortedWhere: { $0.number(at: 0) <= number })
        return next > 0 ? chunks[next - 1] : nil
    }

    /// Adds an entry at the end.
    mutating func append(_ entry: Chunk.Entry) throws(AccountDataError) {
        if chunks.last?.hasCapacity(before: Chunk.number(of: entry)) != true { chunks.append(Chunk()) }
        try chunks[chunks.count - 1].append(entry)
        count += 1
        byteCount += Chunk.byteCount(of: entry)
    }

    /// Removes all entries of some numbers; numbers without entries are ignored.
    mutating func remove(ascending numbers: [Int64]) {
        var rest = numbers[...]
        rebuild { chunk, bound in
            let run = rest.prefix(upTo: rest.firstIndex { $0 >= bound } ?? rest.endIndex)
            rest = rest[run.endIndex...]
            return run.isEmpty ? chunk : chunk.removing(run)
        }
    }

    /// Adds entries, each after those that its number has already.
    mutating func insert(_ added: SortedChunks) throws(AccountDataError) {
        guard count > 0 else { return self = added }
        var rest = Run(added)
        var refusal: AccountDataError?
        rebuild { chunk, bound in
            let run = rest.take(below: bound)
            guard run.count > 0, refusal == nil else { return chunk }
            do throws(AccountDataError) {
                return try chunk.inserting(run)
            } catch {
                refusal = error
                return chunk
            }
        }
        if let refusal { throw refusal }
    }

    /// Replaces each chunk by a function of it and the number below which all entries belong to it.
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

    /// An iterator over entries, ascending by number.
    private struct Run {
        private let chunks: [Chunk]
        private var chunk = 0
        private var index = 0

        init(_ entries: SortedChunks) {
            chunks = entries.chunks
        }

        /// Returns the next entries with numbers below `bound`, as one chunk of any size.
        mutating func take(below bound: Int64) -> Chunk {
            var run = Chunk()
            while chunk < chunks.count {
                let end = chunks[chunk].position(of: bound)
                run.append(chunks[chunk], index..<max(index, end))
                index = max(index, end)
                guard index == chunks[chunk].count else { break }
                (chunk, index) = (chunk + 1, 0)
            }
            return run
        }
    }
}

/// A contiguous list of entries, ascending by number.
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
    mutating func append(_ entry: Entry) throws(AccountDataError)
    /// Adds some of another chunk's entries at the end, unchecked.
    mutating func append(_ other: Self, _ range: Range<Int>)
    /// Refuses an entry of another chunk that is in this one already; only the last entries may have its number.
    func checkIsNew(_ other: Self, _ index: Int) throws(AccountDataError)
}

extension SortedChunk {
    /// Returns the first index of an entry whose number is not below `number`.
    func position(of number: Int64, from start: Int = 0) -> Int {
        firstPosition(from: start) { $0 < number }
    }

    /// Returns the first index of an entry whose number is above `number`.
    func position(after number: Int64, from start: Int = 0) -> Int {
        firstPosition(from: start) { $0 <= number }
    }

    private func firstPosition(from start: Int, where isBefore: (Int64) -> Bool) -> Int {
        var (low, high) = (start, count)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(number(at: middle)) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Indicates that an entry of a number may go into this chunk: the entries of one number stay together.
    fileprivate func hasCapacity(before number: Int64) -> Bool {
        count < entriesPerChunk || number <= self.number(at: count - 1)
    }

    /// Returns the chunk without the entries of some numbers.
    fileprivate func removing(_ numbers: ArraySlice<Int64>) -> Self {
        var kept = Self()
        var start = 0
        for number in numbers {
            let end = position(of: number, from: start)
            kept.append(self, start..<end)
            start = position(after: number, from: end)
        }
        kept.append(self, start..<count)
        return kept
    }

    /// Returns the chunk with additional entries, each after those that its number has already.
    fileprivate func inserting(_ added: Self) throws(AccountDataError) -> Self {
        var merged = Self()
        var start = 0
        for index in 0..<added.count {
            let end = position(after: added.number(at: index), from: start)
            merged.append(self, start..<end)
            try merged.checkIsNew(added, index)
            merged.append(added, index..<index + 1)
            start = end
        }
        merged.append(self, start..<count)
        return merged
    }

    /// Appends the chunk, split into several if it is too large; nothing if it is empty.
    fileprivate func split(into chunks: inout [Self]) {
        guard count > 2 * entriesPerChunk else {
            if count > 0 { chunks.append(self) }
            return
        }
        var start = 0
        while start < count {
            let middle = min(start + entriesPerChunk, count) - 1
            let end = position(after: number(at: middle), from: middle)
            var piece = Self()
            piece.append(self, start..<end)
            chunks.append(piece)
            start = end
        }
    }
}

/// The number of entries in a new chunk.
///
/// More: fewer chunks to search; more is copied for a change.
private let entriesPerChunk = 4_096
