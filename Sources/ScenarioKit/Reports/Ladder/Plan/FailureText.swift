/// The text of a failure's box.
struct FailureText {
    private let title: String
    private let lines: [String]

    /// The height of the box, in pixels.
    var height: Int { 12 + PlacedText.height(PlacedText.Role.failureTitle.size) + lines.count * 16 }

    /// Creates the text for a run; nil: the run has not failed.
    ///
    /// - Parameters:
    ///   - record: The record of the run.
    ///   - availableWidth: The maximum width of a line, in pixels.
    init?(_ record: RunResult, availableWidth: Int) {
        guard let failure = record.failure, let at = record.failedAt else { return nil }
        let step = record.failedStep.map { ", line \($0.line): \($0.text.onOneLine)" } ?? ""
        let size = PlacedText.Role.failureTitle.size
        title = TextMeasure.shortened(
            "Failed at \(at.inSeconds) s\(step)",
            size: size,
            isBold: true,
            to: availableWidth
        )
        lines = ["Expected: " + failure.expected, "Actual: " + failure.actual].flatMap {
            TextMeasure.lines(
                $0.onOneLine,
                size: PlacedText.Role.failureText.size,
                availableWidth: availableWidth,
                atMost: 4
            )
        }
    }

    /// Returns the text's lines at their places in a box.
    func texts(in box: Box) -> [PlacedText] {
        let (x, availableWidth) = (box.x + 32, box.width - 40)
        var y = box.y + 5
        var texts = [PlacedText.placed(title, as: .failureTitle, x: x, width: availableWidth, y: y)]
        y += PlacedText.height(PlacedText.Role.failureTitle.size) + 1
        for line in lines {
            texts.append(.placed(line, as: .failureText, x: x, width: availableWidth, y: y))
            y += 16
        }
        return texts
    }
}
