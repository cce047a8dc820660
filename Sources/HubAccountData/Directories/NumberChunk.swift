import HubEngine

/// Blocked numbers, each once, ascending.
struct NumberChunk: SortedChunk {
    private var numbers: [Int64] = []

    static func number(of entry: Int64) -> Int64 { entry }

    static func byteCount(of entry: Int64) -> Int { MemoryLayout<Int64>.size }

    var count: Int { numbers.count }

    var byteCount: Int { numbers.count * MemoryLayout<Int64>.size }

    func number(at index: Int) -> Int64 { numbers[index] }

    mutating func append(_ number: Int64) throws(AccountDataError) {
        if let last = numbers.last {
            guard last <= number else { throw .outOfOrder(number, after: last) }
            guard last < number else { throw .duplicate("\(number) is blocked twice") }
        }
        numbers.append(number)
    }

    mutating func append(_ other: NumberChunk, _ range: Range<Int>) {
        numbers.append(contentsOf: other.numbers[range])
    }

    func checkIsNew(_ other: NumberChunk, _ index: Int) throws(AccountDataError) {
        guard numbers.last != other.numbers[index] else {
            throw .duplicate("\(other.numbers[index]) is blocked already")
        }
    }
}

extension NumberChunk {
    /// Appends the numbers as bytes: the count, then each as the difference to the one before.
    func append(to bytes: inout [UInt8]) {
        bytes.append(number: UInt64(count))
        var last: Int64 = 0
        for number in numbers {
            bytes.append(number: UInt64(bitPattern: number &- last))
            last = number
        }
    }

    /// Reads the bytes that `append(to:)` has written; nil if they are damaged.
    init?(_ reader: inout ByteReader) {
        guard let count = reader.count(upTo: reader.remaining), count > 0 else { return nil }
        numbers.reserveCapacity(count)
        var last: Int64 = 0
        for index in 0..<count {
            guard let step = reader.number() else { return nil }
            let number = last &+ Int64(bitPattern: step)
            guard index == 0 || number > last else { return nil }
            numbers.append(number)
            last = number
        }
    }
}

extension SortedChunks<NumberChunk> {
    func contains(_ number: Int64) -> Bool {
        guard let chunk = chunk(for: number) else { return false }
        let index = chunk.position(of: number)
        return index < chunk.count && chunk.number(at: index) == number
    }
}

extension AccountDataError {
    static func outOfOrder(_ number: Int64, after last: Int64) -> AccountDataError {
        .directory(.entriesOutOfOrder, "\(number) comes after \(last); numbers must be ascending in the whole load")
    }

    static func duplicate(_ what: String) -> AccountDataError {
        .directory(.duplicateEntries, "\(what); each entry may occur only once")
    }
}
