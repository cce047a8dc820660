package import HubEngine

/// Appends JSON to bytes: members and elements in the order of the calls, with commas between them.
///
/// An own writer since a call's set-up is twenty notifications, and `JSONEncoder` builds a tree of boxes for each.
package struct JSONWriter {
    /// The written bytes, and room for more.
    private var bytes: [UInt8]
    /// The offset after the last written byte.
    private var end: Int
    /// Indicates that a comma precedes the next value: not after a bracket or a name, nor at the beginning.
    private var needsComma = false
    /// The digits of a date's fraction of a second: 3 on the wire, all in an event log.
    var fractionDigits: Int

    /// Lets `body` append to `bytes` without a copy.
    package static func write(
        into bytes: inout [UInt8],
        fractionDigits: Int = 3,
        _ body: (inout JSONWriter) -> Void
    ) {
        var writer = JSONWriter(bytes: [], end: bytes.count, fractionDigits: fractionDigits)
        swap(&writer.bytes, &bytes)
        body(&writer)
        writer.bytes.removeLast(writer.bytes.count - writer.end)
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
        array(elements, body)
    }

    package mutating func array<Element>(_ elements: [Element], _ body: (inout JSONWriter, Element) -> Void) {
        open(UInt8(ascii: "["))
        for element in elements { body(&self, element) }
        close(UInt8(ascii: "]"))
    }

    private mutating func open(_ bracket: UInt8) {
        append(1) { $0.put(bracket, &$1) }
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        needsComma = false
        append(1) { $0.put(bracket, &$1) }
    }

    /// Writes the name of the member whose value is written next; it must need no escape.
    package mutating func key(_ name: String) {
        let name = name.utf8.span
        append(name.count + 3) { $0.put(key: name, &$1) }
        needsComma = false
    }

    // MARK: Values

    package mutating func value(_ text: String) {
        let text = text.utf8.span
        if Self.isPlain(text) {
            append(text.count + 2) { $0.put(quoted: text, &$1) }
        } else {
            appendEscaped(text)
        }
    }

    /// Writes a string that needs no escape.
    mutating func value(keyword: String) {
        let keyword = keyword.utf8.span
        append(keyword.count + 2) { $0.put(quoted: keyword, &$1) }
    }

    package mutating func value<Kind>(_ identifier: Identifier<Kind>) {
        append(Identifier<Kind>.uuidTextCount + 2) { $0.put(identifier, &$1) }
    }

    package mutating func value(_ instant: Instant) {
        let fractionDigits = fractionDigits
        append(RFC3339.maximumTextLength + 2) { $0.put(instant, fractionDigits: fractionDigits, &$1) }
    }

    package mutating func value(_ flag: Bool) {
        literal(flag ? "true" : "false")
    }

    package mutating func value(_ number: some FixedWidthInteger) {
        append(MutableSpan<UInt8>.maximumDecimalLength) { $0.put(number, &$1) }
    }

    package mutating func null() {
        literal("null")
    }

    mutating func value(_ text: RawJSON) {
        let text = text.bytes.span
        append(text.count) { $0.put(text, &$1) }
    }

    /// Writes a number or a JSON keyword unchanged.
    package mutating func literal(_ text: String) {
        let text = text.utf8.span
        append(text.count) { $0.put(text, &$1) }
    }

    // MARK: Members

    package mutating func member(_ name: String, _ text: String) {
        let (name, text) = (name.utf8.span, text.utf8.span)
        guard Self.isPlain(text) else {
            append(name.count + 3) { $0.put(key: name, &$1) }
            needsComma = false
            return appendEscaped(text)
        }
        append(name.count + 3 + text.count + 2) { buffer, cursor in
            buffer.put(key: name, &cursor)
            buffer.put(quoted: text, &cursor)
        }
    }

    /// Writes a member whose value is a string that needs no escape.
    package mutating func member(_ name: String, keyword: String) {
        let (name, keyword) = (name.utf8.span, keyword.utf8.span)
        append(name.count + 3 + keyword.count + 2) { buffer, cursor in
            buffer.put(key: name, &cursor)
            buffer.put(quoted: keyword, &cursor)
        }
    }

    package mutating func member<Kind>(_ name: String, _ identifier: Identifier<Kind>) {
        let name = name.utf8.span
        append(name.count + 3 + Identifier<Kind>.uuidTextCount + 2) { buffer, cursor in
            buffer.put(key: name, &cursor)
            buffer.put(identifier, &cursor)
        }
    }

    package mutating func member(_ name: String, _ flag: Bool) {
        let (name, keyword) = (name.utf8.span, (flag ? "true" : "false").utf8.span)
        append(name.count + 3 + keyword.count) { buffer, cursor in
            buffer.put(key: name, &cursor)
            buffer.put(keyword, &cursor)
        }
    }

    package mutating func member(_ name: String, _ number: some FixedWidthInteger) {
        let name = name.utf8.span
        append(name.count + 3 + MutableSpan<UInt8>.maximumDecimalLength) { buffer, cursor in
            buffer.put(key: name, &cursor)
            buffer.put(number, &cursor)
        }
    }

    package mutating func member(_ name: String, _ instant: Instant) {
        let (name, fractionDigits) = (name.utf8.span, fractionDigits)
        append(name.count + 3 + RFC3339.maximumTextLength + 2) { buffer, cursor in
            buffer.put(key: name, &cursor)
            buffer.put(instant, fractionDigits: fractionDigits, &cursor)
        }
    }

    /// Writes a member that is null if there is no value.
    package mutating func member<Value>(_ name: String, _ value: Value?, _ body: (inout JSONWriter, Value) -> Void) {
        key(name)
        if let value { body(&self, value) } else { null() }
    }

    /// Writes a member that is left out if there is no value.
    package mutating func optional<Value>(_ name: String, _ value: Value?, _ body: (inout JSONWriter, Value) -> Void) {
        guard let value else { return }
        key(name)
        body(&self, value)
    }

    // MARK: Bytes

    /// Appends what `body` writes, at most `count` bytes, after a comma if one is needed.
    @inline(__always)
    private mutating func append(_ count: Int, _ body: (inout MutableSpan<UInt8>, inout Int) -> Void) {
        if bytes.count - end <= count { ensureCapacity(for: count + 1) }
        let needsComma = needsComma
        var cursor = end
        var buffer = bytes.mutableSpan
        if needsComma { buffer.put(UInt8(ascii: ","), &cursor) }
        body(&buffer, &cursor)
        end = cursor
        self.needsComma = true
    }

    /// More: fewer checks; more zeros are written for nothing.
    private static let growthStep = 1_024

    @inline(never)
    private mutating func ensureCapacity(for count: Int) {
        let count = max(count, Self.growthStep)
        bytes.append(addingCapacity: count) { $0.append(repeating: 0, count: count) }
    }

    private static func isPlain(_ text: borrowing Span<UInt8>) -> Bool {
        var isPlain = true
        // Without an early exit, so that the compiler vectorises the loop.
        for index in text.indices {
            let byte = text[index]
            isPlain = isPlain && byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        }
        return isPlain
    }

    private mutating func appendEscaped(_ text: borrowing Span<UInt8>) {
        append(1) { $0.put(UInt8(ascii: "\""), &$1) }
        needsComma = false
        for index in text.indices {
            let byte = text[index]
            append(6) { $0.put(escaped: byte, &$1) }
            needsComma = false
        }
        append(1) { $0.put(UInt8(ascii: "\""), &$1) }
    }
}

