/// A JSON text that was validated strictly (RFC 8259), with an index of its values.
///
/// It is parsed in one pass; a value is decoded only when it is read.
struct JSONDocument {
    /// The byte range of a value or of a member's name, and the extent of its children in the index.
    struct Place {
        /// The offset of the first byte.
        var start: Int
        /// The offset after the last byte.
        var end: Int
        /// The index of the first place after the value and its children.
        var next: Int
    }

    let bytes: [UInt8]
    /// The places of all values in preorder, each member's name before its value; never empty.
    let places: [Place]

    /// Parses exactly one JSON value, in UTF-8 without a byte order mark.
    init(_ bytes: [UInt8]) throws(JSONScanner.Fault) {
        var scanner = JSONScanner(bytes, keepsPlaces: true)
        try scanner.checkDocument()
        self.bytes = bytes
        places = scanner.places
    }

    /// The outermost value.
    var root: JSONValue { JSONValue(document: self, index: 0) }
}

/// One value of a JSON text.
package struct JSONValue {
    let document: JSONDocument
    /// The value's index among the document's places.
    let index: Int

    private var place: JSONDocument.Place { document.places[index] }

    /// The value's text as it was sent.
    var text: ArraySlice<UInt8> { document.bytes[place.start..<place.end] }

    private var first: UInt8 { document.bytes[place.start] }

    var isObject: Bool { first == UInt8(ascii: "{") }
    var isArray: Bool { first == UInt8(ascii: "[") }
    var isNull: Bool { first == UInt8(ascii: "n") }
    var isNumber: Bool { first == UInt8(ascii: "-") || first.isDigit }

    /// The Boolean value; nil if the value is not true or false.
    var flag: Bool? {
        switch first {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }

    /// The decoded string; nil if the value is not a string.
    package var string: String? {
        guard first == UInt8(ascii: "\"") else { return nil }
        return JSONScanner.string(text.dropFirst().dropLast())
    }

    // MARK: Children

    /// The value of a member, the first one with that name; nil if there is none or the value is no object.
    package func member(_ name: String) -> JSONValue? {
        guard isObject else { return nil }
        var index = index + 1
        while index < place.next {
            if JSONValue(document: document, index: index).isString(name) {
                return JSONValue(document: document, index: index + 1)
            }
            index = document.places[index + 1].next
        }
        return nil
    }

    /// Calls `body` with each element until it returns false; false if it did, or if the value is no array.
    func forEachElement(_ body: (JSONValue) throws(MemberFault) -> Bool) throws(MemberFault) -> Bool {
        guard isArray else { return false }
        var index = index + 1
        while index < place.next {
            guard try body(JSONValue(document: document, index: index)) else { return false }
            index = document.places[index].next
        }
        return true
    }

    private func isString(_ wanted: String) -> Bool {
        JSONScanner.isString(text.dropFirst().dropLast(), wanted)
    }

    // MARK: Path

    /// A step from a value to a child.
    enum Step: Hashable {
        case member(String)
        case element(Int)
    }

    /// The path from the outermost value, which is computed only for error messages.
    var path: [Step] {
        var path: [Step] = []
        var around = document.root
        while around.index < index, let (step, inner) = around.step(towards: index) {
            path.append(step)
            around = inner
        }
        return path
    }

    /// The child that is, or contains, another value, with the step to it.
    private func step(towards wanted: Int) -> (Step, JSONValue)? {
        var (index, number) = (index + 1, 0)
        while index < place.next {
            let name = isObject ? JSONValue(document: document, index: index).string : nil
            if isObject { index += 1 }
            let next = document.places[index].next
            if wanted < next {
                return (name.map(Step.member) ?? .element(number), JSONValue(document: document, index: index))
            }
            (index, number) = (next, number + 1)
        }
        return nil
    }
}
