import HubEngine

/// Texts as lines have them: without quotes where they need none.
enum Plain {
    /// A word, or a text in quotes.
    static func word(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, first != "#", let last = text.unicodeScalars.last, last != ",",
            last != ":", text.unicodeScalars.allSatisfy({ isSafe($0) && $0 != " " })
        else { return quoted(text) }
        return text
    }

    /// A title goes on to the line's end.
    static func title(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, first != " ", scalars.last != " ",
            scalars.allSatisfy({ isSafe($0) && $0 != "#" })
        else { return quoted(text) }
        return text
    }

    /// A text in quotes, with escapes where they are needed.
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

    /// A text that cannot end its line.
    static func comment(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.isShowable ? $0 : "�" }))
    }

    /// Words in a row: `alice, bob and carol`.
    static func listed(_ words: [String]) -> String { Suggestion.listed(words) }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && scalar.value != 0x7F && !["\"", "\\", "{", "}"].contains(scalar)
    }
}

extension Duration {
    /// As lines have it: `200 ms`, `1.5 s`.
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
