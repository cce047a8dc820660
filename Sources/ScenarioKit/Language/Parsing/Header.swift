/// The content of the lines before the first step, for one combination of the matrix.
struct Header {
    /// The scenario, still without steps and parties.
    private(set) var scenario: Scenario
    /// The declared parties.
    private(set) var participants = ParticipantTable()
    /// The variables that the header has set.
    private(set) var variables = Variables()
    /// The first words of the lines that were read, to detect duplicates.
    private var seen: Set<String> = []

    init(file: String?, soundFileFault: @escaping (String) -> String?) {
        participants.soundFileFault = soundFileFault
        let name = file?.split(separator: "/").last.map(String.init) ?? ""
        let ending = ".scenario"
        let title = name.hasSuffix(ending) && name != ending ? String(name.dropLast(ending.count)) : name
        scenario = Scenario(title: title.isEmpty ? "scenario" : title)
    }

    /// Indicates that a line belongs before the first step.
    static func isHeader(_ node: OutlineNode) -> Bool {
        switch firstWord(node.line.text) {
        case "scenario", "proves", "parties", "party", "patience", "seed", "let", "hub:": true
        case "for": node.children.isEmpty && !node.line.text.hasSuffix(":")
        default: false
        }
    }

    /// Returns this header with one more line read; several headers if the line is a matrix.
    func reading(_ node: OutlineNode, faults: inout SyntaxErrorList) -> [Header] {
        var header = self
        do throws(LineSyntaxError) {
            try node.checkOpensNoBlock()
            let line = try ExpandedLine(node.line, variables: variables)
            switch try LineRole(line, hasChildren: false) {
            case .matrix(let name, let values):
                return try values.map { value throws(LineSyntaxError) in try header.varied(name, value, line) }
            case .variable(let name, let value):
                try header.variables.set(name, to: value, in: line)
            case .forEach, .times, .block, .other:
                try header.read(line)
            }
        } catch {
            faults.add(line: node.line.number, error)
        }
        return [header]
    }

    private func varied(_ name: String, _ value: String, _ line: ExpandedLine) throws(LineSyntaxError) -> Header {
        var header = self
        try header.variables.set(name, to: value, in: line)
        header.scenario.variant.append("\(name) = \(value)")
        return header
    }

    private mutating func read(_ line: ExpandedLine) throws(LineSyntaxError) {
        let kind = Self.firstWord(line.text)
        if kind != "party", kind != "parties", !seen.insert(kind).inserted {
            throw LineSyntaxError(
                column: line.column(at: 0),
                sentence: "a scenario has one line \(kind.quoted); this is the second"
            )
        }
        guard kind != "scenario" else { return try readTitle(line) }
        var parser = LineParser(participants: participants, words: try TokenCursor(line))
        defer { participants = parser.participants }
        _ = parser.words.take(.word)
        switch kind {
        case "parties":
            try parser.partyNames()
            parser.participants.isDeclared = true
        case "party":
            try parser.party()
            parser.participants.isDeclared = true
        case "hub:": try parser.overrides(&scenario.settings)
        case "patience":
            let place = parser.words.column
            scenario.timeout = try parser.duration()
            guard scenario.timeout > .zero else {
                throw LineSyntaxError(
                    column: place,
                    sentence: "with no patience nothing is waited for; a time such as 5 s is right"
                )
            }
            try parser.words.checkEnd()
        case "seed": try readSeed(&parser)
        default: try readProofs(&parser)
        }
    }

    /// Reads a title, which is the rest of the line behind `scenario` or a text in quotes.
    private mutating func readTitle(_ line: ExpandedLine) throws(LineSyntaxError) {
        let title = line.text.dropFirst("scenario".count).drop { $0 == " " || $0 == "\t" }
        guard !title.isEmpty else {
            throw LineSyntaxError(
                column: line.column(at: 0),
                sentence: "after \"scenario\" comes a title, such as Alice calls Bob"
            )
        }
        scenario.title = String(title)
        guard title.utf8.first == UInt8(ascii: "\"") else { return }
        var words = try TokenCursor(line)
        _ = words.take(.word)
        if let quoted = words.take(.quoted) { scenario.title = quoted.text }
        try words.checkEnd()
    }

    private mutating func readSeed(_ parser: inout LineParser) throws(LineSyntaxError) {
        guard let word = parser.words.word(), word.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let seed = UInt64(word)
        else { throw parser.words.expected("a number from 0 to \(UInt64.max)") }
        _ = parser.words.take(.word)
        scenario.seed = seed
        try parser.words.checkEnd()
    }

    private mutating func readProofs(_ parser: inout LineParser) throws(LineSyntaxError) {
        repeat {
            scenario.proves.append(try parser.wordOrQuoted("a row of the semantics, such as CK-37"))
        } while parser.words.takes(.comma)
        try parser.words.checkEnd()
    }

    private static func firstWord(_ text: String) -> String {
        String(text.prefix { $0 != " " && $0 != "\t" })
    }
}
