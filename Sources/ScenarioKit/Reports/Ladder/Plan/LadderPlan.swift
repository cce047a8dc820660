/// The complete layout of a ladder; no two texts overlap.
struct LadderPlan {
    let ladder: Ladder
    let columns: LadderColumns
    let heights: LadderHeights
    /// The size of the whole drawing, in pixels.
    let width: Int
    let height: Int
    /// The y coordinate of the beginning of time.
    let top: Int
    /// All texts, in reading order.
    private(set) var texts: [PlacedText] = []
    /// The samples of the legend.
    private(set) var samples: [(box: Box, appearance: LegendSample)] = []
    /// The boxes of the devices' and the hub's names; the hub's device is nil.
    private(set) var headings: [(box: Box, device: Int?)] = []
    /// The boxes of failures.
    private(set) var failures: [Box] = []

    /// Creates the layout of a ladder.
    init(_ ladder: Ladder) {
        self.ladder = ladder
        columns = LadderColumns(ladder)
        width = max(columns.end + LadderColumns.edge, 560)
        let head = LadderHead(ladder, width: width)
        let failure = FailureText(ladder.record, availableWidth: min(width - 64, 760))
        top = head.bottom + 10
        heights = LadderHeights(ladder, from: top, failureHeight: failure?.height ?? 0)
        height = heights.end + 16
        texts = head.texts
        samples = head.samples
        for top in heights.headings { addHeadings(at: top) }
        for index in ladder.rows.indices { addRow(index, failure) }
        addCallNames()
    }

    // MARK: Rows

    private mutating func addRow(_ index: Int, _ failure: FailureText?) {
        let (row, line) = (ladder.rows[index], heights.lines[index])
        if let quiet = row.quiet, let fold = heights.folds[index] { addQuiet(quiet, at: fold) }
        if let failure, let top = heights.failures[index] {
            let box = Box(x: LadderColumns.edge, y: top, width: width - 2 * LadderColumns.edge, height: failure.height)
            failures.append(box)
            texts += failure.texts(in: box)
            return
        }
        if !row.isBare { addTime(row.at, of: index, at: line) }
        if let step = row.step { addStep(ladder.record.steps[step], at: line, isFailed: isFailed(step)) }
        for arrow in row.arrows { addWords(of: arrow, at: line) }
    }

    /// Indicates that a step is the one that failed.
    func isFailed(_ step: Int) -> Bool { ladder.record.failure?.step == step }

    private mutating func addTime(_ at: Duration, of index: Int, at line: Int) {
        let isRepeated = ladder.rows[..<index].last { !$0.isBare }.map { $0.at.inSeconds == at.inSeconds } ?? false
        guard !isRepeated else { return }
        add(at.inSeconds, as: .time, x: 4, width: LadderColumns.timeEnd - 4, y: line - 17, anchor: .end)
    }

    private mutating func addQuiet(_ quiet: Duration, at fold: Int) {
        let availableWidth = LadderColumns.stepBegin + columns.stepWidth - 4
        add(quiet.inWords, as: .quiet, x: 4, width: availableWidth, y: fold - 7, anchor: .middle)
    }

    private mutating func addStep(_ step: StepRecord, at line: Int, isFailed: Bool) {
        let indent = LadderColumns.indent(step)
        let (x, width) = (LadderColumns.stepBegin + indent, columns.stepWidth - indent)
        add(step.text.onOneLine, as: .step, x: x, width: width, y: line - 17, appearance: isFailed ? "failed" : "")
        if let note = step.note {
            add(note.onOneLine, as: .note, x: x, width: width, y: line - 2)
        }
    }

    private mutating func addWords(of arrow: Ladder.Arrow, at line: Int) {
        let column = columns.devices[arrow.device]
        add(
            arrow.message.label,
            as: .message,
            x: column.words.lowerBound,
            width: column.words.count,
            y: line - 17,
            anchor: column.isLeft ? .start : .end,
            appearance: arrow.message.kind.rawValue
        )
    }

