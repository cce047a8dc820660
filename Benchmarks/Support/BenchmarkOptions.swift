/// The options of one benchmark.
package protocol BenchmarkOptions {
    /// The text of `--help`.
    static var help: String { get }
    /// The defaults.
    init()
    /// Reads an option, with its value.
    ///
    /// - Parameters:
    ///   - name: The option, such as `--seconds`.
    ///   - words: The arguments behind it.
    /// - Returns: False if the benchmark has no such option.
    /// - Throws: A sentence about a missing or wrong value.
    mutating func read(_ name: String, from words: inout ArgumentReader) throws(BenchmarkError) -> Bool
    /// Checks what depends on several options, when all are read.
    ///
    /// - Throws: A sentence about options that do not fit each other.
    mutating func finish() throws(BenchmarkError)
}

extension BenchmarkOptions {
    package func finish() throws(BenchmarkError) {}
}

/// The command line of a benchmark: its own options, and those that each benchmark has.
package struct BenchmarkCommandLine<Options: BenchmarkOptions> {
    package private(set) var options = Options()
    /// The path of the JSON report; "-" is standard output, in place of the tables; nil is none.
    package private(set) var json: String?
    /// Indicates that a missed threshold makes the exit code 1.
    package private(set) var isChecking = false
    /// Indicates that only the help was asked for.
    package private(set) var wantsHelp = false

    /// Reads the arguments, the program's name left out.
    package init(_ arguments: [String]) throws(BenchmarkError) {
        var words = ArgumentReader(arguments)
        while let name = words.next() {
            switch name {
            case "--json": json = try words.value()
            case "--check": isChecking = true
            case "-h", "--help": wantsHelp = true
            default:
                guard try options.read(name, from: &words) else {
                    throw BenchmarkError("\(name) is not an option; see --help")
                }
            }
        }
        try options.finish()
    }
}
