/// The tests that prove each point, and the points without a proof.
struct Proof {
    let points: [Point]
    let tests: [TestRun.Test]
    private let byPoint: [String: [TestRun.Test]]

    init(of points: [Point], by run: TestRun) {
        self.points = points
        tests = run.tests
        var byPoint: [String: [TestRun.Test]] = [:]
        for test in run.tests {
            for id in Set(Point.ids(in: test.sentence)) { byPoint[id, default: []].append(test) }
        }
        self.byPoint = byPoint
    }

    /// The faults of the proof, one sentence each; empty when every point is proved.
    var complaints: [String] {
        let known = Set(points.map(\.id))
        let unknown = tests.flatMap { test in
            Point.ids(in: test.sentence).filter { !known.contains($0) }
                .map { "\(test.file): \"\(test.sentence)\" names \($0), which there is not." }
        }
        return unknown + points.flatMap(complaints(about:))
    }

    private func complaints(about point: Point) -> [String] {
        let proving = byPoint[point.id] ?? []
        guard !proving.isEmpty else { return ["\(point.id) has no test. \(point.sentence)"] }
        return proving.filter { $0.outcome != .passed }.map { test in
            "\(point.id): \"\(test.sentence)\" (\(test.file)) \(test.outcome == .failed ? "failed" : test.outcome.rawValue)."
        }
    }

    /// The result in one line.
    var summary: String {
        let proved = points.count { complaints(about: $0).isEmpty }
        let proving = Set(points.flatMap { byPoint[$0.id] ?? [] })
        return "\(proved) of \(points.count) rows and pitfalls are proved, by \(proving.count) tests."
    }

    /// The text of docs/conformance.md.
    var document: String {
        """
        # Conformance

        The hub's behaviour for each row of CallKit's semantics (CK-01 to CK-84), for each known pitfall (P1 to P36) and for
        each rule that is CallHub's own (CH-01 and following), and the tests that prove it, with their outcomes: those with
        the row in their names. `make conformance` writes this file from a run of all tests. `make test` fails if the file
        differs from the run, and if a row or a pitfall has no test or one that did not pass.

        \(summary)

        ## Rows

        \(points.filter { $0.id.hasPrefix("CK") }.map(entry).joined(separator: "\n\n"))

        ## Pitfalls

        \(points.filter { $0.id.hasPrefix("P") }.map(entry).joined(separator: "\n\n"))

        ## CallHub's own

        \(points.filter { $0.id.hasPrefix("CH") }.map(entry).joined(separator: "\n\n"))

        """
    }

    private func entry(_ point: Point) -> String {
        let proving = (byPoint[point.id] ?? []).map { test in
            "- \(test.outcome.rawValue): \(test.sentence) – [\(test.suite)](../\(test.file))"
        }
        return (["**\(point.id)** \(point.sentence)", ""] + (proving.isEmpty ? ["- no test"] : proving))
            .joined(separator: "\n")
    }
}
