/// Decodes the numbers of JSON5: decimal, hexadecimal, `Infinity` and `NaN`, with a sign or without.
package enum JSON5Number {
    /// Returns the value of a number; nil if the word is none, or is beyond what a `Double` holds.
    package static func value(of word: String) -> Double? {
        let isNegative = word.hasPrefix("-")
        guard let magnitude = magnitude(isNegative || word.hasPrefix("+") ? word.dropFirst() : word[...]) else {
            return nil
        }
        return isNegative ? -magnitude : magnitude
    }

    private static func magnitude(_ word: Substring) -> Double? {
        if word == "Infinity" { return .infinity }
        if word == "NaN" { return .nan }
        if word.hasPrefix("0x") || word.hasPrefix("0X") {
            // A Double holds 13 hexadecimal digits exactly.
            guard word.utf8.count <= 15 else { return nil }
            return hexadecimal(word.utf8.dropFirst(2)).map { Double($0) }
        }
        let decimal = /(?:(?:0|[1-9][0-9]*)\.?|(?:0|[1-9][0-9]*)?\.[0-9]+)(?:[eE][+-]?[0-9]+)?/
        guard word.wholeMatch(of: decimal) != nil else { return nil }
        return Double(word).flatMap { $0.isFinite ? $0 : nil }
    }

    private static func hexadecimal(_ digits: Substring.UTF8View) -> UInt64? {
        var value: UInt64 = 0
        for byte in digits {
            guard let digit = byte.hexDigitValue else { return nil }
            value = value << 4 | UInt64(digit)
        }
        return digits.isEmpty ? nil : value
    }
}
