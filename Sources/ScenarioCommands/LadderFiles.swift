import CommandLineTools
import HubWire
import ScenarioKit

/// The files that the ladder diagrams of runs are written to: the named one, or for several runs one for each.
///
/// The files of several runs are in the same folder, with the scenario's name in theirs.
struct LadderFiles: Sendable {
    private enum Kind: String, CaseIterable {
        case svg, txt, mmd
    }

    private let path: String
    private let kind: Kind

    /// Determines the format from the path's extension: .svg, .txt or .mmd.
    ///
    /// - Parameter path: The path of the file; `-` is standard output, and text.
    /// - Throws: `UsageError` if the path has another extension.
    init(_ path: String) throws(UsageError) {
        guard let kind = path == "-" ? .txt : Kind.allCases.first(where: { path.hasSuffix("." + $0.rawValue) }) else {
            throw UsageError("--ladder is \(quoted(path)); its name must end with .svg, .txt or .mmd.")
        }
        (self.path, self.kind) = (path, kind)
    }

    /// The ladder diagrams of all runs that were not skipped.
    func files(_ records: [RunResult]) -> [ReportFile] {
        let drawn = records.filter { record in
            if case .skipped = record.verdict { false } else { true }
        }
        guard path != "-" else { return [ReportFile(path: path, text: drawn.map(text).joined(separator: "\n"))] }
        guard records.count > 1 else { return drawn.map { ReportFile(path: path, text: text($0)) } }
        var taken: Set<String> = []
        var seeds: [String: Set<UInt64>] = [:]
        for record in records { seeds[Self.name(of: record, withSeed: false), default: []].insert(record.seed) }
        return drawn.map { record in
            let isRepeated = (seeds[Self.name(of: record, withSeed: false)]?.count ?? 0) > 1
            let name = Self.name(of: record, withSeed: isRepeated)
            var free = name
            var number = 2
            while !taken.insert(free).inserted {
                free = "\(name)-\(number)"
                number += 1
            }
            return ReportFile(path: path.dropLast(kind.rawValue.count + 1) + "-\(free).\(kind)", text: text(record))
        }
    }

    private func text(_ record: RunResult) -> String {
        switch kind {
        case .svg: LadderSVG(record).text
        case .txt: LadderText(record).text
        case .mmd: LadderMermaid(record).text
        }
    }

    /// The file's name with the values of its matrix: `busy-HOW-accept`.
    private static func name(of record: RunResult, withSeed: Bool) -> String {
        let file = (record.file ?? record.scenario.title).split(separator: "/").last.map(String.init) ?? ""
        let stem = file.hasSuffix(".scenario") ? String(file.dropLast(".scenario".count)) : file
        let parts = [stem] + record.scenario.variant + (withSeed ? [String(record.seed)] : [])
        return parts.map(slug).filter { !$0.isEmpty }.joined(separator: "-")
    }

    /// The letters and digits of a text, 60 characters at most, with `-` for all between them.
    private static func slug(_ text: String) -> String {
        text.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-").prefix(60) + ""
    }
}
