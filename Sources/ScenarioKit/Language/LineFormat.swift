import HubEngine

/// Formatting of texts in lines, with quotes only if they are needed.
enum LineFormat {
    /// Formats a text as a word, or in quotes if it contains blanks or special characters.
    static func word(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, first != "#", let last = text.unicodeScalars.last, last != ",",
            last != ":", text.unicodeScalars.allSatisfy({ isSafe($0) && $0 != " " })
        else { return quoted(text) }
        return text
    }

    /// Formats a title, which extends to the line's end; in quotes if it contains special characters.
    static func title(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, first != " ", scalars.last != " ",
            scalars.allSatisfy({ isSafe($0) && $0 != "#" })
        else { return quoted(text) }
        return text
    }

    /// Formats a text in quotes, with escapes if they are needed.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\", "{", "}": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case let control where control.value < 0x20 || control.value == 0x7F:
                let hexadecimal = String(control.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Returns the text without control characters, which could end a comment's line.
    static func comment(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.isPrintable ? $0 : "�" }))
    }

    /// Joins words into a list: `alice, bob and carol`.
    static func listed(_ words: [String]) -> String { Suggestion.listed(words) }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && scalar.value != 0x7F && !["\"", "\\", "{", "}"].contains(scalar)
    }
}

extension Duration {
    /// The duration as lines contain it: `200 ms`, `1.5 s`.
    var text: String {
        let nanoseconds = wholeNanoseconds
        let isLong = nanoseconds >= 1_000_000_000 && nanoseconds % 1_000 == 0
        let unit: Int64 = isLong ? 1_000_000_000 : 1_000_000
        let whole = nanoseconds / unit
        var digits = String(nanoseconds % unit)
        digits = String(repeating: "0", count: (isLong ? 9 : 6) - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(whole)\(digits.isEmpty ? "" : ".")\(digits) \(isLong ? "s" : "ms")"
    }
}
