/// Numbers with names, the names' text in one piece: twelve bytes an entry besides its text.
///
/// A number may have several names; the first of them is shown.
struct LabelChunk: SortedChunk {
    private var numbers: [Int64] = []
    /// Where each name's text ends; it begins where the one before ends.
    private var ends: [UInt32] = []
    private var text: [UInt8] = []

    static func number(of entry: DirectoryEntry) -> Int64 { entry.number }

    var count: Int { numbers.count }

    func number(at index: Int) -> Int64 { numbers[index] }

    func label(at index: Int) -> String { String(decoding: text[span(of: index)], as: UTF8.self) }

    mutating func append(_ entry: DirectoryEntry) throws(MemoryRefusal) {
        if let last = numbers.last, last > entry.number { throw .outOfOrder(entry.number, after: last) }
        try checkIsNew(entry.label.utf8, of: entry.number)
        numbers.append(entry.number)
        text.append(contentsOf: entry.label.utf8)
        ends.append(UInt32(truncatingIfNeeded: text.count))
    }

    mutating func append(_ other: LabelChunk, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        let first = other.begin(of: range.lowerBound)
        let offset = text.count - first
        numbers.append(contentsOf: other.numbers[range])
        for end in other.ends[range] { ends.append(UInt32(truncatingIfNeeded: Int(end) + offset)) }
        text.append(contentsOf: other.text[first..<other.begin(of: range.upperBound)])
    }

    func checkIsNew(_ other: LabelChunk, _ index: Int) throws(MemoryRefusal) {
        try checkIsNew(other.text[other.span(of: index)], of: other.numbers[index])
    }

    /// Looks at the names that the number has already, which are the last ones, and few.
    private func checkIsNew(_ label: some Sequence<UInt8>, of number: Int64) throws(MemoryRefusal) {
        var index = count - 1
        while index >= 0, numbers[index] == number {
            guard !text[span(of: index)].elementsEqual(label) else {
                throw .duplicate("\(number) has the same label twice")
            }
            index -= 1
        }
        guard count - 1 - index < MemoryLimits.maximumLabelsOfANumber else {
            throw .directory(
                .maximumEntriesExceeded,
                "\(number) has too many labels; at most \(MemoryLimits.maximumLabelsOfANumber) are kept of a number"
            )
        }
    }

    private func begin(of index: Int) -> Int { index > 0 ? Int(ends[index - 1]) : 0 }

    private func span(of index: Int) -> Range<Int> { begin(of: index)..<Int(ends[index]) }
}

extension SortedChunks<LabelChunk> {
    /// The name to be shown for a number.
    func label(of number: Int64) -> String? {
        guard let chunk = chunk(for: number) else { return nil }
        let index = chunk.place(of: number)
        return index < chunk.count && chunk.number(at: index) == number ? chunk.label(at: index) : nil
    }
}
