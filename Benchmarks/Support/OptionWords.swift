/// The words of a command line: options, some of which want a value.
package struct OptionWords {
    private var rest: ArraySlice<String>
    private var option = ""

    /// The words, the program's name left out.
    package init(_ arguments: [String]) {
        rest = arguments[...]
    }

    /// The next option; nil: there is none.
    package mutating func next() -> String? {
        guard let word = rest.popFirst() else { return nil }
        option = word
        return word
    }

    /// The word after the option that `next()` gave last.
    package mutating func value() throws(BenchmarkError) -> String {
        guard let value = rest.popFirst() else { throw BenchmarkError("\(option) wants a value; see --help") }
        return value
    }
}
