/// What a JSON value can be read as.
protocol JSONReadable {
    /// Nil where the value is of another JSON type; the fault of something inside it is thrown.
    init?(_ value: JSONValue) throws(MemberFault)
}

extension String: JSONReadable {
    init?(_ value: JSONValue) {
        guard let string = value.string else { return nil }
        self = string
    }
}

extension Bool: JSONReadable {
    init?(_ value: JSONValue) {
        guard let flag = value.flag else { return nil }
        self = flag
    }
}

extension Double: JSONReadable {
    init?(_ value: JSONValue) {
        guard value.isNumber, let number = Double(String(decoding: value.text, as: UTF8.self)), number.isFinite else {
            return nil
        }
        self = number
    }
}

extension JSONReadable where Self: FixedWidthInteger {
    /// A whole number, however it is written: `7`, `7.0`, `70e-1`.
    init?(_ value: JSONValue) {
        guard value.isNumber else { return nil }
        if let whole = Self(String(decoding: value.text, as: UTF8.self)) {
            self = whole
        } else {
            // Beyond 2^53 a Double does not have every whole number.
            guard let number = Double(value), abs(number) < 0x1p53, let exact = Self(exactly: number) else {
                return nil
            }
            self = exact
        }
    }
}

extension Int: JSONReadable {}
extension Int64: JSONReadable {}
extension UInt32: JSONReadable {}
extension UInt64: JSONReadable {}

extension Array: JSONReadable where Element: JSONReadable {
    init?(_ value: JSONValue) throws(MemberFault) {
        var elements: [Element] = []
        let areAllRead = try value.forEachElement { (value) throws(MemberFault) in
            guard let element = try Element(value) else { return false }
            elements.append(element)
            return true
        }
        guard areAllRead else { return nil }
        self = elements
    }
}
