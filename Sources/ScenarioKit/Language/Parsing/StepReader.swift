/// A parser of expanded lines as steps.
struct StepReader {
    /// The parties and calls that are named so far.
    private(set) var participants: ParticipantTable
    /// The faults found so far.
    private(set) var faults: SyntaxErrorList

    init(participants: ParticipantTable, faults: SyntaxErrorList) {
        self.participants = participants
        self.faults = faults
    }

    /// Returns the steps of the lines; adds the faults of lines to the list.
    mutating func read(_ expanded: [ExpandedNode]) -> [Step] {
        if !participants.isDeclared { gatherParties(expanded) }
        return steps(expanded)
    }

    private mutating func steps(_ expanded: [ExpandedNode], in block: ExpandedLine? = nil) -> [Step] {
        var steps: [Step] = []
        for part in expanded where !faults.isFull {
            switch part {
            case .rounds(let rounds):
                // Each round gives its calls the same names.
                let usedCallNames = participants.usedCallNames
                for round in rounds {
                    participants.usedCallNames = usedCallNames
                    steps += self.steps(round, in: block)
                }
            case .line(let line):
                add(line, to: &steps) { (reader) throws(LineSyntaxError) in try reader.stepAction(of: line, in: block) }
            case .block(let line, let inner):
                add(line, to: &steps) { (reader) throws(LineSyntaxError) in
                    try reader.block(line, inner, in: block)
                }
            }
        }
        return steps
    }

    private mutating func add(
        _ line: ExpandedLine,
        to steps: inout [Step],
        read: (inout StepReader) throws(LineSyntaxError) -> StepAction
    ) {
        do throws(LineSyntaxError) {
            steps.append(Step(line: line.number, text: line.text, stepAction: try read(&self)))
        } catch {
            faults.add(line: line.number, error)
        }
    }

    private mutating func stepAction(of line: ExpandedLine, in block: ExpandedLine?) throws(LineSyntaxError)
        -> StepAction
    {
        if Header.isHeader(OutlineNode(line: SourceLine(number: line.number, indent: 0, text: line.text))) {
            throw LineSyntaxError(column: line.column(at: 0), sentence: "this line stands before the first step")
        }
        var parser = LineParser(participants: participants, words: try TokenCursor(line))
        do throws(LineSyntaxError) {
            let stepAction = try parser.stepAction()
            participants = parser.participants
            try check(stepAction, line, in: block)
            return stepAction
        } catch {
            nameCall(of: parser.words)
            throw error
        }
    }

    /// Registers the call's name of a faulty line, so that later lines can refer to it.
    private mutating func nameCall(of words: TokenCursor) {
        let texts = words.tokens.map { $0.kind == .word ? $0.text : "" }
        if let place = texts.firstIndex(of: "as"), place + 1 < texts.count, NameSyntax.isCall(texts[place + 1]) {
            participants.name(texts[place + 1])
        } else if texts.contains("calls") || (texts.contains("call") && !texts.contains("cannot")) {
            participants.name(participants.nextCall)
        }
    }

    // MARK: Blocks

    private mutating func block(_ line: ExpandedLine, _ inner: [ExpandedNode], in outer: ExpandedLine?)
        throws(LineSyntaxError) -> StepAction
    {
        guard outer == nil else {
            let sentence = "a block of this kind stands in no other; repeat, for each and let do"
            throw LineSyntaxError(column: line.column(at: 0), sentence: sentence)
        }
        var words = try TokenCursor(line)
        let isTogether = words.take("together")
        let isOrder = !isTogether && words.take("in any order")
        var within = Duration.zero
        if !isTogether, !isOrder {
            guard words.take("at random within") else {
                let sentence = "a block begins with \(LineRole.leadingKeywords)"
                throw LineSyntaxError(column: line.column(at: 0), sentence: sentence)
            }
            var parser = LineParser(participants: participants, words: words)
            within = try parser.duration()
            words = parser.words
        }
        try words.requireColon(before: "the steps, each in a line of its own")
        try words.checkEnd()
        let steps = steps(inner, in: line)
        return isTogether ? .together(steps) : isOrder ? .inAnyOrder(steps) : .atRandom(within: within, steps)
    }

    /// Throws a syntax error if a step is not allowed in this block.
    private func check(_ stepAction: StepAction, _ line: ExpandedLine, in block: ExpandedLine?) throws(LineSyntaxError)
    {
        guard let block, !block.text.hasPrefix("in") else { return }
        switch stepAction {
        case .expect, .wait:
            let sentence = "in \(block.text.quoted) stand actions only; expectations and waits stand after it"
            throw LineSyntaxError(column: line.column(at: 0), sentence: sentence)
        default: break
        }
    }

    // MARK: Undeclared parties

    /// Adds all parties that call, are called, report a call, or are given one.
    private mutating func gatherParties(_ expanded: [ExpandedNode]) {
        for part in expanded {
            switch part {
            case .rounds(let rounds): rounds.forEach { gatherParties($0) }
            case .block(_, let inner): gatherParties(inner)
            case .line(let line):
                guard let words = try? TokenCursor(line) else { continue }
                gatherParties(words.tokens, in: line.number)
            }
        }
    }

    private mutating func gatherParties(_ tokens: [Token], in line: Int) {
        guard let first = tokens.first, let name = partyName(first) else { return }
        for (index, token) in tokens.enumerated().dropFirst() where token.kind == .word {
            if token.text == "transfer", let other = Self.target(ofTransferAt: index, in: tokens).flatMap(partyName) {
                participants.add(Party(other), in: line)
            }
            let isReport = token.text == "call" && tokens[index - 1].text == "a"
            guard Self.isCalling(token.text, at: index) else { continue }
            guard participants.parties.count < ScenarioLimits.parties - 1 else { return }
            participants.add(Party(name), in: line)
            guard !isReport, index + 1 < tokens.count, let other = partyName(tokens[index + 1]) else { continue }
            participants.add(Party(other), in: line)
        }
    }

    /// Returns the word behind `transfer A to`; nil: there is none.
    private static func target(ofTransferAt index: Int, in tokens: [Token]) -> Token? {
        guard index + 3 < tokens.count, tokens[index + 2].text == "to" else { return nil }
        return tokens[index + 3]
    }

    /// Indicates that a word at an index is a calling verb, or a misspelling of one near the line's beginning.
    ///
    /// Without the misspellings one typing error would make all its parties unknown.
    private static func isCalling(_ word: String, at index: Int) -> Bool {
        if word == "calls" || word == "call" { return true }
        return index <= 2 && !LineParser.verbs.contains(word) && Suggestion.nearest(to: word, among: ["calls"]) != nil
    }

    private func partyName(_ token: Token) -> String? {
        let name = LineParser.owner(token.text) ?? token.text
        guard token.kind == .word, NameSyntax.isParty(name), !Keywords.reserved.contains(name) else { return nil }
        return name
    }
}
