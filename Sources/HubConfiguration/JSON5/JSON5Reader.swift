import HubWire

/// Reads JSON5 (spec.json5.org), and reports the position of the first error and the expected syntax.
///
/// HubWire's JSON parser parses the text; this type converts its values to a tree and its errors to sentences.
/// Duplicate keys are errors, and nesting is limited to ``maximumDepth``.
struct JSON5Reader {
    /// The maximum nesting depth of objects and arrays.
    static let maximumDepth = JSONDocument.maximumDepth

    private let text: [UInt8]

    private init(_ text: [UInt8]) { self.text = text }

    /// Parses a text as one JSON5 value.
    static func read(_ text: [UInt8]) throws(JSON5Fault) -> JSON5Value {
        let reader = JSON5Reader(text)
        try reader.checkEncoding()
        do throws(JSONSyntaxError) {
            return try reader.tree(JSONDocument(json5: text).root)
        } catch {
            throw reader.fault(error)
        }
    }

    private func checkEncoding() throws(JSON5Fault) {
        var rest = text.makeIterator()
        var decoder = UTF8()
        var valid = 0
        while true {
            switch decoder.decode(&rest) {
            case .scalarValue(let scalar) where scalar != "\0": valid += UTF8.width(scalar)
            case .emptyInput: return
            case .scalarValue, .error: throw fault(at: valid, "the file is not UTF-8 text.")
            }
        }
    }

    // MARK: Values

    private func tree(_ value: JSONValue) throws(JSONSyntaxError) -> JSON5Value {
        if value.isObject { return .object(try members(value)) }
        if value.isArray { return .array(try elements(value)) }
        if value.text.first == UInt8(ascii: "\"") || value.text.first == UInt8(ascii: "'") {
            return .string(value.json5Text)
        }
        if value.isNull { return .null }
        if let flag = value.flag { return .bool(flag) }
        return .number(JSON5Number.value(of: value.json5Text) ?? .nan)
    }

    private func members(_ object: JSONValue) throws(JSONSyntaxError) -> [String: JSON5Value] {
        var members: [String: JSON5Value] = [:]
        for (name, value) in object.members {
            let key = name.json5Text
            guard members.updateValue(try tree(value), forKey: key) == nil else {
                throw .wrong(at: name.start, "\(quoted(key)) is set for the second time here; once is right.")
            }
        }
        return members
    }

    private func elements(_ array: JSONValue) throws(JSONSyntaxError) -> [JSON5Value] {
        var values: [JSON5Value] = []
        for element in array.elements { values.append(try tree(element)) }
        return values
    }

    // MARK: Faults

    private func fault(_ fault: JSONSyntaxError) -> JSON5Fault {
        switch fault {
        case .wrong(let position, let sentence): return self.fault(at: position, sentence)
        case .tooDeep(let position):
            return self.fault(at: position, "this is nested deeper than \(Self.maximumDepth) levels.")
        case .unexpected(let position, _) where text[position...].starts(with: "/*".utf8):
            return self.fault(at: position, "the comment that begins here has no \"*/\" at its end.")
        case .unexpected(let position, let expected):
            return self.fault(at: position, "expected \(expected), found \(found(at: position)).")
        }
    }

    /// The word or the character at a place, for an error message.
    private func found(at position: Int) -> String {
        let word = text[position...].prefix { $0.isWordByte }
        guard let first = String(decoding: text[position...].prefix(4), as: UTF8.self).unicodeScalars.first else {
            return "the end of the file"
        }
        if !word.isEmpty, !("0"..."9").contains(first) { return quoted(String(decoding: word, as: UTF8.self)) }
        if (0x21...0x7E).contains(first.value) { return "\"\(first)\"" }
        return "the character U+" + String(first.value, radix: 16, uppercase: true)
    }

    private func fault(at position: Int, _ message: String) -> JSON5Fault {
        let before = text.prefix(position)
        let line = before.lastIndex(of: UInt8(ascii: "\n")).map { before[($0 + 1)...] } ?? before
        return JSON5Fault(
            line: 1 + before.count { $0 == UInt8(ascii: "\n") },
            column: 1 + String(decoding: line, as: UTF8.self).unicodeScalars.count,
            message: message
        )
    }
}

extension UInt8 {
    /// Indicates an ASCII letter, a digit, `_` or `$`.
    fileprivate var isWordByte: Bool {
        (0x30...0x39).contains(self) || (0x61...0x7A).contains(self | 0x20) || self == UInt8(ascii: "_")
            || self == UInt8(ascii: "$")
    }
}
