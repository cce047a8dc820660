/// A JSON value as the text that was sent, for members that are only echoed.
public struct RawJSON: Hashable, Sendable {
    /// The value's text in UTF-8.
    public let bytes: [UInt8]

    /// Takes a text that is exactly one JSON value (RFC 8259); nil if it is not.
    public init?(_ bytes: [UInt8]) {
        var scanner = JSONScanner<StrictJSON>(bytes)
        guard (try? scanner.checkDocument()) != nil else { return nil }
        self.bytes = bytes
    }

    /// Creates a JSON number.
    public init(_ number: Int) {
        bytes = Array(String(number).utf8)
    }

    /// Creates a JSON string.
    public init(_ text: String) {
        var bytes: [UInt8] = []
        JSONWriter.write(into: &bytes) { $0.value(text) }
        self.bytes = bytes
    }

    /// Takes a part of a text that was validated already.
    init(checked bytes: ArraySlice<UInt8>) {
        self.bytes = Array(bytes)
    }
}
