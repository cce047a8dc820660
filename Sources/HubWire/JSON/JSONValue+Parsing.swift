// JSON that is no message of the protocol, such as a column of the store.

extension JSONValue {
    /// Parses exactly one JSON value; nil if the text is not JSON (RFC 8259).
    package init?(parsing text: String) {
        guard let document = try? JSONDocument(Array(text.utf8)) else { return nil }
        self = document.root
    }

    /// The elements; nil if the value is no array.
    package var elements: [JSONValue]? {
        var elements: [JSONValue] = []
        let isArray = try? forEachElement { element in
            elements.append(element)
            return true
        }
        return isArray == true ? elements : nil
    }

    /// The number; nil if the value is no whole number, or out of range.
    package var integer: Int? { Int(self) }
}
