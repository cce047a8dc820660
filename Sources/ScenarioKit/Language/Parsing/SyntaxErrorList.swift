/// The distinct faults of a file, up to a limit.
struct SyntaxErrorList {
    /// The file that contains the faults; nil: the text is in no file.
    let file: String?
    private var known: Set<ScenarioSyntaxError> = []
    private var findings = 0

    init(file: String?) {
        self.file = file
    }

    /// The faults sorted by their places.
    var faults: [ScenarioSyntaxError] {
        known.sorted { ($0.line, $0.column, $0.sentence) < ($1.line, $1.column, $1.sentence) }
    }

    /// Indicates that there are no faults.
    var isEmpty: Bool { known.isEmpty }
    /// Indicates that a limit is reached and reading can stop.
    var isFull: Bool { known.count >= ScenarioLimits.faults || findings >= ScenarioLimits.findings }

    mutating func add(line: Int, _ column: Int, _ sentence: String) {
        guard !isFull else { return }
        findings += 1
        known.insert(ScenarioSyntaxError(file: file, line: line, column: column, sentence: sentence))
    }

    mutating func add(line: Int, _ error: LineSyntaxError) {
        add(line: line, error.column, error.sentence)
    }
}
