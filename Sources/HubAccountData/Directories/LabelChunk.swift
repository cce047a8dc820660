import HubEngine

/// Numbers with labels, the labels' text in one array: twelve bytes for each entry beside its text.
///
/// A number may have several labels; the first of them is shown.
struct LabelChunk: SortedChunk {
    private var numbers: [Int64] = []
    /// The end of each label in `text`; a label begins at the end of the one before.
    private var ends: [UInt32] = []
    private var text: [UInt8] = []

    static func number(of entry: DirectoryEntry) -> Int64 { entry.number }

    static func byteCount(of entry: DirectoryEntry) -> Int { bytesBesideText + entry.label.utf8.count }

    /// The bytes of an entry beside its text: its number and the end of its text.
    private static let bytesBesideText = MemoryLayout<Int64>.size + MemoryLayout<UInt32>.size

    var count: Int { numbers.count }

    var byteCount: Int { numbers.count * Self.bytesBesideText + text.count }

    func number(at index: Int) -> Int64 { numbers[index] }

    func label(at index: Int) -> String { String(decoding: text[span(of: index)], as: UTF8.self) }

    mutating func append(_ entry: DirectoryEntry) throws(AccountDataError) {
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

    func checkIsNew(_ other: LabelChunk, _ index: Int) throws(AccountDataError) {
        try checkIsNew(other.text[other.span(of: index)], of: other.numbers[index])
    }

    /// Compares with the labels that the number has already, which are the last ones, and few.
    private func checkIsNew(_ label: some Sequence<UInt8>, of number: Int64) throws(AccountDataError) {
        var index = count - 1
        while index >= 0, numbers[index] == number {
            guard !text[span(of: index)].elementsEqual(label) else {
                throw .duplicate("\(number) has the same label twice")
            }
            index -= 1
        }
        guard count - 1 - index < AccountDataLimits.maximumLabelsPerNumber else {
            throw .directory(
                .maximumEntriesExceeded,
                "\(number) has too many labels; at most \(AccountDataLimits.maximumLabelsPerNumber) are kept of a number"
            )
        }
    }

    private func begin(of index: Int) -> Int { index > 0 ? Int(ends[index - 1]) : 0 }

    private func span(of index: Int) -> Range<Int> { begin(of: index)..<Int(ends[index]) }
}

extension LabelChunk {
    /// Appends the entries as bytes: the count, the differences of the numbers, the labels' lengths and text.
    func append(to bytes: inout [UInt8]) {
        bytes.append(number: UInt64(count))
        var last: Int64 = 0
        for number in numbers {
            bytes.append(number: UInt64(bitPattern: number &- last))
            last = number
        }
        for index in 0..<count { bytes.append(number: UInt64(span(of: index).count)) }
        bytes.append(contentsOf: text)
    }

    /// Reads the bytes that `append(to:)` has written; nil if they are damaged.
    init?(_ reader: inout ByteReader) {
        guard let count = reader.count(upTo: reader.remaining), count > 0 else { return nil }
        numbers.reserveCapacity(count)
        ends.reserveCapacity(count)
        var last: Int64 = 0
        for index in 0..<count {
            guard let step = reader.number() else { return nil }
            let number = last &+ Int64(bitPattern: step)
            guard index == 0 || number >= last else { return nil }
            numbers.append(number)
            last = number
        }
        var length = 0
        for _ in 0..<count {
            guard let bytes = reader.count(upTo: reader.remaining) else { return nil }
            length += bytes
            guard length <= UInt32.max else { return nil }
            ends.append(UInt32(length))
        }
        guard let names = reader.take(length), takeText(names), isInOrder() else {
            return nil
        }
    }

    /// Takes over the labels' bytes; false if they are not UTF-8.
    private mutating func takeText(_ names: ArraySlice<UInt8>) -> Bool {
        guard (try? UTF8Span(validating: names.span)) != nil else { return false }
        text = Array(names)
        return true
    }

    /// Indicates that each label begins with a character, and no number has too many labels or one of them twice.
    private func isInOrder() -> Bool {
        var first = 0
        for index in 0..<count {
            let span = span(of: index)
            guard span.isEmpty || text[span.lowerBound] & 0xC0 != 0x80 else { return false }
            if numbers[first] != numbers[index] { first = index }
            guard index - first < AccountDataLimits.maximumLabelsPerNumber else { return false }
            for other in first..<index where text[self.span(of: other)] == text[span] { return false }
        }
        return true
    }
}

extension SortedChunks<LabelChunk> {
    /// Returns the label to show for a number.
    func label(of number: Int64) -> String? {
        guard let chunk = chunk(for: number) else { return nil }
        let index = chunk.position(of: number)
        return index < chunk.count && chunk.number(at: index) == number ? chunk.label(at: index) : nil
    }
}
