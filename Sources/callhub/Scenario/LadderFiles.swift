import ScenarioKit

/// Where the ladders of runs are written to: the file that is named, or for several runs one beside it for each.
struct LadderFiles: Sendable {
    private enum Kind: String, CaseIterable {
        case svg, txt, mmd
    }

    private let path: String
    private let kind: Kind

    /// The files for a path, whose ending says what a ladder is written as.
    ///
    /// - Parameter path: A file; `-` is standard output, and text.
    /// - Throws: `UsageError` where it has another ending.
    init(_ path: String) throws(UsageError) {
        guard let kind = path == "-" ? .txt : Kind.allCases.first(where: { path.hasSuffix("." + $0.rawValue) }) else {
            throw UsageError("--ladder is \(quoted(path)); its name must end with .svg, .txt or .mmd.")
        }
        (self.path, self.kind) = (path, kind)
    }

    /// What is written, and where.
    func files(_ records: [RunRecord]) -> [ReportFile] {
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

    private func text(_ record: RunRecord) -> String {
        switch kind {
        case .svg: LadderSVG(record).text
        case .txt: LadderText(record).text
        case .mmd: LadderMermaid(record).text
        }
    }

    /// The file's name with what a matrix makes of it: `busy-HOW-accept`.
    private static func name(of record: RunRecord, withSeed: Bool) -> String {
        let file = (record.file ?? record.scenario.title).split(separator: "/").last.map(String.init) ?? ""
        let stem = file.hasSuffix(".scenario") ? String(file.dropLast(".scenario".count)) : file
        let parts = [stem] + record.scenario.variant + (withSeed ? [String(record.seed)] : [])
        return parts.map(plain).filter { !$0.isEmpty }.joined(separator: "-")
    }

    /// Letters and digits, and `-` for all between them.
    private static func plain(_ text: String) -> String {
        text.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-").prefix(60) + ""
    }
}
