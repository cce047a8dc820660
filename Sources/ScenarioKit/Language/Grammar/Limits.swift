/// How much a file may be and do: beyond that nobody would read it, and reading it would take long.
enum Limits {
    /// Bytes of a file.
    static let bytes = 1_000_000
    /// Bytes of a line, variables filled in: `let b = {a}{a}` some thirty times would be a billion.
    static let lineBytes = 2_000
    /// How deep blocks may nest.
    static let depth = 12
    /// Lines after all loops and matrices are written out, in all of a file's scenarios.
    static let lines = 10_000
    /// Scenarios that a file may give.
    static let scenarios = 1_000
    /// Faults that are told at once.
    static let faults = 50
    /// The longest time that can be written.
    static let duration = Duration.seconds(24 * 60 * 60)
}
