/// The limits on a scenario file's size and content.
enum ScenarioLimits {
    /// The maximum size of a file, in bytes.
    static let bytes = 1_000_000
    /// The maximum length of a line in bytes, with variables filled in.
    ///
    /// Without it `let b = {a}{a}` repeated some thirty times would produce a billion bytes.
    static let lineBytes = 2_000
    /// The maximum nesting depth of blocks.
    static let depth = 12
    /// The maximum number of lines in all scenarios of a file, with loops and matrices written out.
    static let lines = 10_000
    /// The number of bytes that count as one more line, with variables filled in.
    static let bytesOfALine = 200
    /// The maximum number of scenarios in a file.
    static let scenarios = 1_000
    /// The maximum number of parties in a scenario.
    static let parties = 100
    /// The maximum number of parties that send a tone: the number of distinguishable frequencies.
    static var toneSenders: Int { PartyTone.frequencies.count }
    /// The maximum number of call names in a scenario.
    static let calls = 250
    /// The maximum number of variables that are set at a time.
    static let variables = 250
    /// The maximum number of faults that are reported at once.
    static let faults = 50
    /// The maximum number of findings, including repeated ones in the rounds of a loop.
    static let findings = 500
    /// The shortest duration after which sound and silence are detected reliably.
    static let shortestSound = Duration.milliseconds(100)
    /// The longest duration that can be written.
    static let duration = Duration.seconds(24 * 60 * 60)

    /// Returns the error sentence for a scenario in which too many parties send a tone.
    static func tooManyToneSenders(_ count: Int) -> String {
        "\(count) parties speak, and \(toneSenders) tones can be distinguished; \"silent\" is right for the others, as in \"party zoe: silent\""
    }
}
