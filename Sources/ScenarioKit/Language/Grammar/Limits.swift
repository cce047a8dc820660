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
    /// Bytes that count as one more of these lines, with variables filled in.
    static let bytesOfALine = 200
    /// Scenarios that a file may give.
    static let scenarios = 1_000
    /// Parties of a scenario: each has a tone of its own.
    static let parties = 100
    /// Parties who speak a tone: so many can be told apart.
    static var speakers: Int { PartyTone.frequencies.count }
    /// Names of calls in a scenario.
    static let calls = 250
    /// Variables that are set at a time.
    static let variables = 250
    /// Faults that are told at once.
    static let faults = 50
    /// How often the same faults may be found again, in the rounds of a loop.
    static let findings = 500
    /// Sound and silence are certain when they have lasted so long.
    static let shortestSound = Duration.milliseconds(100)
    /// The longest time that can be written.
    static let duration = Duration.seconds(24 * 60 * 60)

    /// What is said of more speakers.
    static func tooManySpeak(_ count: Int) -> String {
        "\(count) parties speak, and \(speakers) tones can be told apart; \"silent\" is right for the others, as in \"party zoe: silent\""
    }
}
