import Foundation
import ScenarioKit

/// A file that is to be written.
struct ReportFile {
    /// Where; `-` is standard output.
    var path: String
    var text: String
}

/// The files that a command's runs are written to when they are over; safe on any thread.
final class ScenarioReports: @unchecked Sendable {
    static let junit = Option("--junit", value: "FILE", help: "the runs as XML for CI systems")
    static let tap = Option("--tap", value: "FILE", help: "the runs in the Test Anything Protocol, version 14")
    static let html = Option("--html", value: "FILE", help: "one page with all runs, their steps and their ladders")
    static let ladder = Option(
        "--ladder",
        value: "FILE",
        help:
            "who told whom what, and who heard whom, as a drawing: FILE.svg, text: FILE.txt, or for Mermaid: FILE.mmd;\n"
            + "of several runs each has a file: ladder.svg becomes ladder-busy.svg, ladder-swap.svg and so on"
    )
    static let trace = Option(
        "--trace",
        value: "FILE",
        help: "every message of every device, a line of JSON each, with the time and whose it is"
    )
    static let options = [junit, tap, html, ladder, trace]

    private typealias Report = @Sendable ([RunRecord]) -> String

    /// An option, and what is written to its file; ladders may be several files.
    private static let kinds: [(option: Option, text: Report)] = [
        (junit, { JUnitReport($0).text }), (tap, { TAPReport($0).text }), (html, { HTMLReport($0).text }),
        (trace, { TraceFile($0).text }),
    ]

    private let lock = NSLock()
    private let files: [(path: String, text: Report)]
    private let ladders: LadderFiles?
    private var records: [RunRecord] = []
    /// Whether a report goes to standard output, where nothing else may be then.
    let takesOutput: Bool

    /// The reports that a command line asks for.
    ///
    /// - Throws: `UsageError` where they cannot all be written.
    init(_ given: Arguments) throws(UsageError) {
        files = Self.kinds.compactMap { option, text in given[option].map { ($0, text) } }
        ladders = try given[Self.ladder].map { path throws(UsageError) in try LadderFiles(path) }
        let toOutput =
            Self.options.filter { given[$0] == "-" }.map(\.name)
            + (given.has(Command.json) ? [Command.json.name] : [])
        takesOutput = Self.options.contains { given[$0] == "-" }
        guard !takesOutput || toOutput.count == 1 else {
            let all = toOutput.joined(separator: " and ")
            throw UsageError("\(all) both write to standard output; only one can.")
        }
        for option in Self.options {
            guard let path = given[option], path != "-", let fault = WritableFile(path).fault else { continue }
            throw UsageError("\(option.name) is \(quoted(path)), which cannot be written: \(fault).")
        }
    }

    /// Takes a run that is over; it is kept only where somebody wants it.
    func add(_ record: RunRecord) {
        guard !files.isEmpty || ladders != nil else { return }
        lock.withLock { records.append(record) }
    }

    /// Writes all files.
    ///
    /// - Returns: What could not be written, a sentence each.
    func write() -> [String] {
        let records = lock.withLock { self.records }
        let reports = files.map { ReportFile(path: $0.path, text: $0.text(records)) } + (ladders?.files(records) ?? [])
        return reports.compactMap(Self.fault)
    }

    /// Writes a file; returns why it could not.
    private static func fault(_ file: ReportFile) -> String? {
        guard file.path != "-" else {
            return Console.out(file.text) ? nil : "standard output cannot be written."
        }
        return WritableFile(file.path).write(file.text).map { "\(quoted(file.path)) cannot be written: \($0)." }
    }
}
