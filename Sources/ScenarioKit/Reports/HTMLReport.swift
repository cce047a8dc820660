/// A report of runs as one HTML page: a table of all runs, then each with its steps, its failure and its ladder.
///
/// It needs no other files and has no script; text from hubs and scenarios is escaped.
public struct HTMLReport {
    private let records: [RunResult]
    private var out = ""

    /// Creates a report of some runs.
    ///
    /// - Parameter records: The runs, in the order of the report.
    public init(_ records: [RunResult]) {
        self.records = records
    }

    /// The whole file.
    public var text: String {
        var writer = self
        writer.write()
        return writer.out
    }

    private mutating func write() {
        let failed = records.count { $0.failure != nil }
        let title = failed == 0 ? "Scenarios: all passed" : "Scenarios: \(failed) of \(records.count) failed"
        out += "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        out += "<meta http-equiv=\"Content-Security-Policy\" "
        out += "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        out += "<meta name=\"color-scheme\" content=\"light dark\">\n<title>\(title)</title>\n"
        out += "<style>\n\(Self.style)\(LadderSVG.style)</style>\n</head>\n<body>\n<h1>\(title)</h1>\n"
        writeFilter()
        writeTable()
        for (index, record) in records.enumerated() { write(record, number: index + 1) }
        out += "</body>\n</html>\n"
    }

    // MARK: The table

    /// Writes filter buttons, which work by the style sheet: the rows that they hide follow them in the page.
    private mutating func writeFilter() {
        let counts = [
            ("all", "All", records.count), ("passed", "Passed", records.count { $0.verdict == .passed }),
            ("failed", "Failed", records.count { $0.failure != nil }),
            ("skipped", "Skipped", records.count { $0.reasonToSkip != nil }),
        ]
        for (name, words, count) in counts {
            out += "<input type=\"radio\" name=\"show\" id=\"show-\(name)\"\(name == "all" ? " checked" : "")>"
            out += "<label for=\"show-\(name)\">\(words) <b>\(count)</b></label>\n"
        }
    }

    private mutating func writeTable() {
        out += "<table class=\"runs\">\n<thead><tr><th>Run</th><th>Scenario</th><th>File</th><th>Seed</th>"
        out += "<th class=\"number\">Steps</th><th class=\"number\">Seconds</th></tr></thead>\n<tbody>\n"
        for (index, record) in records.enumerated() {
            out += "<tr class=\"run \(record.verdict.word)\"><td><span class=\"pill \(record.verdict.word)\">"
            out += "\(record.verdict.word)</span></td>"
            out += "<td><a href=\"#run-\(index + 1)\"><bdi>\(record.name.inMarkup)</bdi></a></td>"
            out += "<td><bdi>\(position(of: record))</bdi></td><td>\(record.seed)</td>"
            out += "<td class=\"number\">\(record.steps.count)</td>"
            out += "<td class=\"number\">\(record.duration.inSeconds)</td></tr>\n"
        }
        out += "</tbody>\n</table>\n"
    }

    private func position(of record: RunResult) -> String {
        guard let file = record.file else { return "" }
        return record.line.map { "\(file.inMarkup):\($0)" } ?? file.inMarkup
    }

    // MARK: A run

    private mutating func write(_ record: RunResult, number: Int) {
        let isOpen = record.failure == nil ? "" : " open"
        out += "<details class=\"run \(record.verdict.word)\"\(isOpen)>\n"
        out += "<summary><span class=\"pill \(record.verdict.word)\">\(record.verdict.word)</span> "
        out += "<bdi>\(record.name.inMarkup)</bdi></summary>\n"
        // A browser opens the element around a link's target, so the target is inside.
        out += "<div class=\"content\" id=\"run-\(number)\">\n"
        if let reason = record.reasonToSkip { out += "<p class=\"reason\"><bdi>\(reason.inMarkup)</bdi></p>\n" }
        writeFailure(of: record)
        writeSteps(of: record)
        if record.reasonToSkip == nil {
            let drawing = LadderSVG(record, prefix: "run-\(number)-", isEmbedded: true)
            out += "<div class=\"drawing\">\n\(drawing.text)</div>\n"
        }
        out += "</div>\n</details>\n"
    }

    private mutating func writeFailure(of record: RunResult) {
        guard let failure = record.failure, let at = record.failedAt else { return }
        let step = record.failedStep.map { ", line \($0.line): \($0.text.inMarkup)" } ?? ""
        out += "<div class=\"failed-here\"><p><b>Failed at \(at.inSeconds) s<bdi>\(step)</bdi></b></p><dl>"
        out += "<dt>Expected</dt><dd><bdi>\(failure.expected.inMarkup)</bdi></dd>"
        out += "<dt>Actual</dt><dd><bdi>\(failure.actual.inMarkup)</bdi></dd></dl></div>\n"
    }

    private mutating func writeSteps(of record: RunResult) {
        guard !record.steps.isEmpty else { return }
        out += "<details class=\"steps\"><summary>\(record.steps.count) steps</summary>\n<table>\n"
        for (index, step) in record.steps.enumerated() {
            let isFailed = record.failure?.step == index
            let (appearance, sign) = isFailed ? ("failed-step", "✗") : step.end == nil ? ("undone", "…") : ("done", "✓")
            out += "<tr class=\"\(appearance)\"><td class=\"number\">\(step.begin.inSeconds)</td><td>\(sign)</td>"
            out += "<td class=\"number\">\(step.line)</td><td class=\"deep-\(min(max(step.depth, 0), 4))\">"
            out += "<bdi>\(step.text.inMarkup)</bdi></td><td><bdi>\((step.note ?? "").inMarkup)</bdi></td></tr>\n"
        }
        out += "</table>\n</details>\n"
    }
}