    // MARK: Names

    private mutating func addHeadings(at top: Int) {
        for (index, column) in columns.devices.enumerated() {
            let name = ladder.devices[index].name
            let natural = TextMeasure.width(name, size: PlacedText.Role.heading.size, isBold: true) + 30
            let width = min(natural, column.width)
            let x = column.isLeft ? column.x : column.x + column.width - width
            let box = Box(x: x, y: top + 4, width: width, height: 24)
            headings.append((box, index))
            add(name, as: .heading, x: box.x + 20, width: width - 28, y: top + 8, anchor: .middle)
        }
        let box = Box(x: columns.hub + LadderColumns.hubWidth / 2 - 22, y: top + 4, width: 44, height: 24)
        headings.append((box, nil))
        add("hub", as: .heading, x: box.x + 4, width: box.width - 8, y: top + 8, anchor: .middle)
    }

    /// Adds a call's name at the beginning of each of its bars that has room for it.
    private mutating func addCallNames() {
        for (index, device) in ladder.devices.enumerated() {
            for (number, track) in device.tracks.enumerated() {
                guard let name = track.call?.text.onOneLine else { continue }
                let x = columns.devices[index].tracks[number]
                guard TextMeasure.width(name, size: 9, isBold: true) <= LadderColumns.trackWidth + 1 else { continue }
                let bars = track.open.map { ($0, "") } + track.held.map { ($0, "held-call") }
                addCallName(name, in: bars.sorted { $0.0.from < $1.0.from }, x: x)
            }
        }
    }

    private mutating func addCallName(
        _ name: String,
        in bars: [(rowRange: Ladder.RowRange, appearance: String)],
        x: Int
    ) {
        var taken = 0
        for (rowRange, appearance) in bars {
            let bar = self.bar(rowRange, x: x, width: LadderColumns.trackWidth)
            let box = Box(x: x + 1, y: bar.y + 2, width: LadderColumns.trackWidth - 2, height: 13)
            guard bar.height >= 18, box.y >= taken, !failures.contains(where: { $0.overlaps(box) }) else { continue }
            taken = box.bottom
            texts.append(
                PlacedText(role: .call, text: name, whole: nil, box: box, anchor: .middle, appearance: appearance)
            )
        }
    }

    // MARK: States

    /// Returns the box of a range of rows; its height is at least 4, so that it is visible.
    func bar(_ rowRange: Ladder.RowRange, x: Int, width: Int) -> Box {
        let top = heights.lines[rowRange.from]
        return Box(x: x, y: top, width: width, height: max(heights.lines[rowRange.to] - top, 4))
    }

    // MARK: Text

    private mutating func add(
        _ text: String,
        as role: PlacedText.Role,
        x: Int,
        width: Int,
        y: Int,
        anchor: PlacedText.Anchor = .start,
        appearance: String = ""
    ) {
        texts.append(
            PlacedText.placed(text, as: role, x: x, width: width, y: y, anchor: anchor, appearance: appearance)
        )
    }
}

extension PlacedText {
    /// Creates a text that is shortened to a width.
    static func placed(
        _ text: String,
        as role: Role,
        x: Int,
        width: Int,
        y: Int,
        anchor: Anchor = .start,
        appearance: String = ""
    ) -> Self {
        let shown = TextMeasure.shortened(text, size: role.size, isBold: role.isBold, to: width)
        let own = min(TextMeasure.width(shown, size: role.size, isBold: role.isBold), width)
        let begin =
            switch anchor {
            case .start: x
            case .middle: x + (width - own) / 2
            case .end: x + width - own
            }
        return PlacedText(
            role: role,
            text: shown,
            whole: shown == text ? nil : text,
            box: Box(x: begin, y: y, width: own, height: height(role.size)),
            anchor: anchor,
            appearance: appearance
        )
    }
}
