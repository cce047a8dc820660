/// The faults of a file, each once, as many as anybody reads.
struct FaultList {
    /// The file that they are in.
    let file: String?
    private var known: Set<ScenarioFault> = []
    private var findings = 0

    init(file: String?) {
        self.file = file
    }

    /// The faults in the order of their places.
    var faults: [ScenarioFault] {
        known.sorted { ($0.line, $0.column, $0.sentence) < ($1.line, $1.column, $1.sentence) }
    }

    /// Whether there is none.
    var isEmpty: Bool { known.isEmpty }
    /// Whether it is time to stop.
    var isFull: Bool { known.count >= Limits.faults || findings >= Limits.findings }

    mutating func add(line: Int, _ column: Int, _ sentence: String) {
        guard !isFull else { return }
        findings += 1
        known.insert(ScenarioFault(file: file, line: line, column: column, sentence: sentence))
    }

    mutating func add(line: Int, _ complaint: Complaint) {
        add(line: line, complaint.column, complaint.sentence)
    }
}
