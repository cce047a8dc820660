/// A line with the lines indented under it: loops are written out, variables filled in.
indirect enum Planned {
    case line(FilledLine)
    case block(FilledLine, [Planned])
    /// The rounds of a `repeat` block.
    case rounds([[Planned]])
}

/// The expansion of loops, within the limit on the number of lines.
struct Expansion {
    var faults: FaultList
    /// The number of lines that may still be expanded.
    private var budget = Limits.lines

    init(faults: FaultList) {
        self.faults = faults
    }

    /// Indicates that the limit on lines or faults is reached.
    var isOver: Bool { budget <= 0 || faults.isFull }

    /// Counts a line; false: the limit is exceeded.
    mutating func spend(_ line: SourceLine) -> Bool {
        guard !isOver else { return false }
        budget -= 1
        guard budget <= 0 else { return true }
        let sentence = "with its loops written out the file has more than \(Limits.lines) lines; fewer rounds are right"
        faults.add(line: line.number, line.indent + 1, sentence)
        return false
    }

    /// Returns the lines of a block with its loops written out.
    mutating func planned(_ nodes: [OutlineNode], variables: Variables) -> [Planned] {
        var variables = variables
        var planned: [Planned] = []
        for node in nodes {
            guard spend(node.line) else { break }
            do throws(Complaint) {
                planned += try self.planned(node, variables: &variables)
            } catch {
                faults.add(line: node.line.number, error)
            }
        }
        return planned
    }

    private mutating func planned(_ node: OutlineNode, variables: inout Variables) throws(Complaint) -> [Planned] {
        let line = try FilledLine(node.line, variables: variables)
        budget = max(1, budget - line.text.utf8.count / Limits.bytesOfALine)
        switch try LoopLine(line, hasChildren: node.hasChildren) {
        case .variable(let name, let value):
            try node.checkStandsAlone()
            try variables.set(name, to: value, in: line)
            return []
        case .forEach(let name, let values):
            var all: [Planned] = []
            for value in values {
                guard !isOver else { break }
                var inner = variables
                try inner.set(name, to: value, in: line)
                all += planned(node.children, variables: inner)
            }
            return all
        case .times(let count):
            var rounds: [[Planned]] = []
            for _ in 0..<count {
                guard !isOver else { break }
                rounds.append(planned(node.children, variables: variables))
            }
            return [.rounds(rounds)]
        case .block:
            return [.block(line, planned(node.children, variables: variables))]
        case .matrix:
            let sentence = "a matrix stands before the first step; a loop ends with \":\" and has its lines under it"
            throw Complaint(column: line.column(at: 0), sentence: sentence)
        case .other:
            try node.checkStandsAlone()
            return [.line(line)]
        }
    }
}

extension OutlineNode {
    /// Throws a complaint if lines are indented under a line that opens no block.
    func checkStandsAlone() throws(Complaint) {
        guard let child = children.first, !child.line.isMisplaced else { return }
        let sentence = "line \(child.line.number) is indented, but this line opens no block; blocks begin with "
        throw Complaint(column: line.indent + 1, sentence: sentence + LoopLine.openers + " and end with \":\"")
    }
}
