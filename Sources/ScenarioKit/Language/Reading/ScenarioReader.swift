/// Reads a file: its lines, the matrix and the other lines at the top, then the steps of each scenario.
struct ScenarioReader {
    private var expansion: Expansion
    private let file: String?
    private let faultOfSound: (String) -> String?

    /// A reader.
    ///
    /// - Parameters:
    ///   - file: The file's path; nil: the text is in none.
    ///   - faultOfSound: Says why a file of sound cannot be played; nil: it can.
    init(file: String?, faultOfSound: @escaping (String) -> String? = { _ in nil }) {
        self.file = file
        self.faultOfSound = faultOfSound
        expansion = Expansion(faults: FaultList(file: file))
    }

    /// The scenarios of a text, or all that is wrong with it.
    mutating func read(_ text: String) throws(ScenarioFaults) -> [Scenario] {
        let size = text.utf8.count
        guard size <= Limits.bytes else {
            expansion.faults.add(line: 1, 1, "a scenario has at most \(Limits.bytes) bytes; this one has \(size)")
            throw ScenarioFaults(expansion.faults.faults)
        }
        guard !text.utf8.contains(UInt8(ascii: "\r")) || text.utf8.contains(UInt8(ascii: "\n")) else {
            let sentence = "the lines end with CR alone; LF, or CR and LF, is right"
            expansion.faults.add(line: 1, 1, sentence)
            throw ScenarioFaults(expansion.faults.faults)
        }
        // Some editors begin a file with a mark that nobody sees.
        let isMarked = text.unicodeScalars.first == "\u{FEFF}"
        let outline = Outline(isMarked ? String(text.unicodeScalars.dropFirst()) : text, faults: &expansion.faults)
        let top = outline.nodes.prefix { Header.isHeader($0) }
        let steps = Array(outline.nodes[top.count...])
        var scenarios: [Scenario] = []
        for header in headers(top) where !expansion.isOver {
            let planned = expansion.planned(steps, variables: header.variables)
            scenarios.append(scenario(header, planned))
        }
        if steps.isEmpty {
            let sentence = "here the steps are missing, such as \"alice calls bob\""
            expansion.faults.add(line: outline.lastLine, 1, sentence)
        }
        guard expansion.faults.isEmpty else { throw ScenarioFaults(expansion.faults.faults) }
        return scenarios
    }

    /// What the lines at the top say, once for each combination of the matrix.
    private mutating func headers(_ nodes: some Collection<OutlineNode>) -> [Header] {
        var headers = [Header(file: file, faultOfSound: faultOfSound)]
        for node in nodes {
            var next: [Header] = []
            for header in headers where expansion.spend(node.line) {
                next += header.reading(node, faults: &expansion.faults)
                guard next.count <= Limits.scenarios else { break }
            }
            guard next.count <= Limits.scenarios else {
                let sentence = "with this line the matrix gives more than \(Limits.scenarios) scenarios"
                expansion.faults.add(line: node.line.number, 1, sentence)
                return []
            }
            headers = next
        }
        return headers
    }

    private mutating func scenario(_ header: Header, _ planned: [Planned]) -> Scenario {
        var scenario = header.scenario
        var steps = StepReader(cast: header.cast, faults: expansion.faults)
        scenario.steps = steps.read(planned)
        scenario.parties = steps.cast.parties
        expansion.faults = steps.faults
        let speakers = scenario.speakers
        if speakers.count > Limits.speakers {
            let line = steps.cast.lines[scenario.parties[speakers[Limits.speakers]].name] ?? 1
            expansion.faults.add(line: line, 1, Limits.tooManySpeak(speakers.count))
        }
        return scenario
    }
}
