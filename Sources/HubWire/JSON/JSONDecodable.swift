/// A type that can be decoded from a JSON value.
protocol JSONDecodable {
    /// Nil if the value has another JSON type; throws the fault of a value inside it.
    init?(_ value: JSONValue) throws(JSONMemberError)
}

extension String: JSONDecodable {
    /// A text that can be compared quickly; its fault does not quote it, since it may be a secret.
    init?(_ value: JSONValue) throws(JSONMemberError) {
        guard let string = value.string else { return nil }
        guard string.isComparable else {
            let requirement = "have at most \(maximumCombiningMarks) combining marks in a row"
            throw JSONMemberError(path: value.path, kind: .invalidValue, requirement: requirement)
        }
        self = string
    }

    /// Indicates that no character of the text has too many combining marks.
    ///
    /// Swift compares and hashes strings in normal form (UAX #15), for which it sorts the marks of a character in time
    /// proportional to the square of their number. A message full of them would block the hub for seconds.
    private var isComparable: Bool {
        // The first combining mark is U+0300.
        guard utf8.contains(where: { $0 >= 0xCC }) else { return true }
        var marks = 0
        for scalar in unicodeScalars {
            marks = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
            if marks > maximumCombiningMarks { return false }
        }
        return true
    }
}

/// The maximum number of combining marks in a row.
///
/// Longer: more text that is in no language is accepted; comparing takes longer.
///
/// By UAX #15 (stream-safe text) no known language needs more than 30. A name of 256 bytes can have 128.
private let maximumCombiningMarks = 128

extension Bool: JSONDecodable {
    init?(_ value: JSONValue) {
        guard let flag = value.flag else { return nil }
        self = flag
    }
}

extension Double: JSONDecodable {
    init?(_ value: JSONValue) {
        guard value.isNumber, let number = Double(String(decoding: value.text, as: UTF8.self)), number.isFinite else {
            return nil
        }
        self = number
    }
}

extension JSONDecodable where Self: FixedWidthInteger {
    /// A whole number in any notation: `7`, `7.0`, `70e-1`.
    init?(_ value: JSONValue) {
        guard value.isNumber else { return nil }
        if let whole = Self(String(decoding: value.text, as: UTF8.self)) {
            self = whole
        } else {
            // Beyond 2^53 a Double cannot represent every whole number.
            guard let number = Double(value), abs(number) < 0x1p53, let exact = Self(exactly: number) else {
                return nil
            }
            self = exact
        }
    }
}

extension JSONValue {
    /// Indicates that a number is beyond the range of an integer type: of the right JSON type, but an invalid value.
    func isBeyond(_ type: Any.Type) -> Bool {
        guard type is any FixedWidthInteger.Type, isNumber,
            let number = Double(String(decoding: text, as: UTF8.self))
        else { return false }
        return abs(number) >= 0x1p53
    }
}

extension Int: JSONDecodable {}
extension Int64: JSONDecodable {}
extension UInt32: JSONDecodable {}
extension UInt64: JSONDecodable {}

extension Array: JSONDecodable where Element: JSONDecodable {
    init?(_ value: JSONValue) throws(JSONMemberError) {
        var elements: [Element] = []
        let areAllRead = try value.forEachElement { (value) throws(JSONMemberError) in
            guard let element = try Element(value) else {
                if value.isBeyond(Element.self) { throw JSONMemberError(.invalidValue, value, "be a smaller number") }
                return false
            }
            elements.append(element)
            return true
        }
        guard areAllRead else { return nil }
        self = elements
    }
}
