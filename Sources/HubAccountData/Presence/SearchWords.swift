import HubEngine
@_spi(_Unicode) import Swift

/// The words of a text, as a search for people compares them: without case and marks.
struct SearchWords: Hashable, Sendable {
    /// The words in UTF-8, in front of each the byte 0, which no word has.
    private(set) var bytes: [UInt8] = []

    /// Creates an empty list.
    init() {}

    /// Creates the list of a text's words.
    init(_ text: String) { add(text) }

    /// Adds the words of a text: letters and digits in a row.
    mutating func add(_ text: String) {
        var isInWord = false
        for scalar in Self.folded(text) {
            guard scalar.isOfWord else {
                isInWord = false
                continue
            }
            if !isInWord { bytes.append(0) }
            isInWord = true
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// The words one by one.
    var words: [ArraySlice<UInt8>] { bytes.split(separator: 0) }

    /// Indicates that each of some words is the beginning of one of these.
    func match(_ wanted: [ArraySlice<UInt8>]) -> Bool {
        wanted.allSatisfy { has(wordBeginningWith: $0) }
    }

    private func has(wordBeginningWith prefix: ArraySlice<UInt8>) -> Bool {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: 0) {
            start = end + 1
            if bytes[start...].starts(with: prefix) { return true }
        }
        return false
    }

    /// Returns a text for comparison: in capitals and back, since that folds more than lower case alone ("ß" is "ss"),
    /// decomposed (UAX #15, form D), and without marks.
    static func folded(_ text: String) -> [Unicode.Scalar] {
        var scalars: [Unicode.Scalar] = []
        for scalar in text.uppercased().lowercased()._nfd
        where scalar.value < 0x300 || scalar.properties.canonicalCombiningClass == .notReordered {
            scalars.append(scalar)
        }
        return scalars
    }
}

extension Unicode.Scalar {
    fileprivate var isOfWord: Bool {
        switch value {
        case 0x30...0x39, 0x61...0x7A: return true
        case 0..<0x80: return false
        default: break
        }
        // The vowel signs of Indic scripts are marks that stay.
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: return properties.isAlphabetic || properties.numericType != nil
        }
    }
}
