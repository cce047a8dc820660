/// One value of a JSON text.
package struct JSONValue {
    let document: JSONDocument
    /// The value's index among the document's places.
    let index: Int

    private var node: JSONDocument.Node { document.nodes[index] }

    /// The value's text as it was sent.
    package var text: ArraySlice<UInt8> { document.bytes[node.start..<node.end] }

    /// The offset of the value's first byte in the document.
    package var start: Int { node.start }

    /// The offset after the value's last byte in the document.
    package var end: Int { node.end }

    private var first: UInt8 { document.bytes[node.start] }

    package var isObject: Bool { first == UInt8(ascii: "{") }
    package var isArray: Bool { first == UInt8(ascii: "[") }
    package var isNull: Bool { first == UInt8(ascii: "n") }
    package var isNumber: Bool { first == UInt8(ascii: "-") || first.isDigit }

    /// The Boolean value; nil if the value is not true or false.
    package var flag: Bool? {
        switch first {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }

    /// The decoded string; nil if the value is not a string.
    package var string: String? {
        guard first == UInt8(ascii: "\"") else { return nil }
        return JSONString.text(text.dropFirst().dropLast())
    }

    // MARK: Children

    /// The value of a member, the first one with that name; nil if there is none or the value is no object.
    package func member(_ name: String) -> JSONValue? {
        guard isObject else { return nil }
        var index = index + 1
        while index < node.next {
            if JSONValue(document: document, index: index).isString(name) {
                return JSONValue(document: document, index: index + 1)
            }
            index = document.nodes[index + 1].next
        }
        return nil
    }

    /// Calls `body` with each element until it returns false; false if it did, or if the value is no array.
    func forEachElement(_ body: (JSONValue) throws(JSONMemberError) -> Bool) throws(JSONMemberError) -> Bool {
        guard isArray else { return false }
        var index = index + 1
        while index < node.next {
            guard try body(JSONValue(document: document, index: index)) else { return false }
            index = document.nodes[index].next
        }
        return true
    }

    /// The members of an object, in the document's order; empty for any other value.
    package var members: [(name: JSONValue, value: JSONValue)] {
        guard isObject else { return [] }
        var members: [(name: JSONValue, value: JSONValue)] = []
        var index = index + 1
        while index < node.next {
            let (name, value) = (JSONValue(document: document, index: index), index + 1)
            members.append((name, JSONValue(document: document, index: value)))
            index = document.nodes[value].next
        }
        return members
    }

    /// The elements of an array, in order; empty for any other value.
    package var elements: [JSONValue] {
        guard isArray else { return [] }
        var elements: [JSONValue] = []
        var index = index + 1
        while index < node.next {
            elements.append(JSONValue(document: document, index: index))
            index = document.nodes[index].next
        }
        return elements
    }

    /// The decoded text of a JSON5 string or of a member's name, with quotes of either kind or without.
    package var json5Text: String { JSONString.name(text) }

    private func isString(_ wanted: String) -> Bool {
        JSONString.isText(text.dropFirst().dropLast(), wanted)
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
        while index < node.next {
            let name = isObject ? JSONValue(document: document, index: index).string : nil
            if isObject { index += 1 }
            let next = document.nodes[index].next
            if wanted < next {
                return (name.map(Step.member) ?? .element(number), JSONValue(document: document, index: index))
            }
            (index, number) = (next, number + 1)
        }
        return nil
    }
}
