/// The escaping of arbitrary text in the formats of reports.
extension StringProtocol {
    /// The text for XML and HTML, between tags and in attributes in double quotes; on one line.
    var inMarkup: String { onOneLine.escaped(Self.markup) }

    /// The text for XML and HTML, with its lines.
    var inMarkupPreservingLines: String { preservingLines.escaped(Self.markup) }

    /// The text as a JSON string with its quotes, which is also a YAML string.
    var inJSON: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            default: text += scalar.needsNumberInJSON ? scalar.inJSON : String(scalar)
            }
        }
        return text + "\""
    }

    private static var markup: [Character: String] {
        ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
    }

    /// Returns the escaped text, scalar by scalar: a `<` and a combining character are a single `Character`.
    private func escaped(_ table: [Character: String]) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            text += table[Character(scalar)] ?? String(scalar)
        }
    }
}

extension Unicode.Scalar {
    /// Indicates that JSON needs an escape: for control characters, Unicode's line separators and direction marks.
    fileprivate var needsNumberInJSON: Bool {
        value < 0x20 || 0x7F..<0xA0 ~= value || 0x2028...0x202E ~= value || 0x2066...0x2069 ~= value
            || value == 0xFEFF || value == 0xFFFE || value == 0xFFFF
    }

    /// The escape of a scalar below 0x10000; all that need one are.
    fileprivate var inJSON: String {
        let digits = String(value, radix: 16)
        return "\\u" + String(repeating: "0", count: Swift.max(4 - digits.count, 0)) + digits
    }
}
