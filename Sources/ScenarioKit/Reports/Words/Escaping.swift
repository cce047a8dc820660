/// Text as the formats of reports want it, whatever it holds.
extension StringProtocol {
    /// For XML and HTML, between tags and in an attribute in double quotes; on one line.
    var inMarkup: String { onOneLine.escaped(Self.markup) }

    /// Likewise, with its lines.
    var inMarkupOnItsLines: String { onItsLines.escaped(Self.markup) }

    /// A string of JSON, with its quotes; a string of YAML, too.
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

    /// The text, scalar by scalar: a combining character behind a `<` makes one `Character` of both.
    private func escaped(_ table: [Character: String]) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            text += table[Character(scalar)] ?? String(scalar)
        }
    }
}

extension Unicode.Scalar {
    /// Control characters; the line separators, which JavaScript and YAML take for line ends; what turns a terminal's text.
    fileprivate var needsNumberInJSON: Bool {
        value < 0x20 || 0x7F..<0xA0 ~= value || 0x2028...0x202E ~= value || 0x2066...0x2069 ~= value
            || value == 0xFEFF || value == 0xFFFE || value == 0xFFFF
    }

    /// Below 0x10000, as is all that needs it.
    fileprivate var inJSON: String {
        let digits = String(value, radix: 16)
        return "\\u" + String(repeating: "0", count: Swift.max(4 - digits.count, 0)) + digits
    }
}
