package import HubEngine

/// Appends JSON to bytes: members and elements in the order they are written, commas by itself.
///
/// Ours because a call's set-up is twenty notifications, and `JSONEncoder` builds a tree of boxes for each.
package struct JSONWriter {
    private var bytes: [UInt8]
    /// Whether a comma goes in front of what is written next: not after a bracket or a name, nor at the beginning.
    private var needsComma = false
    /// Of the seconds of a date: the wire has milliseconds, a recording loses nothing.
    var fractionDigits: Int

    /// Lets `body` append to `bytes`, without a copy.
    package static func write(
        into bytes: inout [UInt8],
        fractionDigits: Int = 3,
        _ body: (inout JSONWriter) -> Void
    ) {
        var writer = JSONWriter(bytes: [], fractionDigits: fractionDigits)
        swap(&writer.bytes, &bytes)
        body(&writer)
        swap(&writer.bytes, &bytes)
    }

    // MARK: Structure

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        body(&self)
        close(UInt8(ascii: "}"))
    }

    package mutating func object(_ name: String, _ body: (inout JSONWriter) -> Void) {
        key(name)
        object(body)
    }

    package mutating func array<Element>(
        _ name: String,
        _ elements: [Element],
        _ body: (inout JSONWriter, Element) -> Void
    ) {
        key(name)
        open(UInt8(ascii: "["))
        for element in elements { body(&self, element) }
        close(UInt8(ascii: "]"))
    }

    private mutating func open(_ bracket: UInt8) {
        append(1) { $0.append(bracket) }
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    /// The name of the member whose value is written next; names are our own and need no escape.
    package mutating func key(_ name: String) {
        let text = name.utf8.span
        append(text.count + 3) { room in
            room.append(UInt8(ascii: "\""))
            room.append(text)
            room.append(UInt8(ascii: "\""))
            room.append(UInt8(ascii: ":"))
        }
        needsComma = false
    }

    // MARK: Values

    package mutating func value(_ text: String) {
        let text = text.utf8.span
        append(text.count + 2) { room in
            room.append(UInt8(ascii: "\""))
            room.append(text)
            room.append(UInt8(ascii: "\""))
        }
        if !Self.isPlain(text) { escapeLast(text) }
    }

    package mutating func value<Kind>(_ identifier: Identifier<Kind>) {
        append(Identifier<Kind>.uuidTextCount + 2) { room in
            room.append(UInt8(ascii: "\""))
            identifier.appendUUIDText(to: &room)
            room.append(UInt8(ascii: "\""))
        }
    }

    package mutating func value(_ instant: Instant) {
        let fractionDigits = fractionDigits
        append(RFC3339.longestText + 2) { room in
            room.append(UInt8(ascii: "\""))
            RFC3339.append(instant, fractionDigits: fractionDigits, to: &room)
            room.append(UInt8(ascii: "\""))
        }
    }

    package mutating func value(_ flag: Bool) {
        literal(flag ? "true" : "false")
    }

    package mutating func value(_ number: some FixedWidthInteger) {
        literal(String(number))
    }

    package mutating func null() {
        literal("null")
    }

    mutating func value(_ text: JSONText) {
        let text = text.bytes.span
        append(text.count) { $0.append(text) }
    }

    /// A number or a word of JSON, as it is.
    package mutating func literal(_ text: String) {
        let text = text.utf8.span
        append(text.count) { $0.append(text) }
    }

    // MARK: Members

    package mutating func member(_ name: String, _ text: String) {
        key(name)
        value(text)
    }

    package mutating func member<Kind>(_ name: String, _ identifier: Identifier<Kind>) {
        key(name)
        value(identifier)
    }

    package mutating func member(_ name: String, _ flag: Bool) {
        key(name)
        value(flag)
    }

    package mutating func member(_ name: String, _ number: some FixedWidthInteger) {
        key(name)
        value(number)
    }

    package mutating func member(_ name: String, _ instant: Instant) {
        key(name)
        value(instant)
    }

    /// A member that is null where there is no value.
    package mutating func member<Value>(_ name: String, _ value: Value?, _ body: (inout JSONWriter, Value) -> Void) {
        key(name)
        if let value { body(&self, value) } else { null() }
    }

    /// A member that is left out where there is no value.
    package mutating func optional<Value>(_ name: String, _ value: Value?, _ body: (inout JSONWriter, Value) -> Void) {
        guard let value else { return }
        key(name)
        body(&self, value)
    }

    // MARK: Bytes

    /// Appends what `body` writes, at most `count` bytes, with a comma in front where there must be one.
    @inline(__always)
    private mutating func append(_ count: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
        let isFirst = !needsComma
        bytes.append(addingCapacity: count + 1) { room in
            if !isFirst { room.append(UInt8(ascii: ",")) }
            body(&room)
        }
        needsComma = true
    }

    private static func isPlain(_ text: borrowing Span<UInt8>) -> Bool {
        var isPlain = true
        // To the end in any case: so the compiler looks at many at once.
        for index in text.indices {
            let byte = text[index]
            isPlain = isPlain && byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        }
        return isPlain
    }

    /// Writes a text anew that was written last as it is, though it needs escapes.
    private mutating func escapeLast(_ text: borrowing Span<UInt8>) {
        bytes.removeLast(text.count + 1)
        for index in text.indices { appendEscaped(text[index]) }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case UInt8(ascii: "\n"):
            bytes.append(contentsOf: "\\n".utf8)
        case 0..<0x20:
            bytes.append(contentsOf: byte < 0x10 ? "\\u000".utf8 : "\\u00".utf8)
            bytes.append(contentsOf: String(byte, radix: 16).utf8)
        default:
            bytes.append(byte)
        }
    }
}
