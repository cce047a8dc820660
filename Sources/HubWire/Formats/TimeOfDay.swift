/// The minutes of a day as `HH:MM`, 00:00 to 23:59 (RFC 3339's partial-time without seconds).
enum TimeOfDay {
    /// Parses a time of day into minutes after midnight; nil if the text is none.
    static func minutes(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
        let digits = [bytes[0], bytes[1], bytes[3], bytes[4]]
        guard digits.allSatisfy(\.isDigit) else { return nil }
        let values = digits.map { Int($0 - UInt8(ascii: "0")) }
        let (hour, minute) = (values[0] * 10 + values[1], values[2] * 10 + values[3])
        return hour < 24 && minute < 60 ? hour * 60 + minute : nil
    }

    /// Formats minutes after midnight.
    static func text(_ minutes: Int) -> String {
        func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return twoDigits(minutes / 60) + ":" + twoDigits(minutes % 60)
    }
}
