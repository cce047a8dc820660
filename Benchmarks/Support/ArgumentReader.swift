/// The arguments of a command line: options, some of which have a value.
package struct ArgumentReader {
    private var rest: ArraySlice<String>
    private var option = ""

    /// The arguments, without the program's name.
    package init(_ arguments: [String]) {
        rest = arguments[...]
    }

    /// Returns the next option; nil if there is none.
    package mutating func next() -> String? {
        guard let word = rest.popFirst() else { return nil }
        option = word
        return word
    }

    /// Returns the argument after the last option.
    package mutating func value() throws(BenchmarkError) -> String {
        guard let value = rest.popFirst() else { throw BenchmarkError("\(option) requires a value; see --help") }
        return value
    }
}
