package import HubEngine

/// Appends JSON to bytes: members and elements in the order they are written, commas by itself.
///
/// Ours because a call's set-up is twenty notifications, and `JSONEncoder` builds a tree of boxes for each.
package struct JSONWriter {
    private var bytes: [UInt8]
    private let start: Int
    /// Of the seconds of a date: the wire has milliseconds, a recording loses nothing.
    var fractionDigits: Int

    /// Lets `body` append to `bytes`, without a copy.
    package static func write(
        into bytes: inout [UInt8],
        fractionDigits: Int = 3,
        _ body: (inout JSONWriter) -> Void
    ) {
        var writer = JSONWriter(bytes: [], start: bytes.count, fractionDigits: fractionDigits)
        swap(&writer.bytes, &bytes)
        body(&writer)
        swap(&writer.bytes, &bytes)
    }

    // MARK: Structure

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        body(&self)
        bytes.append(UInt8(ascii: "}"))
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
        bytes.append(UInt8(ascii: "["))
        for element in elements { body(&self, element) }
        bytes.append(UInt8(ascii: "]"))
    }

    /// The name of the member whose value is written next; names are our own and need no escape.
    package mutating func key(_ name: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    // MARK: Values

    package mutating func value(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy(Self.isPlain) {
            bytes.append(contentsOf: text.utf8)
        } else {
            for byte in text.utf8 { appendEscaped(byte) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func value<Kind>(_ identifier: Identifier<Kind>) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        identifier.appendUUIDText(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func value(_ instant: Instant) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        RFC3339.append(instant, fractionDigits: fractionDigits, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
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
        separate()
        bytes.append(contentsOf: text.bytes)
    }

    /// A number or a word of JSON, as it is.
    package mutating func literal(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
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

    /// A comma, unless this is the first thing after a bracket or a name.
    ///
    /// The last byte tells: no value ends in one of these three, and text that does has its closing quote behind it.
    private mutating func separate() {
        guard bytes.count > start else { return }
        switch bytes.last {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
        default: bytes.append(UInt8(ascii: ","))
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
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
