import HubEngine
import HubWire

/// Normalises telephone numbers as people write them to a directory's form: country code and digits.
package struct NumberReading {
    /// The country of numbers that begin with 0; nil: such a number is a bad line.
    package var country: CountryCode?

    package init(country: CountryCode? = nil) { self.country = country }

    /// Parses a telephone number.
    ///
    /// - Throws: `DirectoryFault` if the text is no number, or has no country code and none is configured.
    package func number(_ text: String) throws(DirectoryFault) -> Int64 {
        let normalized = Self.withoutTypography(text)
        if let number = Handle(type: .phoneNumber, value: international(normalized)).phoneNumber { return number }
        if country == nil, Self.isNational(normalized) {
            throw DirectoryFault(
                "\(quoted(text)) has no country code; write it like +49 30 12345, or say --country-code 49 where 49 is its"
                    + " country's"
            )
        }
        throw DirectoryFault("\(quoted(text)) is no number; it must be country code and digits, such as +49 30 12345")
    }

    /// The number with its country code, if the text or the configured country gives one.
    private func international(_ text: String) -> String {
        // +49 (0)30 12345: the 0 is dialled only within the country, or belongs to the number.
        if text.hasPrefix("+"), let zero = text.firstRange(of: "(0)") {
            return text.replacingCharacters(zero, by: CountryCode.keepsZero(text) ? "0" : "")
        }
        guard let country, Self.isNational(text) else { return text }
        let digits = String(text.filter { !Self.isBetweenDigits($0) })
        return digits.hasPrefix("00") ? "+" + digits.dropFirst(2) : country.international(digits)
    }

    /// Indicates that a number begins with 0, as no number with a country code does.
    private static func isNational(_ text: String) -> Bool {
        let digits = text.filter { !isBetweenDigits($0) }
        return digits.count > 1 && digits.first == "0" && digits.allSatisfy { ("0"..."9").contains($0) }
    }

    private static func isBetweenDigits(_ character: Character) -> Bool { " -()./".contains(character) }

    /// Removes directional marks, and replaces typographic spaces and dashes by plain ones.
    private static func withoutTypography(_ text: String) -> String {
        var normalized = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: continue
            case 0xA0, 0x2000...0x200A, 0x202F: normalized.append(" ")
            case 0x2010...0x2015, 0x2212: normalized.append("-")
            default: normalized.append(scalar)
            }
        }
        return String(normalized).trimmingSpaces
    }
}

/// A country's calling code, and the prefix of its national numbers.
package struct CountryCode {
    /// The code's one to three digits.
    package let digits: String

    /// Parses a text like 49 or +49; nil: it is no country code.
    package init?(_ text: String) {
        digits = String(text.hasPrefix("+") ? text.dropFirst() : text[...])
        guard (1...3).contains(digits.utf8.count), digits.first != "0",
            digits.allSatisfy({ ("0"..."9").contains($0) })
        else { return nil }
    }

    /// The international form of one of the country's numbers that begins with 0.
    func international(_ national: String) -> String {
        let prefix = Self.longPrefixes[digits] ?? "0"
        guard !Self.withZero.contains(digits), national.hasPrefix(prefix) else { return "+" + digits + national }
        return "+" + digits + national.dropFirst(prefix.count)
    }

    /// Indicates that an international number's country keeps the 0 of its national numbers.
    static func keepsZero(_ international: String) -> Bool {
        withZero.contains { international.dropFirst().hasPrefix($0) }
    }

    /// The countries whose 0 is part of the number and no prefix.
    ///
    /// They are Benin, Congo, Italy, Ivory Coast, San Marino and the Vatican.
    private static let withZero = ["225", "229", "242", "378", "379", "39"]
    /// The national prefixes that are longer than a 0 (Hungary).
    private static let longPrefixes = ["36": "06"]
}

extension String {
    /// The text with a range of it replaced.
    fileprivate func replacingCharacters(_ range: Range<Index>, by other: String) -> String {
        self[..<range.lowerBound] + other + self[range.upperBound...]
    }
}
