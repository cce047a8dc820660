/// A grammar of JSON texts, known when the scanner is compiled.
protocol JSONDialect {
    /// Indicates that comments, single quotes, bare names and the other liberties of JSON5 are accepted.
    static var isJSON5: Bool { get }
}

/// JSON as on the wire (RFC 8259).
enum StrictJSON: JSONDialect {
    @inline(__always)
    static var isJSON5: Bool { false }
}

/// JSON5 (spec.json5.org) for files that people write, stricter where none needs more.
///
/// Bare names and white space are ASCII, and strings have no line continuations.
enum JSON5: JSONDialect {
    @inline(__always)
    static var isJSON5: Bool { true }
}

/// The reason why a text is not JSON that this hub accepts.
package enum JSONSyntaxError: Error, Hashable {
    /// At this byte there is something other than what is expected.
    case unexpected(at: Int, expected: String)
    /// A sentence about the text that begins at this byte; only in JSON5.
    case wrong(at: Int, String)
    /// At this byte the nesting exceeds `JSONDocument.maximumDepth`.
    case tooDeep(at: Int)
}
