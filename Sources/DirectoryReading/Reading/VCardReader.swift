import CommandLineTools
import Foundation

/// Reads vCards of versions 2.1, 3.0 (RFC 2426) and 4.0 (RFC 6350): each telephone number with its card's name.
struct VCardReader: DirectoryReader {
    private var lines: VCardPropertyReader
    private let numbers: NumberReading
    private var found: [Result<DirectoryFileEntry, BadLine>] = []
    private var card = Card()
    /// The nesting depth in vCards; a card within another's AGENT (2.1) is skipped.
    private var depth = 0
    private var isAgent = false

    /// The maximum length of a line in bytes; photos are long lines.
    static let longestLine = 32 << 20
    /// The names of the properties that the reader uses.
    static let names: Set<String> = ["BEGIN", "END", "VERSION", "FN", "N", "ORG", "TEL", "AGENT"]

    var line: Int { lines.line }

    init(_ lines: LineReader, _ numbers: NumberReading) {
        self.lines = VCardPropertyReader(lines)
        self.numbers = numbers
    }

    mutating func next() throws(UsageError) -> Result<DirectoryFileEntry, BadLine>? {
        while found.isEmpty {
            guard let property = try lines.property() else {
                guard depth > 0 else { return nil }
                depth = 0
                return .failure(card.missingEnd)
            }
            take(property)
        }
        return found.popLast()
    }

    private mutating func take(_ property: VCardProperty) {
        defer { isAgent = property.name == "AGENT" }
        switch property.name {
        case "BEGIN" where property.isCardBoundary:
            if depth > 0, !isAgent { found = [.failure(card.missingEnd)] }
            depth = depth > 0 && isAgent ? depth + 1 : 1
            if depth == 1 { card = Card(line: property.line) }
        case "END" where property.isCardBoundary:
            if depth == 1 { found = card.entries(numbers).reversed() }
            depth = max(0, depth - 1)
            lines.keepsFoldSpace = false
        default:
            guard depth == 1 else { return }
            if property.name == "VERSION" { lines.keepsFoldSpace = property.value.starts(with: "2.1".utf8) }
            card.take(property)
        }
    }

    /// The properties of a vCard that have been read so far.
    private struct Card {
        var line = 0
        private var names: [String: VCardProperty] = [:]
        private var numbers: [VCardProperty] = []
        private var hasTooMany = false

        init(line: Int = 0) {
            self.line = line
        }

        /// The error of a vCard whose END is missing.
        var missingEnd: BadLine { BadLine(line: line, fault: "this vCard does not end; it must end with END:VCARD") }

        mutating func take(_ property: VCardProperty) {
            switch property.name {
            case "TEL" where numbers.count < Self.mostNumbers: numbers.append(property)
            case "TEL": hasTooMany = true
            // The first of several names counts.
            case "FN", "N", "ORG": if names[property.name] == nil { names[property.name] = property }
            default: break
            }
        }

        /// An entry or an error for each number; none for a card without numbers.
        func entries(_ reading: NumberReading) -> [Result<DirectoryFileEntry, BadLine>] {
            guard let first = numbers.first else { return [] }
            var entries: [Result<DirectoryFileEntry, BadLine>] = []
            do throws(DirectoryFault) {
                let label = try label()
                entries = numbers.map { number in
                    do throws(DirectoryFault) {
                        return .success(.label(try reading.number(try number.telephoneNumber()), label))
                    } catch {
                        return .failure(BadLine(line: number.line, fault: error.text))
                    }
                }
            } catch {
                entries = [
                    .failure(BadLine(line: names["FN"]?.line ?? names["N"]?.line ?? first.line, fault: error.text))
                ]
            }
            if hasTooMany {
                let fault = "this vCard has more than \(Self.mostNumbers) numbers; it must have fewer"
                entries.append(.failure(BadLine(line: line, fault: fault)))
            }
            return entries
        }

        /// The card's name: FN, the components of N, or the organisation.
        private func label() throws(DirectoryFault) -> String {
            for name in ["FN", "N", "ORG"] {
                guard let property = names[name] else { continue }
                let parts = VCardText.parts(of: try VCardText.text(of: property))
                let words =
                    switch name {
                    case "FN": [parts.joined(separator: ";")]
                    // Family, given, additional, before and after the name.
                    case "N": [3, 1, 2, 0, 4].compactMap { $0 < parts.count ? parts[$0] : nil }
                    default: parts
                    }
                let label = words.map(\.trimmingSpaces).filter { !$0.isEmpty }.joined(separator: " ")
                if !label.isEmpty { return try directoryLabel(label) }
            }
            throw DirectoryFault("this vCard has numbers and no name; it must have FN or N")
        }

        /// More than any person has, and few enough to need little memory.
        private static let mostNumbers = 1_000
    }
}

extension VCardProperty {
    fileprivate var isCardBoundary: Bool {
        String(decoding: value, as: UTF8.self).trimmingSpaces.uppercased() == "VCARD"
    }

    /// The number in a TEL: plain text, or a URI `tel:+49-30-12345;ext=1` (RFC 3966).
    fileprivate func telephoneNumber() throws(DirectoryFault) -> String {
        let text = try VCardText.text(of: self).trimmingSpaces
        if text.lowercased().hasPrefix("tel:") {
            let number = String(text.dropFirst(4).prefix { $0 != ";" })
            return number.removingPercentEncoding ?? number
        }
        return VCardText.parts(of: text).joined(separator: ";")
    }
}
