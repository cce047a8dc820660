import Foundation
import HubEngine
import HubTestSupport
import ScenarioKit
import Testing

/// `docs/scenarios.md`, compared with the parser, and the scenarios of `README.md`.
@Suite struct DocumentTests {
    @Test func `each line of the tables is valid in the scenario language`() throws {
        let examples = try tableExamples()
        #expect(examples.count > 120)
        for example in examples {
            do throws(ScenarioSyntaxErrors) {
                _ = try ScenarioText.scenarios(parsing: example.text)
            } catch {
                Issue.record("\(example.line): \(error)")
            }
        }
    }

    @Test func `each block of lines is a valid scenario`() throws {
        let blocks = try codeBlocks()
        #expect(blocks.count == 2)
        #expect(blocks.first == "\n\(SharedScenarios.swapAndMerge)")
        for block in blocks {
            do throws(ScenarioSyntaxErrors) {
                _ = try ScenarioText.scenarios(parsing: block)
            } catch {
                Issue.record("\(error)")
            }
        }
    }

    @Test func `each element of the syntax tree has an example`() throws {
        var shown: Set<String> = []
        for text in try tableExamples().map(\.text) + codeBlocks() {
            for scenario in try ScenarioText.scenarios(parsing: text) { collectCases(of: scenario, into: &shown) }
        }
        var known: Set<String> = []
        for seed in 0..<300 as Range<UInt64> { collectCases(of: RandomScenario.make(seed: seed), into: &known) }
        // The actions to be fulfilled are listed, and the language is the same for all of them.
        let missing = known.subtracting(shown).filter { !$0.hasPrefix("ActionKindName.") }
        #expect(missing.sorted() == [])
    }

    @Test func `the grammar defines each name that it uses, and uses each rule`() throws {
        let grammar = try #require(try grammar())
        let withoutTerminals = grammar.replacing(/"[^"]*"|\(\*.*?\*\)/, with: "")
        let rules = withoutTerminals.split(separator: ";").map { $0.split(separator: "=", maxSplits: 1) }
            .filter { $0.count == 2 }
        let defined = rules.map { $0[0].trimmingCharacters(in: .whitespacesAndNewlines) }
        let used = Set(rules.flatMap { $0[1].matches(of: /[a-z][a-z-]*/).map { String($0.output) } })
        #expect(Set(defined).count == defined.count)
        #expect(Set(defined).symmetricDifference(used) == ["scenario"])
    }

    @Test func `each keyword that is written is in the grammar`() throws {
        let grammar = try #require(try grammar())
        let terminals = grammar.matches(of: /"([^"]*)"/).flatMap { $0.output.1.split(separator: " ") }
        // What the grammar leaves to the tables and to protocol.md, and the names that were made up.
        let others: [String] =
            EndCause.allCases.map(\.rawValue) + RecentCall.Outcome.allCases.map(\.rawValue)
            + ["overloaded", "sources", "draining", "policy", "alice", "bob", "carol", "phone", "laptop", "app"]
        let known = Set(terminals.map(String.init) + others)
        var unknown: Set<String> = []
        for seed in 0..<300 as Range<UInt64> {
            let lines = ScenarioText.lines(of: RandomScenario.make(seed: seed)).drop { !$0.hasPrefix("part") }
            let text = lines.joined(separator: "\n").replacing(/"(\\.|[^"\\])*"/, with: "\"")
            for piece in text.split(whereSeparator: { " \n,".contains($0) }) {
                let word = piece.hasSuffix(":") ? piece.dropLast() : piece
                guard word.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else { continue }
                if !known.contains(String(word)) { unknown.insert(String(word)) }
            }
        }
        #expect(unknown.sorted() == [])
    }

    @Test(arguments: [
        ("the app answers, is held", "OutsideAppTests.swift"), ("the app calls, holds", "UnderTestTests.swift"),
    ])
    func `each example for apps is a test`(_ name: String, _ file: String) throws {
        let example = try Self.test(name, in: file)
        #expect(try Self.document().contains("\n\(example)\n```"), "\(example)")
    }

    @Test func `the README shows a scenario of the library, and an example that is a test`() throws {
        let readme = try Self.file("README.md")
        let scenario = try Self.file("Tests/Scenarios/groups/swap-and-merge.scenario")
        #expect(readme.contains("\n```\n\(scenario)```\n"))
        let example = try Self.test("the app answers, is held", in: "OutsideAppTests.swift")
        #expect(readme.contains("\n```swift\n\(example)\n```\n"))
    }

    // MARK: The document

    private static func document() throws -> String { try file("docs/scenarios.md") }

    /// Returns the text of a file of the package.
    private static func file(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Returns the source text of a test of the folder `Running`, without its indentation.
    private static func test(_ name: String, in fileName: String) throws -> String {
        let source = try file("Tests/ScenarioKitTests/Running/" + fileName)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let begin = try #require(lines.firstIndex { $0.hasPrefix("    @Test func `\(name)") })
        let end = try #require(lines[begin...].firstIndex { $0 == "    }" })
        return lines[begin...end].map { $0.dropFirst(4) }.joined(separator: "\n")
    }

    private func grammar() throws -> Substring? {
        try Self.document().split(separator: "```ebnf\n").last?.split(separator: "```").first
    }

    private func codeBlocks() throws -> [String] {
        try Self.document().split(separator: "\n```").enumerated().filter { !$0.offset.isMultiple(of: 2) }
            .map { String($0.element) }.filter { $0.hasPrefix("\n") }
    }

    /// Returns the code spans in the first column of the document's tables, each as a text of its own.
    private func tableExamples() throws -> [(line: String, text: String)] {
        var heading = ""
        var examples: [(line: String, text: String)] = []
        for line in try Self.document().split(separator: "\n") {
            if line.hasPrefix("| ") {
                let first = line.dropFirst(2).split(separator: " |", maxSplits: 1).first ?? ""
                if !first.contains("`") { heading = String(first) }
                examples += first.matches(of: /`([^`]*)`/).map {
                    (String($0.output.1), Self.text(of: String($0.output.1), under: heading))
                }
            }
        }
        return examples
    }

    private static func text(of example: String, under heading: String) -> String {
        switch heading {
        case "option": "party alice\(example.contains("operates") ? " on door, desk" : ""): \(example)\nwait 1 s"
        case "setting": "hub: \(example)\nwait 1 s"
        case "line": "\(example)\n\(example.hasPrefix("part") ? "" : "parties alice, bob\n")wait 1 s"
        default: LineTests.before + example
        }
    }

    /// The cases of the tree's enumerations that a value is made of.
    private func collectCases(of value: Any, into cases: inout Set<String>) {
        let mirror = Mirror(reflecting: value)
        let type = String(reflecting: type(of: value))
        if mirror.displayStyle == .enum, type.hasPrefix("ScenarioKit.") {
            let name = mirror.children.first?.label ?? "\(value)"
            cases.insert("\(type.dropFirst("ScenarioKit.".count)).\(name)")
        }
        for child in mirror.children { collectCases(of: child.value, into: &cases) }
    }
}
