// JSON that is no message of the protocol, such as a column of the store.

extension JSONValue {
    /// Parses exactly one JSON value; nil if the text is not JSON (RFC 8259).
    package init?(parsing text: String) {
        guard let document = try? JSONDocument(Array(text.utf8)) else { return nil }
        self = document.root
    }

    /// The number; nil if the value is no whole number, or out of range.
    package var integer: Int? { Int(self) }
}
