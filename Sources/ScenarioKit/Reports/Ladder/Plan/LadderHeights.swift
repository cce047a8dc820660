/// Where everything stands from top to bottom: each row as far below the one before as its words need, and a bit more where more
/// time has passed.
struct LadderHeights {
    /// A row's own height: words above an arrow.
    static let row = 22
    /// How far apart edges of what lasts are at least, so that a frame of sound that should not be there is seen.
    static let bare = 6
    /// The height of a fold.
    static let fold = 30
    /// How high the devices' names are.
    static let heading = 34
    /// They are said again after so much.
    static let headingEvery = 1_500

    /// The line of each row, where its arrow lies.
    private(set) var lines: [Int] = []
    /// The middles of the folds, by the row behind.
    private(set) var folds: [Int: Int] = [:]
    /// The tops of the devices' names.
    private(set) var headings: [Int] = []
    /// The top of each failure's box, by its row.
    private(set) var failures: [Int: Int] = [:]
    /// Where the last row ends.
    private(set) var end: Int

    /// The bottom of the last words beside the devices.
    private var words: Int
    /// The bottom of the last step's words.
    private var steps: Int

    /// The rows of a picture.
    ///
    /// - Parameters:
    ///   - ladder: The picture.
    ///   - top: Where it begins.
    ///   - failureHeight: How high a failure's box is.
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
