/// A page in the Prometheus text format, read as strictly as promtool does.
struct ParsedMetricsPage {
    struct Family {
        var help: String
        var type: String
        var samples: [Sample] = []
    }

    struct Sample: Hashable {
        var name: String
        var labels: [String: String]
        var value: Double
    }

    /// A violation of the format or its conventions, with its place.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    private(set) var families: [String: Family] = [:]

    /// Reads a page.
    ///
    /// - Throws: The first thing that breaks the format or its conventions.
    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Fault(description: "the last line does not end") }
        var current = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if line.hasPrefix("# HELP ") {
                let words = line.split(separator: " ", maxSplits: 3)
                guard words.count == 4, families[String(words[2])] == nil else {
                    throw Fault(description: "no text, or a second HELP: \(line)")
                }
                current = String(words[2])
                families[current] = Family(help: String(words[3]), type: "")
            } else if line.hasPrefix("# TYPE ") {
                let words = line.split(separator: " ")
                guard words.count == 4, words[2] == current, families[current]?.type == "",
                    ["counter", "gauge", "histogram"].contains(words[3])
                else { throw Fault(description: "TYPE follows HELP, once: \(line)") }
                families[current]?.type = String(words[3])
            } else {
                let sample = try Self.sample(line)
                guard Self.isOf(current, families[current]?.type ?? "", sample.name) else {
                    throw Fault(description: "a sample outside of its family: \(line)")
                }
                families[current]?.samples.append(sample)
            }
        }
        for (name, family) in families { try Self.check(family, name) }
    }

    /// A family's value with these labels.
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        families[name]?.samples.first { $0.labels == labels && $0.name == name }?.value
    }

    private static func isOf(_ family: String, _ type: String, _ name: String) -> Bool {
        type == "histogram"
            ? ["_bucket", "_sum", "_count"].contains { family + $0 == name } : !type.isEmpty && name == family
    }

    private static func sample(_ line: Substring) throws -> Sample {
        let pattern = /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? ([^ ]+)/
        guard let match = line.wholeMatch(of: pattern), let value = Double(match.3.replacing("+Inf", with: "inf"))
        else { throw Fault(description: "no sample: \(line)") }
        var labels: [String: String] = [:]
        var rest = match.2 ?? ""
        while !rest.isEmpty {
            guard let label = rest.prefixMatch(of: /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(?:,(?=.)|$)/),
                labels.updateValue(String(label.2), forKey: String(label.1)) == nil
            else { throw Fault(description: "no label, or a second one: \(line)") }
            rest = rest[label.range.upperBound...]
        }
        return Sample(name: String(match.1), labels: labels, value: value)
    }

    private static func check(_ family: Family, _ name: String) throws {
        guard family.help.hasSuffix(".") || family.help.contains(".") else {
            throw Fault(description: "\(name) has no sentence for HELP")
        }
        guard !family.type.isEmpty else { throw Fault(description: "\(name) has no TYPE") }
        let identities = family.samples.map { "\($0.name)\($0.labels.sorted { $0.key < $1.key })" }
        guard Set(identities).count == identities.count else { throw Fault(description: "\(name) has a sample twice") }
        // promtool's rules, and https://prometheus.io/docs/practices/naming/: base units, _total, no type in the name.
        guard name.hasSuffix("_total") == (family.type == "counter") else {
            throw Fault(description: "\(name): counters and nothing else end in _total")
        }
        let words = name.split(separator: "_")
        let wrong = ["milliseconds", "microseconds", "ms", "kilobytes", "kb", "percent", "gauge", "counter", "count"]
        guard words.allSatisfy({ !wrong.contains(String($0)) }), name == name.lowercased() else {
            throw Fault(description: "\(name) has a unit that is no base unit, or its type, in its name")
        }
        guard ["callhub", "process"].contains(words[0]) else { throw Fault(description: "\(name) has no prefix") }
        if family.type != "histogram" {
            guard !family.samples.contains(where: { $0.labels["le"] != nil || !$0.value.isFinite }) else {
                throw Fault(description: "\(name) has a label or a value of a histogram")
            }
            return
        }
        guard name.hasSuffix("_seconds") else { throw Fault(description: "\(name) has no unit") }
        try checkHistogram(family, name)
    }

    private static func checkHistogram(_ family: Family, _ name: String) throws {
        let buckets = family.samples.filter { $0.name == name + "_bucket" }
        let bounds = buckets.compactMap { Double(($0.labels["le"] ?? "").replacing("+Inf", with: "inf")) }
        let count = family.samples.first { $0.name == name + "_count" }?.value
        guard bounds.count == buckets.count, bounds.last == .infinity, bounds == bounds.sorted(),
            Set(bounds).count == bounds.count, buckets.map(\.value) == buckets.map(\.value).sorted(),
            buckets.last?.value == count, family.samples.count == buckets.count + 2
        else { throw Fault(description: "\(name) is no cumulative histogram with a sum and a count") }
    }
}
