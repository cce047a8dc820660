import Foundation
import ScenarioKit
import Testing

/// `make ladders` writes the synthetic runs' ladders for visual inspection.
@Suite struct LadderFiles {
    private static let folder = ProcessInfo.processInfo.environment["LADDERS"]

    @Test(.enabled(if: folder != nil))
    func `ladders of synthetic runs are written for visual inspection`() throws {
        let folder = URL(fileURLWithPath: try #require(Self.folder), isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let runs = [
            ("swap", SyntheticRuns.swap()), ("failing", SyntheticRuns.swap(failing: true)),
            ("three", SyntheticRuns.conference(Array(SyntheticRuns.people.prefix(3)))),
            ("two", SyntheticRuns.conference(Array(SyntheticRuns.people.prefix(2)))),
            ("five", SyntheticRuns.conference(Array(SyntheticRuns.people.prefix(5)))),
            ("twelve", SyntheticRuns.conference(SyntheticRuns.people)), ("anything", SyntheticRuns.random(seed: 7)),
        ]
        for (name, run) in runs {
            try write(LadderSVG(run).text, to: folder, "\(name).svg")
            try write(LadderText(run).text, to: folder, "\(name).txt")
            try write(LadderMermaid(run).text, to: folder, "\(name).mmd")
        }
        try write(HTMLReport(runs.map(\.1)).text, to: folder, "report.html")
    }

    private func write(_ text: String, to folder: URL, _ name: String) throws {
        try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    }
}
