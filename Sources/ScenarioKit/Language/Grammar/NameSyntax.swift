/// The syntax of the names of parties, devices, calls and variables.
enum NameSyntax {
    /// Indicates that a word is the name of a party or a device: a small letter, then letters, digits, `-` and `_`.
    static func isParty(_ word: some StringProtocol) -> Bool {
        guard let first = word.unicodeScalars.first, first.properties.isAlphabetic, !first.properties.isUppercase else {
            return false
        }
        return word.unicodeScalars.allSatisfy(isPart)
    }

    /// Indicates that a word is the name of a call: a capital, then letters, digits, `-` and `_`.
    static func isCall(_ word: some StringProtocol) -> Bool {
        guard let first = word.unicodeScalars.first, first.properties.isUppercase else { return false }
        return word.unicodeScalars.allSatisfy(isPart)
    }

    /// Indicates that a word is the name of a variable: a letter, then letters, digits, `-` and `_`.
    static func isVariable(_ word: some StringProtocol) -> Bool {
        word.unicodeScalars.first?.properties.isAlphabetic == true && word.unicodeScalars.allSatisfy(isPart)
    }

    /// Returns the default name of a call by its number from 0: A to Z, then A1 to Z1 and so on.
    static func call(number: Int) -> String {
        let letter = Character(Unicode.Scalar(UInt8(ascii: "A") + UInt8(number % 26)))
        return number < 26 ? "\(letter)" : "\(letter)\(number / 26)"
    }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "-" || scalar == "_" { return true }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .nonspacingMark, .spacingMark:
            return true
        default:
            return false
        }
    }
}
