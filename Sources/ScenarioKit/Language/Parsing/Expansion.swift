/// A line with the lines indented under it: loops are written out, variables filled in.
indirect enum ExpandedNode {
    case line(ExpandedLine)
    case block(ExpandedLine, [ExpandedNode])
    /// The rounds of a `repeat` block.
    case rounds([[ExpandedNode]])
}

/// The expansion of loops, within the limit on the number of lines.
struct Expansion {
    var faults: SyntaxErrorList
    /// The number of lines that may still be expanded.
    private var remainingLines = ScenarioLimits.lines

    init(faults: SyntaxErrorList) {
        self.faults = faults
    }

    /// Indicates that the limit on lines or faults is reached.
    var isOver: Bool { remainingLines <= 0 || faults.isFull }

    /// Counts a line; false: the limit is exceeded.
    mutating func countLine(_ line: SourceLine) -> Bool {
        guard !isOver else { return false }
        remainingLines -= 1
        guard remainingLines <= 0 else { return true }
        let sentence =
            "with its loops written out the file has more than \(ScenarioLimits.lines) lines; fewer rounds are right"
        faults.add(line: line.number, line.indent + 1, sentence)
        return false
    }

    /// Returns the lines of a block with its loops written out.
    mutating func expanded(_ nodes: [OutlineNode], variables: Variables) -> [ExpandedNode] {
        var variables = variables
        var expanded: [ExpandedNode] = []
        for node in nodes {
            guard countLine(node.line) else { break }
            do throws(LineSyntaxError) {
                expanded += try self.expanded(node, variables: &variables)
            } catch {
                faults.add(line: node.line.number, error)
            }
        }
        return expanded
    }

    private mutating func expanded(_ node: OutlineNode, variables: inout Variables) throws(LineSyntaxError)
        -> [ExpandedNode]
    {
        let line = try ExpandedLine(node.line, variables: variables)
        remainingLines = max(1, remainingLines - line.text.utf8.count / ScenarioLimits.bytesOfALine)
        switch try LineRole(line, hasChildren: node.hasChildren) {
        case .variable(let name, let value):
            try node.checkOpensNoBlock()
            try variables.set(name, to: value, in: line)
            return []
        case .forEach(let name, let values):
            var all: [ExpandedNode] = []
            for value in values {
                guard !isOver else { break }
                var inner = variables
                try inner.set(name, to: value, in: line)
                all += expanded(node.children, variables: inner)
            }
            return all
        case .times(let count):
            var rounds: [[ExpandedNode]] = []
            for _ in 0..<count {
                guard !isOver else { break }
                rounds.append(expanded(node.children, variables: variables))
            }
            return [.rounds(rounds)]
        case .block:
            return [.block(line, expanded(node.children, variables: variables))]
        case .matrix:
            let sentence = "a matrix stands before the first step; a loop ends with \":\" and has its lines under it"
            throw LineSyntaxError(column: line.column(at: 0), sentence: sentence)
        case .other:
            try node.checkOpensNoBlock()
            return [.line(line)]
        }
    }
}

extension OutlineNode {
    /// Throws a syntax error if lines are indented under a line that opens no block.
    func checkOpensNoBlock() throws(LineSyntaxError) {
        guard let child = children.first, !child.line.isMisplaced else { return }
        let sentence = "line \(child.line.number) is indented, but this line opens no block; blocks begin with "
        throw LineSyntaxError(
            column: line.indent + 1,
            sentence: sentence + LineRole.leadingKeywords + " and end with \":\""
        )
    }
}
