/// What reports call the things of a run.
extension RunRecord {
    /// The scenario's title, with what a matrix makes of it.
    var name: String {
        let variant = scenario.variant.joined(separator: ", ")
        return variant.isEmpty ? scenario.title : "\(scenario.title) (\(variant))"
    }

    /// Why it failed; nil: it did not.
    var failure: Failure? {
        guard case .failed(let failure) = verdict else { return nil }
        return failure
    }

    /// Why it was not run; nil: it was.
    var reasonToSkip: String? {
        guard case .skipped(let reason) = verdict else { return nil }
        return reason
    }

    /// The step that failed, where a step did.
    var failedStep: StepRecord? {
        failure?.step.flatMap { steps.indices.contains($0) ? steps[$0] : nil }
    }

    /// Where a reader of a report looks first: the line that failed, or else the first one.
    var line: Int? { failedStep?.line ?? steps.first?.line ?? scenario.steps.first?.line }

    /// When it failed; nil: it did not.
    var failedAt: Duration? {
        guard let failure else { return nil }
        return failure.at ?? failedStep?.end ?? duration
    }
}

extension Verdict {
    /// One word, also for machines.
    var word: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .skipped: "skipped"
        }
    }
}

extension StepRecord {
    /// The line with its place and what it measured: `  0.042  14  carol: swap (after 12 ms)`.
    var asLine: String {
        let indent = String(repeating: "    ", count: min(max(depth, 0), 20))
        let remark = note.map { " (\($0.onOneLine))" } ?? (end == nil ? " (not done)" : "")
        return "\(begin.inSeconds)  line \(line)  \(indent)\(text.onOneLine)\(remark)"
    }
}

extension Voice {
    /// As in a line of a scenario.
    var name: String {
        switch self {
        case .party(let name): name
        case .music: "music"
        case .tone: "tone"
        }
    }
}

extension MessageRecord {
    /// Which way it went; nil: over no connection.
    var isFromClient: Bool? {
        switch kind {
        case .request: true
        case .reply, .refusal, .notification: false
        case .connection: nil
        }
    }

    /// A few words: what it says, or the method where it says nothing.
    var label: String {
        // Names alone would be read as whose message it is.
        if method == "audio.sources" { return "sources: \(summary.isEmpty ? "nobody" : summary.onOneLine)" }
        guard summary.isEmpty else { return summary.onOneLine }
        return kind == .reply ? "ok" : method.onOneLine
    }
}
