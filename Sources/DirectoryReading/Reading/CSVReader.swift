import CommandLineTools

/// Reads lines `number,label` or `number,block`, as spreadsheets write them (RFC 4180); the first may be a heading.
///
/// Where numbers have a decimal comma, spreadsheets separate fields by semicolons, and in "Unicode text" by
/// tabs. The separator of the first line counts for all.
struct CSVReader: DirectoryReader {
    private var lines: LineReader
    private let numbers: NumberReading
    private var waiting: [[UInt8]] = []
    private(set) var line = 0
    /// The byte between fields; nil: no line was read yet.
    private var separator: UInt8?

    /// The maximum length of a line in bytes.
    static let longestLine = 1 << 20

    init(_ lines: LineReader, _ numbers: NumberReading) {
        self.lines = lines
        self.numbers = numbers
    }

    mutating func next() throws(UsageError) -> Result<DirectoryFileEntry, BadLine>? {
        while let text = try nextLine() {
            let first = line
            let isFirst = first == 1
            let bytes = isFirst && text.starts(with: Self.byteOrderMark) ? Array(text.dropFirst(3)) : text
            guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { continue }
            if separator == nil { separator = CSVField.separator(in: bytes) }
            let fields: [CSVField]
            do throws(DirectoryFault) {
                fields = try record(bytes)
                if isFirst, Self.isHeading(fields) { continue }
                return .success(try read(fields))
            } catch {
                return .failure(BadLine(line: first, fault: error.text))
            }
        }
        return nil
    }

    private mutating func nextLine() throws(UsageError) -> [UInt8]? {
        let next: [UInt8]?
        if waiting.isEmpty { next = try lines.next()?.text } else { next = waiting.removeFirst() }
        guard var text = next else { return nil }
        line += 1
        if text.last == UInt8(ascii: "\r") { text.removeLast() }
        return text
    }

    /// The fields of the record that begins with a line; a quoted field may span several lines.
    private mutating func record(_ first: [UInt8]) throws(DirectoryFault) -> [CSVField] {
        var text = first
        var more: [[UInt8]] = []
        while true {
            switch CSVField.split(text, by: separator ?? UInt8(ascii: ",")) {
            case .success(let fields):
                return fields
            case .failure(.fault(let fault)):
                putBack(more)
                throw DirectoryFault(fault)
            case .failure(.isOpen):
                // The limits keep a missing quote from taking in the rest of the file.
                guard more.count < Self.mostLines, text.count < Self.longestRecord, let next = try? nextLine() else {
                    putBack(more)
                    throw DirectoryFault("a field begins with \" and does not end; it must end with \" too")
                }
                more.append(next)
                text += [UInt8(ascii: "\n")] + next
            }
        }
    }

    private mutating func putBack(_ lines: [[UInt8]]) {
        waiting = lines + waiting
        line -= lines.count
    }

    /// Indicates that the first line is a heading: its first field, of several, has no digit.
    private static func isHeading(_ fields: [CSVField]) -> Bool {
        guard let first = fields.first?.bytes, fields.count > 1 else { return false }
        return !first.isEmpty && !first.contains { (0x30...0x39).contains($0) }
    }

    private func read(_ fields: [CSVField]) throws(DirectoryFault) -> DirectoryFileEntry {
        guard fields.count == 2 else {
            let found = fields.count == 1 ? "one field" : "\(fields.count) fields"
            throw DirectoryFault("it has \(found); it must be number,name or number,block")
        }
        let number = try numbers.number(try fields[0].text())
        let second = try fields[1].text()
        if !fields[1].isQuoted, second.utf8.count < 16, second.trimmingSpaces.lowercased() == "block" {
            return .block(number)
        }
        let isOnOneLine = !second.utf8.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let label = isOnOneLine ? second : String(second.map { $0.isNewline ? " " : $0 })
        return .label(number, try directoryLabel(label))
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// The maximum number of further lines in one record.
    ///
    /// More: longer addresses as names; a forgotten quote costs more lines.
    private static let mostLines = 16
    private static let longestRecord = 8_192
}

/// A field of a record.
struct CSVField: Hashable {
    var bytes: [UInt8] = []
    var isQuoted = false

    /// The reason why a record cannot be split into fields.
    enum Failure: Error {
        /// The last field's quotes are open at the end of the text.
        case isOpen
        case fault(String)
    }

    func text() throws(DirectoryFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DirectoryFault("it is no UTF-8; save the file as UTF-8")
        }
        return text
    }

    /// Detects a file's separator from its first line: the first comma or semicolon outside quotes, else a tab.
    ///
    /// Without any of them it is a comma.
    static func separator(in line: [UInt8]) -> UInt8 {
        var isInQuotes = false
        var hasTab = false
        for byte in line {
            switch byte {
            case quote: isInQuotes.toggle()
            case UInt8(ascii: ","), UInt8(ascii: ";"): if !isInQuotes { return byte }
            case UInt8(ascii: "\t"): if !isInQuotes { hasTab = true }
            default: break
            }
        }
        return UInt8(ascii: hasTab ? "\t" : ",")
    }

    /// Splits a record into its fields.
    static func split(_ record: [UInt8], by separator: UInt8) -> Result<[CSVField], Failure> {
        var fields: [CSVField] = []
        var rest = record[...]
        while true {
            switch takeField(&rest, separator) {
            case .success(let field): fields.append(field)
            case .failure(let failure): return .failure(failure)
            }
            guard rest.popFirst() != nil else { return .success(fields) }
        }
    }

    /// Removes the first field of a record, up to the separator behind it.
    private static func takeField(_ rest: inout ArraySlice<UInt8>, _ separator: UInt8) -> Result<CSVField, Failure> {
        guard rest.first == quote else {
            let end = rest.firstIndex(of: separator) ?? rest.endIndex
            let field = CSVField(bytes: Array(rest[..<end]))
            rest = rest[end...]
            return .success(field)
        }
        var field = CSVField(isQuoted: true)
        rest.removeFirst()
        while let byte = rest.popFirst() {
            guard byte == quote else {
                field.bytes.append(byte)
                continue
            }
            switch rest.first {
            case quote:
                field.bytes.append(quote)
                rest.removeFirst()
            case nil, separator:
                return .success(field)
            default:
                return .failure(.fault("there is something behind the closing \"; a \" within a field is written \"\""))
            }
        }
        return .failure(.isOpen)
    }

    private static let quote = UInt8(ascii: "\"")
}
