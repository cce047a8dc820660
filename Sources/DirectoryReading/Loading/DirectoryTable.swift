package import HubAccountData
import HubEngine

/// The entries of a directory file, compactly: 16 bytes for each besides the labels' text.
///
/// The text of all labels is in one array.
package struct DirectoryTable {
    private struct Label {
        let number: Int64
        let start: UInt32
        let length: UInt16
    }

    private var labels: [Label] = []
    private var text: [UInt8] = []
    /// The numbers whose calls are blocked.
    package private(set) var blocking: [Int64] = []
    private var isSorted = true
    /// The number of duplicate entries that sorting has removed.
    package private(set) var duplicates = 0

    package init() {}

    /// The numbers that have names, each once.
    var namedNumbers: [Int64] {
        var numbers: [Int64] = []
        for label in labels where label.number != numbers.last { numbers.append(label.number) }
        return numbers
    }

    var labelCount: Int { labels.count }
    package var count: Int { labels.count + blocking.count }

    /// Adds the entry of a line; false: the table has as many entries as any hub accepts.
    package mutating func add(_ line: DirectoryFileEntry) -> Bool {
        guard count < Self.mostEntries else { return false }
        switch line {
        case .block(let number):
            if let last = blocking.last, last >= number { isSorted = false }
            blocking.append(number)
        case .label(let number, let label):
            guard let start = UInt32(exactly: text.count), let length = UInt16(exactly: label.utf8.count) else {
                return false
            }
            // The labels of one number keep their order in the file; duplicates are found when all lines are read.
            if let last = labels.last, last.number >= number { isSorted = false }
            labels.append(Label(number: number, start: start, length: length))
            text.append(contentsOf: label.utf8)
        }
        return true
    }

    /// Sorts the entries in the ascending order that a hub requires, and removes duplicates.
    mutating func sort() {
        guard !isSorted else { return }
        blocking.sort()
        labels.sort { ($0.number, $0.start) < ($1.number, $1.start) }
        let before = count
        removeRepeatedNumbers()
        removeRepeatedLabels()
        duplicates += before - count
        isSorted = true
    }

    private mutating func removeRepeatedNumbers() {
        var kept = 0
        for number in blocking where kept == 0 || blocking[kept - 1] != number {
            blocking[kept] = number
            kept += 1
        }
        blocking.removeLast(blocking.count - kept)
    }

    /// A number that has more names than a hub accepts; nil: there is none.
    private(set) var overfullNumber: Int64?

    private mutating func removeRepeatedLabels() {
        var kept = 0
        var firstOfNumber = 0
        for label in labels {
            if kept == 0 || labels[kept - 1].number != label.number { firstOfNumber = kept }
            let exists = labels[firstOfNumber..<kept].contains { bytes(of: $0).elementsEqual(bytes(of: label)) }
            guard !exists else { continue }
            guard kept - firstOfNumber < Self.mostLabelsOfANumber else {
                overfullNumber = label.number
                continue
            }
            labels[kept] = label
            kept += 1
        }
        labels.removeLast(labels.count - kept)
    }

    private func bytes(of label: Label) -> ArraySlice<UInt8> {
        text[Int(label.start)..<Int(label.start) + Int(label.length)]
    }

    /// The label entry at an index, and its size in a message in bytes.
    package func entry(at index: Int) -> (entry: DirectoryEntry, cost: Int) {
        let label = labels[index]
        let bytes = bytes(of: label)
        // {"number":493012345,"label":"…"}, with a \ in front of some characters, and a comma.
        let cost = bytes.reduce(23 + digits(of: label.number)) {
            $0 + ($1 < 0x20 ? 6 : $1 == 0x22 || $1 == 0x5C ? 2 : 1)
        }
        return (DirectoryEntry(label.number, String(decoding: bytes, as: UTF8.self)), cost)
    }

    /// The highest value of a hub's `limits.maximumDirectoryEntries`.
    private static let mostEntries = 10_000_000
    /// The maximum number of labels of one number (docs/protocol.md, directory.load).
    private static let mostLabelsOfANumber = 16
}

/// The number of decimal digits of a non-negative number.
package func digits(of number: Int64) -> Int {
    var (count, rest) = (1, number)
    while rest >= 10 {
        rest /= 10
        count += 1
    }
    return count
}
