/// The drawing of names, folds, failures and the legend.
extension LadderSVG {
    /// Draws the events of connections as marks on the devices' lines.
    mutating func drawMarks() {
        for (index, row) in plan.ladder.rows.enumerated() {
            for arrow in row.arrows where arrow.message.kind == .connection {
                let column = plan.columns.devices[arrow.device]
                out +=
                    "<path class=\"mark\" d=\"M\(column.line).5 \(plan.heights.lines[index] - 5)l5 5l-5 5l-5 -5z\"/>\n"
            }
        }
    }

    mutating func drawFolds() {
        for (_, y) in plan.heights.folds.sorted(by: { $0.key < $1.key }) {
            var path = "M\(plan.columns.begin - 8) \(y)"
            var (x, up) = (plan.columns.begin - 8, true)
            while x < plan.columns.end {
                path += "l8 \(up ? -5 : 5)"
                (x, up) = (x + 8, !up)
            }
            out += "<path class=\"fold-edge\" d=\"\(path)\"/><path class=\"fold\" d=\"\(path)\"/>\n"
        }
    }

    mutating func drawHeadings() {
        for heading in plan.headings {
            let appearance = heading.device == nil ? "name hub-name" : "name"
            out += rectangle(heading.box, appearance, rounding: 12)
            guard let device = heading.device else { continue }
            let colour = self.appearance(ofVoice: plan.ladder.devices[device].voice)
            out +=
                "<circle class=\"voice \(colour)\" cx=\"\(heading.box.x + 12)\" cy=\"\(heading.box.y + 12)\" r=\"4\"/>\n"
        }
    }

    mutating func drawFailures() {
        for box in plan.failures {
            out += rectangle(box, "failure", rounding: 6)
            out += "<path class=\"cross\" d=\"M\(box.x + 11) \(box.y + 9)l8 8m0 -8l-8 8\"/>\n"
        }
        for (index, row) in plan.ladder.rows.enumerated() {
            guard let step = row.step else { continue }
            let (x, y) = (LadderColumns.tick, plan.heights.lines[index] - 10)
            if plan.isFailed(step) {
                out += "<path class=\"cross\" d=\"M\(x - 3) \(y - 3)l6 6m0 -6l-6 6\"/>\n"
            } else if plan.ladder.record.steps[step].end != nil {
                out += "<path class=\"tick\" d=\"M\(x - 4) \(y)l3 3l5 -6\"/>\n"
            }
        }
    }

    mutating func draw(_ sample: LegendSample, in box: Box) {
        let (middle, right) = (box.y + box.height / 2, box.right)
        switch sample {
        case .verdict(let word): out += rectangle(box, "pill \(word)", rounding: 9)
        case .voice(let number): out += rectangle(box, "voice \(appearance(ofVoice: number))", rounding: 2)
        case .open, .held:
            let bar = Box(x: right - 13, y: box.y, width: LadderColumns.trackWidth, height: box.height)
            out += rectangle(bar, sample == .open ? "open" : "held", rounding: 2)
        case .request, .reply, .notification, .refusal:
            out += "<g class=\"arrow \(sample)\"><path class=\"shaft\" d=\"M\(box.x) \(middle).5H\(right - 6)\"/>"
            out += head(at: right, middle, 1) + "</g>\n"
        case .connection: out += "<path class=\"mark\" d=\"M\(box.x + 16) \(middle - 5)l5 5l-5 5l-5 -5z\"/>\n"
        case .fold:
            let path = "M\(box.x) \(middle)l4 -4l8 8l8 -8l4 4"
            out += "<path class=\"fold-edge\" d=\"\(path)\"/><path class=\"fold\" d=\"\(path)\"/>\n"
        }
    }
}
