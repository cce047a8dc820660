/// The ladder of a run as an SVG drawing: devices and the hub are columns, time runs downwards.
///
/// It is one file without scripts and external fonts, light or dark by the reader's colour scheme, and light in print.
public struct LadderSVG {
    let plan: LadderPlan
    /// The text that is written so far.
    var out = ""
    private let prefix: String
    private let isEmbedded: Bool

    /// Creates the drawing of a run.
    ///
    /// - Parameter record: The record of the run.
    public init(_ record: RunResult) {
        self.init(record, prefix: "", isEmbedded: false)
    }

    /// Creates a drawing for a page that contains ``style`` and other drawings.
    ///
    /// - Parameters:
    ///   - record: The record of the run.
    ///   - prefix: The prefix of the drawing's identifiers, which must be unique in the page.
    ///   - isEmbedded: True if the page contains the style sheet; false to write it into the drawing.
    init(_ record: RunResult, prefix: String, isEmbedded: Bool) {
        plan = LadderPlan(Ladder(record))
        self.prefix = prefix
        self.isEmbedded = isEmbedded
    }

    /// The whole file.
    public var text: String {
        var drawing = self
        drawing.draw()
        return drawing.out
    }

    // MARK: The whole

    private mutating func draw() {
        let (width, height) = (plan.width, plan.height)
        out += "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ladder\" role=\"img\" width=\"\(width)\" "
        out += "height=\"\(height)\" viewBox=\"0 0 \(width) \(height)\">\n"
        out += "<title>\(plan.ladder.record.name.inMarkup)</title>\n"
        if !isEmbedded { out += "<style>\n\(Self.style)</style>\n" }
        drawPattern()
        out += "<rect class=\"paper\" width=\"\(width)\" height=\"\(height)\"/>\n"
        drawRules()
        drawLines()
        drawArrows()
        drawLanes()
        drawTracks()
        drawFolds()
        drawMarks()
        drawHeadings()
        drawFailures()
        for sample in plan.samples { draw(sample.appearance, in: sample.box) }
        for text in plan.texts { draw(text) }
        out += "</svg>\n"
    }

    /// Writes the hatching of held calls.
    private mutating func drawPattern() {
        out += "<defs><pattern id=\"\(prefix)hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\">"
        out += "<rect class=\"hatch-ground\" width=\"5\" height=\"5\"/>"
        out += "<path class=\"hatch-line\" d=\"M-1 1L1 -1M0 5L5 0M4 6L6 4\"/></pattern></defs>\n"
    }

    /// Draws a thin line at the beginning of each step.
    private mutating func drawRules() {
        for (index, row) in plan.ladder.rows.enumerated() {
            guard let step = row.step else { continue }
            let y = plan.heights.lines[index] - 19
            let appearance = plan.isFailed(step) ? "rule failed" : "rule"
            out += "<path class=\"\(appearance)\" d=\"M\(LadderColumns.edge) \(y).5H\(plan.columns.end)\"/>\n"
        }
    }

    /// Draws the devices' lines and the hub.
    private mutating func drawLines() {
        let (top, bottom) = (plan.top + 20, plan.heights.end)
        for column in plan.columns.devices {
            out += "<path class=\"line\" d=\"M\(column.line).5 \(top)V\(bottom)\"/>\n"
        }
        let (hub, width) = (plan.columns.hub, LadderColumns.hubWidth)
        out +=
            "<rect class=\"hub\" x=\"\(hub)\" y=\"\(top)\" width=\"\(width)\" height=\"\(bottom - top)\" rx=\"3\"/>\n"
    }

    // MARK: Messages

    private mutating func drawArrows() {
        for (index, row) in plan.ladder.rows.enumerated() {
            for arrow in row.arrows { draw(arrow, at: plan.heights.lines[index]) }
        }
    }

    private mutating func draw(_ arrow: Ladder.Arrow, at y: Int) {
        let column = plan.columns.devices[arrow.device]
        let hub = column.isLeft ? plan.columns.hub : plan.columns.hub + LadderColumns.hubWidth
        // The direction towards the hub: to the right for devices on its left.
        let toHub = column.isLeft ? 1 : -1
        let port = column.port + toHub
        out += "<g class=\"arrow \(arrow.message.kind.rawValue)\"><title>\(title(of: arrow))</title>"
        switch arrow.message.isFromClient {
        case true?:
            out += "<path class=\"shaft\" d=\"M\(port) \(y).5H\(hub - toHub * 7)\"/>\(head(at: hub - toHub, y, toHub))"
        case false?:
            out += "<path class=\"shaft\" d=\"M\(hub) \(y).5H\(port + toHub * 6)\"/>\(head(at: port, y, -toHub))"
        case nil:
            out += "<path class=\"shaft\" d=\"M\(port) \(y).5h\(toHub * max(column.words.count - 8, 8))\"/>"
        }
        out += "</g>\n"
    }

    /// Returns an arrow's head with its tip at a place.
    func head(at x: Int, _ y: Int, _ direction: Int) -> String {
        "<path class=\"head\" d=\"M\(x) \(y).5l\(-8 * direction) -4v8z\"/>"
    }

    private func title(of arrow: Ladder.Arrow) -> String {
        let (message, device) = (arrow.message, plan.ladder.devices[arrow.device].name)
        let way =
            switch message.isFromClient {
            case true?: "\(device) → hub"
            case false?: "hub → \(device)"
            case nil: device
            }
        let lines = ["\(message.at.inSeconds) s, \(way), \(message.kind.rawValue): \(message.method)", message.summary]
        return (lines + [message.json ?? ""]).filter { !$0.isEmpty }.joined(separator: "\n").inMarkupPreservingLines
    }

    // MARK: Pieces

    private mutating func draw(_ text: PlacedText) {
        // On hatching a letter needs a background.
        if text.role == .call { out += rectangle(text.box, "ground \(text.appearance)", rounding: 2) }
        let (x, anchor) =
            switch text.anchor {
            case .start: (text.box.x, "")
            case .middle: (text.box.x + text.box.width / 2, " text-anchor=\"middle\"")
            case .end: (text.box.right, " text-anchor=\"end\"")
            }
        let appearance = text.appearance.isEmpty ? text.role.rawValue : "\(text.role.rawValue) \(text.appearance)"
        // The base line: descenders reach a fifth of the size below it.
        let y = text.box.y + text.role.size
        out += "<text class=\"\(appearance)\" x=\"\(x)\" y=\"\(y)\"\(anchor)>"
        if let whole = text.whole { out += "<title>\(whole.inMarkup)</title>" }
        out += "\(text.text.inMarkup)</text>\n"
    }

    func rectangle(_ box: Box, _ appearance: String, rounding: Int, title: String? = nil) -> String {
        // Style sheets override presentation attributes, so the drawing's own pattern can be set here.
        let fill = appearance == "held" ? " fill=\"url(#\(prefix)hatch)\"" : ""
        let head = "<rect class=\"\(appearance)\" x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(box.width)\" "
        let tail = "height=\"\(box.height)\" rx=\"\(rounding)\"\(fill)"
        guard let title else { return head + tail + "/>\n" }
        return head + tail + "><title>\(title.inMarkup)</title></rect>\n"
    }
}
