/// The ladder of a run as text, for a terminal or a mail: a narrow diagram on the left, texts on the right.
public struct LadderText {
    private let ladder: Ladder
    private let canvas: TextCanvas
    private let availableWidth: Int
    private var lines: [String] = []
    /// The diagram of the last line, in order to leave out bare rows without a change.
    private var shown = ""

    /// Creates the text of a run.
    ///
    /// - Parameters:
    ///   - record: The record of the run.
    ///   - width: The width of a line, in columns; a diagram of many devices may need more.
    public init(_ record: RunResult, width: Int = 120) {
        ladder = Ladder(record)
        canvas = TextCanvas(ladder)
        availableWidth = max(width - Self.timeWidth - canvas.width - 2, 40)
    }

    /// The whole text, with a line end at its end.
    public var text: String {
        var writer = self
        writer.write()
        return writer.lines.map { String($0.reversed().drop { $0 == " " }.reversed()) + "\n" }.joined()
    }

    private static let timeWidth = 10

    // MARK: Lines

    private mutating func write() {
        let record = ladder.record
        let result = [record.verdict.word, record.reasonToSkip?.onOneLine].compactMap(\.self)
        let facts = result + [record.duration.inSeconds + " s", "seed \(record.seed)"]
        lines += [record.name.onOneLine, facts.joined(separator: " · "), ""]
        add(canvas.names, "")
        for (index, row) in ladder.rows.enumerated() { add(row, at: index) }
        lines += ["", canvas.legend]
    }

    private mutating func add(_ row: Ladder.Row, at index: Int) {
        let state = canvas.state(at: index)
        if let quiet = row.quiet { add(canvas.fold(before: index), quiet.inWords) }
        if let step = row.step { add(state, words(ofStep: step), at: index) }
        if !row.arrows.isEmpty { add(canvas.arrows(row.arrows, at: index), words(of: row.arrows), at: index) }
        if row.isFailure { for words in failure { add(state, words, at: index) } }
        if row.isBare, state != shown { add(state, "", at: index) }
        shown = state
    }

    /// Adds a line; text that does not fit continues on the next lines with more indentation.
    private mutating func add(_ picture: String, _ words: String, at index: Int? = nil) {
        let indent = String(words.prefix { $0 == " " })
        let pieces = words.lines(ofColumns: max(availableWidth - indent.count - 2, 20))
        for (number, piece) in pieces.enumerated() {
            let time = number == 0 ? index.map { ladder.rows[$0].at.inSeconds } ?? "" : ""
            let padding = String(repeating: " ", count: max(Self.timeWidth - 2 - time.count, 0))
            let beside = number == 0 ? picture : index.map(canvas.state) ?? ""
            let deeper = number == 0 ? indent : indent + "  "
            lines.append("\(padding)\(time)  \(beside)  \(deeper)\(piece)")
        }
    }

    // MARK: Words

    private func words(ofStep number: Int) -> String {
        let step = ladder.record.steps[number]
        let sign = ladder.record.failure?.step == number ? "✗" : step.end == nil ? "…" : "▸"
        let indent = String(repeating: "  ", count: min(max(step.depth, 0), 20))
        let note = step.note.map { " (\($0.onOneLine))" } ?? ""
        return "\(sign) \(indent)\(step.text.onOneLine)\(note)"
    }

    /// Describes the messages of a row; devices with the same message are listed together.
    private func words(of arrows: [Ladder.Arrow]) -> String {
        var merged: [(names: [String], label: String)] = []
        for arrow in arrows {
            let name = ladder.devices[arrow.device].name
            if let index = merged.firstIndex(where: { $0.label == arrow.message.label }) {
                merged[index].names.append(name)
            } else {
                merged.append(([name], arrow.message.label))
            }
        }
        let sign = arrows.first?.message.kind.sign ?? ""
        return "  " + merged.map { "\($0.names.joined(separator: ", ")) \(sign) \($0.label)" }.joined(separator: "; ")
    }

    private var failure: [String] {
        guard let failure = ladder.record.failure, let at = ladder.record.failedAt else { return [] }
        let position = ladder.record.failedStep.map { ", line \($0.line): \($0.text.onOneLine)" } ?? ""
        let words = [
            "failed at \(at.inSeconds) s\(position)", "expected: \(failure.expected)", "came: \(failure.actual)",
        ]
        return words.map { "✗ \($0.onOneLine)" }
    }
}

extension MessageRecord.Kind {
    /// The direction of the message, from the device's side.
    fileprivate var sign: String {
        switch self {
        case .request: "→"
        case .reply, .notification: "←"
        case .refusal: "← refused:"
        case .connection: "·"
        }
    }
}
