/// A JSON text that was validated, strictly (RFC 8259) unless it is JSON5, with an index of its values.
///
/// It is parsed in one pass; a value is decoded only when it is read.
package struct JSONDocument {
    /// The maximum nesting depth of arrays and objects.
    ///
    /// More: more stack for nothing, since no message of the protocol has more than eight levels; less: no room to
    /// grow.
    package static let maximumDepth = 32

    /// The byte range of a value or of a member's name, and the extent of its children in the index.
    struct Node {
        /// The offset of the first byte.
        var start: Int
        /// The offset after the last byte.
        var end: Int
        /// The index of the first place after the value and its children.
        var next: Int
    }

    let bytes: [UInt8]
    /// The places of all values in preorder, each member's name before its value; never empty.
    let nodes: [Node]

    /// Parses exactly one JSON value, in UTF-8 without a byte order mark.
    package init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        var scanner = JSONScanner<StrictJSON>(bytes, recordsNodes: true)
        try scanner.checkDocument()
        self.bytes = bytes
        nodes = scanner.nodes
    }

    /// Parses exactly one JSON5 value, in UTF-8.
    package init(json5 bytes: [UInt8]) throws(JSONSyntaxError) {
        var scanner = JSONScanner<JSON5>(bytes, recordsNodes: true)
        try scanner.checkDocument()
        self.bytes = bytes
        nodes = scanner.nodes
    }

    /// The outermost value.
    package var root: JSONValue { JSONValue(document: self, index: 0) }
}
