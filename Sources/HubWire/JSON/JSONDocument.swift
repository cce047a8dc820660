/// A JSON text that has been checked (RFC 8259, to the letter), and where each of its values lies in it.
///
/// One pass over the bytes makes it; a value is made of its text only when somebody asks for it.
struct JSONDocument {
    /// Where a value, or a member's name, lies: its bytes, and what is inside it.
    struct Place {
        /// Its first byte.
        var start: Int
        /// One past its last byte.
        var end: Int
        /// The place of what comes after it and all that is inside it.
        var next: Int
    }

    let bytes: [UInt8]
    /// Each value before what is inside it, each member's name before its value; never empty.
    let places: [Place]

    /// Reads exactly one JSON value, in UTF-8 without a byte order mark.
    init(_ bytes: [UInt8]) throws(JSONScanner.Fault) {
        var scanner = JSONScanner(bytes, keepsPlaces: true)
        try scanner.checkDocument()
        self.bytes = bytes
        places = scanner.places
    }

    /// The value that it is.
    var root: JSONValue { JSONValue(document: self, index: 0) }
}

/// One value of a JSON text.
struct JSONValue {
    let document: JSONDocument
    /// Its place among the document's.
    let index: Int

    private var place: JSONDocument.Place { document.places[index] }

    /// Its text as it was sent.
    var text: ArraySlice<UInt8> { document.bytes[place.start..<place.end] }

    private var first: UInt8 { document.bytes[place.start] }

    var isObject: Bool { first == UInt8(ascii: "{") }
    var isArray: Bool { first == UInt8(ascii: "[") }
    var isNull: Bool { first == UInt8(ascii: "n") }
    var isNumber: Bool { first == UInt8(ascii: "-") || first.isDigit }

    /// Its value where it is true or false.
    var flag: Bool? {
        switch first {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }

    /// Its value where it is a string.
    var string: String? {
        guard first == UInt8(ascii: "\"") else { return nil }
        return JSONScanner.string(text.dropFirst().dropLast())
    }

    // MARK: What is inside

    /// The value of a member; of several with that name the first, nil where there is none or this is no object.
    func member(_ name: String) -> JSONValue? {
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

    /// Calls `body` with each element, until it gives false; false: it did, or this is no array.
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

    // MARK: Where it is

    /// A step from a value to one inside it.
    enum Step: Hashable {
        case member(String)
        case element(Int)
    }

    /// The way to it from the outermost value; looked for only where a fault has to be told.
    var path: [Step] {
        var path: [Step] = []
        var around = document.root
        while around.index < index, let (step, inner) = around.step(towards: index) {
            path.append(step)
            around = inner
        }
        return path
    }

    /// The value directly in this one that is, or holds, another one.
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
