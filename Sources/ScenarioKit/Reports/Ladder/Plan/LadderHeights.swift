/// The vertical layout: each row's distance from the one before has room for its texts and grows with the elapsed time.
struct LadderHeights {
    /// The height of a row, in pixels: texts above an arrow.
    static let row = 22
    /// The minimum distance of edges of states, in pixels, so that a single unexpected frame of sound is visible.
    static let bare = 6
    /// The height of a fold, in pixels.
    static let fold = 30
    /// The height of the devices' names, in pixels.
    static let heading = 34
    /// The distance after which the names are repeated, in pixels.
    static let headingEvery = 1_500

    /// The y coordinate of each row's arrows.
    private(set) var lines: [Int] = []
    /// The middle of each fold, by the index of the row after it.
    private(set) var folds: [Int: Int] = [:]
    /// The tops of the devices' names.
    private(set) var headings: [Int] = []
    /// The top of each failure's box, by the index of its row.
    private(set) var failures: [Int: Int] = [:]
    /// The bottom of the last row.
    private(set) var end: Int

    /// The bottom of the last text beside the devices.
    private var words: Int
    /// The bottom of the last step's text.
    private var steps: Int

    /// Creates the layout of a ladder's rows.
    ///
    /// - Parameters:
    ///   - ladder: The ladder.
    ///   - top: The y coordinate of the beginning.
    ///   - failureHeight: The height of a failure's box, in pixels.
    init(_ ladder: Ladder, from top: Int, failureHeight: Int) {
        (end, words, steps) = (top, top, top)
        addHeading()
        var last = Duration.zero
        for (index, row) in ladder.rows.enumerated() {
            if let heading = headings.last, end - heading > Self.headingEvery, row.step != nil { addHeading() }
            if row.quiet != nil {
                end = max(end, words, steps)
                folds[index] = end + Self.fold / 2 + 1
                end += Self.fold
                (words, steps) = (end, end)
            } else {
                end += min((row.at - last).wholeMilliseconds / 8, 26)
            }
            add(row, at: index, ladder, failureHeight)
            last = row.at
        }
        end = max(end + 14, words, steps)
    }

    private mutating func addHeading() {
        let top = max(end, words, steps) + (headings.isEmpty ? 0 : 10)
        headings.append(top)
        (end, words, steps) = (top + Self.heading, top + Self.heading, top + Self.heading)
    }

    private mutating func add(_ row: Ladder.Row, at index: Int, _ ladder: Ladder, _ failureHeight: Int) {
        if row.isFailure {
            let top = max(end, words, steps) + 6
            failures[index] = top
            lines.append(top)
            end = top + failureHeight + 4
            (words, steps) = (end, end)
            return
        }
        var line = end + Self.bare
        if !row.isBare { line = max(line, words + Self.row - 4) }
        if row.step != nil { line = max(line, steps + Self.row - 4) }
        lines.append(line)
        end = line
        if !row.isBare { words = line + 4 }
        if let step = row.step {
            let hasNote = ladder.record.steps[step].note != nil
            steps = line + (hasNote ? 12 : -2)
        }
    }
}