extension MutableSpan<UInt8> {
    @inline(__always)
    fileprivate mutating func put(key name: borrowing Span<UInt8>, _ cursor: inout Int) {
        put(quoted: name, &cursor)
        put(UInt8(ascii: ":"), &cursor)
    }

    @inline(__always)
    fileprivate mutating func put<Kind>(_ identifier: Identifier<Kind>, _ cursor: inout Int) {
        put(UInt8(ascii: "\""), &cursor)
        identifier.putUUIDText(into: &self, &cursor)
        put(UInt8(ascii: "\""), &cursor)
    }

    @inline(__always)
    fileprivate mutating func put(_ instant: Instant, fractionDigits: Int, _ cursor: inout Int) {
        put(UInt8(ascii: "\""), &cursor)
        RFC3339.put(instant, fractionDigits: fractionDigits, into: &self, &cursor)
        put(UInt8(ascii: "\""), &cursor)
    }

    @inline(__always)
    fileprivate mutating func put(_ number: some FixedWidthInteger, _ cursor: inout Int) {
        if number < 0 { put(UInt8(ascii: "-"), &cursor) }
        put(decimal: UInt64(truncatingIfNeeded: number.magnitude), &cursor)
    }

    /// Writes a byte of a string with its escape, at most six bytes.
    fileprivate mutating func put(escaped byte: UInt8, _ cursor: inout Int) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            put(UInt8(ascii: "\\"), &cursor)
            put(byte, &cursor)
        case UInt8(ascii: "\n"):
            put("\\n".utf8.span, &cursor)
        case 0..<0x20:
            put("\\u".utf8.span, &cursor)
            put(hexadecimal: UInt32(byte) << 16, digits: 4, &cursor)
        default:
            put(byte, &cursor)
        }
    }
}
