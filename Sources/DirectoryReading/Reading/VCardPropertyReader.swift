import CommandLineTools

/// A property of a vCard: `item1.TEL;TYPE=cell:+49 30 12345`.
struct VCardProperty {
    /// The property's name in capitals, without its group.
    let name: String
    /// The parameters in capitals; one without a name has its own value as a name (vCard 2.1).
    let parameters: [(name: String, value: String)]
    let value: [UInt8]
    /// The number of the line that the property begins in.
    let line: Int

    func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Indicates that the value is encoded as quoted-printable, such as `=C3=A4` (RFC 2045, 6.7).
    var isQuotedPrintable: Bool { Self.isQuotedPrintable(parameters) }

    fileprivate static func isQuotedPrintable(_ parameters: [(name: String, value: String)]) -> Bool {
        parameters.contains { $0.name == "QUOTED-PRINTABLE" || $0.name == "ENCODING" && $0.value == "QUOTED-PRINTABLE" }
    }

    /// Parses an unfolded line; nil: it has no colon.
    init?(_ text: [UInt8], line: Int) {
        guard let colon = Self.colon(in: text) else { return nil }
        let head = String(decoding: text[..<colon], as: UTF8.self)
        let parts = Self.split(head)
        name = String((parts[0].split(separator: ".").last ?? "")).uppercased()
        parameters = parts.dropFirst().map { part in
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = sides.count > 1 ? sides[1] : sides[0]
            return (sides[0].uppercased(), value.filter { $0 != "\"" }.uppercased())
        }
        value = Array(text[(colon + 1)...])
        self.line = line
    }

    /// Splits at the semicolons outside quotes.
    private static func split(_ head: String) -> [String] {
        var parts = [""]
        var isQuoted = false
        for character in head {
            if character == "\"" { isQuoted.toggle() }
            if character == ";", !isQuoted { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts
    }

    fileprivate static func colon(in text: [UInt8]) -> Int? {
        var isQuoted = false
        for (index, byte) in text.enumerated() {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: ":"), !isQuoted { return index }
        }
        return nil
    }
}

/// The properties of a file of vCards, with folded lines joined.
struct VCardPropertyReader {
    private var lines: LineReader
    /// The line that was read ahead.
    private var next: [UInt8]?
    /// The number of lines read so far.
    private(set) var line = 0
    /// Indicates that the space at a fold belongs to the text (vCard 2.1).
    var keepsFoldSpace = false

    init(_ lines: LineReader) {
        self.lines = lines
    }

    /// Reads the next property among those that the reader uses; nil: the end of the file.
    mutating func property() throws(UsageError) -> VCardProperty? {
        while var text = try take() {
            let first = line
            // Photos and the like are skipped, however long they are.
            let isUsed = Self.isUsed(text)
            while let more = try take() {
                let isFolded = more.first == 0x20 || more.first == 0x09
                let isSoftBreak = isUsed && text.last == UInt8(ascii: "=") && Self.isQuotedPrintable(text)
                guard isFolded || isSoftBreak else {
                    next = more
                    line -= 1
                    break
                }
                guard isUsed, text.count < Self.longestText else { continue }
                if isSoftBreak {
                    text.removeLast()
                    text += more
                } else {
                    text += keepsFoldSpace ? more[...] : more.dropFirst()
                }
            }
            if isUsed, let property = VCardProperty(text, line: first) { return property }
        }
        return nil
    }

    private mutating func take() throws(UsageError) -> [UInt8]? {
        var text: [UInt8]
        if let waiting = next {
            text = waiting
            next = nil
        } else {
            guard let read = try lines.next()?.text else { return nil }
            text = read
            if text.last == UInt8(ascii: "\r") { text.removeLast() }
            if line == 0, text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
        }
        line += 1
        return text
    }

    private static func isQuotedPrintable(_ text: [UInt8]) -> Bool {
        VCardProperty(text, line: 0)?.isQuotedPrintable ?? false
    }

    private static func isUsed(_ text: [UInt8]) -> Bool {
        let head = text.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
        let name = head.lastIndex(of: UInt8(ascii: ".")).map { head[($0 + 1)...] } ?? head
        return VCardReader.names.contains(String(decoding: name, as: UTF8.self).uppercased())
    }

    /// More than the length of any name or number.
    private static let longestText = 65_536
}
