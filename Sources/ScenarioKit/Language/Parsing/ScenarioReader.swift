/// A parser of a file: its header lines with the matrix, then the steps of each scenario.
struct ScenarioReader {
    private var expansion: Expansion
    private let file: String?
    private let soundFileFault: (String) -> String?

    /// Creates a reader for one file.
    ///
    /// - Parameters:
    ///   - file: The file's path; nil: the text is in no file.
    ///   - soundFileFault: Returns the reason why a sound file cannot be played; nil: it can be played.
    init(file: String?, soundFileFault: @escaping (String) -> String? = { _ in nil }) {
        self.file = file
        self.soundFileFault = soundFileFault
        expansion = Expansion(faults: SyntaxErrorList(file: file))
    }

    /// Returns the scenarios of a text; throws all faults that were found in it.
    mutating func read(_ text: String) throws(ScenarioSyntaxErrors) -> [Scenario] {
        let size = text.utf8.count
        guard size <= ScenarioLimits.bytes else {
            expansion.faults.add(
                line: 1,
                1,
                "a scenario has at most \(ScenarioLimits.bytes) bytes; this one has \(size)"
            )
            throw ScenarioSyntaxErrors(expansion.faults.faults)
        }
        guard !text.utf8.contains(UInt8(ascii: "\r")) || text.utf8.contains(UInt8(ascii: "\n")) else {
            let sentence = "the lines end with CR alone; LF, or CR and LF, is right"
            expansion.faults.add(line: 1, 1, sentence)
            throw ScenarioSyntaxErrors(expansion.faults.faults)
        }
        // Some editors begin a file with an invisible byte order mark.
        let isMarked = text.unicodeScalars.first == "\u{FEFF}"
        let outline = Outline(isMarked ? String(text.unicodeScalars.dropFirst()) : text, faults: &expansion.faults)
        let top = outline.nodes.prefix { Header.isHeader($0) }
        let steps = Array(outline.nodes[top.count...])
        var scenarios: [Scenario] = []
        for header in headers(top) where !expansion.isOver {
            let expanded = expansion.expanded(steps, variables: header.variables)
            scenarios.append(scenario(header, expanded))
        }
        if steps.isEmpty {
            let sentence = "here the steps are missing, such as \"alice calls bob\""
            expansion.faults.add(line: outline.lastLine, 1, sentence)
        }
        guard expansion.faults.isEmpty else { throw ScenarioSyntaxErrors(expansion.faults.faults) }
        return scenarios
    }

    /// Parses the header lines, once for each combination of the matrix.
    private mutating func headers(_ nodes: some Collection<OutlineNode>) -> [Header] {
        var headers = [Header(file: file, soundFileFault: soundFileFault)]
        for node in nodes {
            var next: [Header] = []
            for header in headers where expansion.countLine(node.line) {
                next += header.reading(node, faults: &expansion.faults)
                guard next.count <= ScenarioLimits.scenarios else { break }
            }
            guard next.count <= ScenarioLimits.scenarios else {
                let sentence = "with this line the matrix gives more than \(ScenarioLimits.scenarios) scenarios"
                expansion.faults.add(line: node.line.number, 1, sentence)
                return []
            }
            headers = next
        }
        return headers
    }

    private mutating func scenario(_ header: Header, _ expanded: [ExpandedNode]) -> Scenario {
        var scenario = header.scenario
        var steps = StepReader(participants: header.participants, faults: expansion.faults)
        scenario.steps = steps.read(expanded)
        scenario.parties = steps.participants.parties
        expansion.faults = steps.faults
        let toneSenders = scenario.toneSenders
        if toneSenders.count > ScenarioLimits.toneSenders {
            let line = steps.participants.lines[scenario.parties[toneSenders[ScenarioLimits.toneSenders]].name] ?? 1
            expansion.faults.add(line: line, 1, ScenarioLimits.tooManyToneSenders(toneSenders.count))
        }
        return scenario
    }
}
