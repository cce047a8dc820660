import CommandLineTools
import Foundation
import HubWire
import ScenarioKit

/// A report and the file that it is written to.
struct ReportFile {
    /// The path of the file; `-` is standard output.
    var path: String
    var text: String
}

/// The reports that are written when all runs are complete; safe on any thread.
final class ScenarioReports: @unchecked Sendable {
    static let junit = Option("--junit", value: "FILE", help: "the runs as XML for CI systems")
    static let tap = Option("--tap", value: "FILE", help: "the runs in the Test Anything Protocol, version 14")
    static let html = Option("--html", value: "FILE", help: "one page with all runs, their steps and their ladders")
    static let ladder = Option(
        "--ladder",
        value: "FILE",
        help:
            "ladder diagram of messages and audio, as SVG (FILE.svg), text (FILE.txt) or Mermaid (FILE.mmd);\n"
            + "with several runs, a file for each: ladder.svg becomes ladder-busy.svg, ladder-swap.svg and so on"
    )
    static let trace = Option(
        "--trace",
        value: "FILE",
        help: "all messages as JSON lines, with time and device"
    )
    static let options = [junit, tap, html, ladder, trace]

    private typealias Report = @Sendable ([RunResult]) -> String

    /// The options with the report that each writes to one file; ladders may be several files.
    private static let kinds: [(option: Option, text: Report)] = [
        (junit, { JUnitReport($0).text }), (tap, { TAPReport($0).text }), (html, { HTMLReport($0).text }),
        (trace, { TraceFile($0).text }),
    ]

    private let lock = NSLock()
    private let files: [(path: String, text: Report)]
    private let ladders: LadderFiles?
    private var records: [RunResult] = []
    /// Indicates that a report goes to standard output, where nothing else may be written then.
    let usesStandardOutput: Bool

    /// Reads the reports that a command line requests.
    ///
    /// - Throws: `UsageError` if a file cannot be written, or two reports go to standard output.
    init(_ given: Arguments) throws(UsageError) {
        files = Self.kinds.compactMap { option, text in given[option].map { ($0, text) } }
        ladders = try given[Self.ladder].map { path throws(UsageError) in try LadderFiles(path) }
        let toOutput =
            Self.options.filter { given[$0] == "-" }.map(\.name)
            + (given.has(Command.json) ? [Command.json.name] : [])
        usesStandardOutput = Self.options.contains { given[$0] == "-" }
        guard !usesStandardOutput || toOutput.count == 1 else {
            let all = toOutput.joined(separator: " and ")
            throw UsageError("\(all) are mutually exclusive: only one can write to standard output.")
        }
        for option in Self.options {
            guard let path = given[option], path != "-", let fault = WritableFile(path).fault else { continue }
            throw UsageError("\(option.name) is \(quoted(path)), which cannot be written: \(fault).")
        }
    }

    /// Adds a completed run; it is kept only if a report was requested.
    func add(_ record: RunResult) {
        guard !files.isEmpty || ladders != nil else { return }
        lock.withLock { records.append(record) }
    }

    /// Writes all reports.
    ///
    /// - Returns: The errors, a sentence for each file that could not be written.
    func write() -> [String] {
        let records = lock.withLock { self.records }
        let reports = files.map { ReportFile(path: $0.path, text: $0.text(records)) } + (ladders?.files(records) ?? [])
        return reports.compactMap(Self.fault)
    }

    /// Writes a file; returns the error if it fails.
    private static func fault(_ file: ReportFile) -> String? {
        guard file.path != "-" else {
            return Console.out(file.text) ? nil : "standard output cannot be written."
        }
        return WritableFile(file.path).write(file.text).map { "\(quoted(file.path)) cannot be written: \($0)." }
    }
}
