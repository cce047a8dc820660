/// The texts of reports about a run.
extension RunResult {
    /// The scenario's title, with the matrix's values.
    var name: String {
        let variant = scenario.variant.joined(separator: ", ")
        return variant.isEmpty ? scenario.title : "\(scenario.title) (\(variant))"
    }

    /// The reason of the failure; nil: the run has not failed.
    var failure: Failure? {
        guard case .failed(let failure) = verdict else { return nil }
        return failure
    }

    /// The reason why the run was skipped; nil: it was not.
    var reasonToSkip: String? {
        guard case .skipped(let reason) = verdict else { return nil }
        return reason
    }

    /// The step that failed; nil: none, or the failure belongs to no step.
    var failedStep: StepRecord? {
        failure?.step.flatMap { steps.indices.contains($0) ? steps[$0] : nil }
    }

    /// The line of the file to look at first: the one that failed, or else the first one.
    var line: Int? { failedStep?.line ?? steps.first?.line ?? scenario.steps.first?.line }

    /// The time of the failure; nil: the run has not failed.
    var failedAt: Duration? {
        guard let failure else { return nil }
        return failure.at ?? failedStep?.end ?? duration
    }
}

extension Verdict {
    /// The verdict in one word, also for programs.
    var word: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .skipped: "skipped"
        }
    }
}

extension StepRecord {
    /// The step as a line with its time, its place and its note: `0.042  line 14  carol: swap (after 12 ms)`.
    var asLine: String {
        let indent = String(repeating: "    ", count: min(max(depth, 0), 20))
        let remark = note.map { " (\($0.onOneLine))" } ?? (end == nil ? " (not done)" : "")
        return "\(begin.inSeconds)  line \(line)  \(indent)\(text.onOneLine)\(remark)"
    }
}

extension Voice {
    /// The voice as a scenario's line names it.
    var name: String {
        switch self {
        case .party(let name): name
        case .music: "music"
        case .tone: "tone"
        }
    }
}

extension MessageRecord {
    /// True if the client sent it, false if the hub did; nil: it was not sent on a connection.
    var isFromClient: Bool? {
        switch kind {
        case .request: true
        case .reply, .refusal, .notification: false
        case .connection: nil
        }
    }

    /// A short text: the summary, or the method if the summary is empty.
    var label: String {
        // Names alone could be mistaken for the message's sender.
        if method == "audio.sources" { return "sources: \(summary.isEmpty ? "nobody" : summary.onOneLine)" }
        guard summary.isEmpty else { return summary.onOneLine }
        return kind == .reply ? "ok" : method.onOneLine
    }
}
