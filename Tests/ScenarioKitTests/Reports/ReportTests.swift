import Foundation
import FoundationXML
import Testing

@testable import ScenarioKit

@Suite struct ReportTests {
    private static let hostile = "<script>alert(\"1\")</script> & 'q' # \\ \u{202E}\u{0}\u{1B}[31m\n😀 ]]> \u{FFFE}"

    /// A passed run, a failed one and a skipped one, all with malicious texts.
    private static func records() -> [RunResult] {
        var builder = RunResultBuilder(
            hostile,
            [DeviceReference(hostile), DeviceReference("bob")],
            file: hostile,
            seed: .max
        )
        builder.step(hostile, note: hostile)
        builder.note(0, .request, hostile, hostile)
        builder.activate(0, [hostile])
        builder.hears(1, hostile)
        builder.advance(20)
        let passed = builder.end()
        var (failed, skipped) = (passed, passed)
        failed.verdict = .failed(Failure(step: 0, expected: hostile, actual: hostile))
        skipped.verdict = .skipped(hostile)
        skipped.steps = []
        return [passed, failed, skipped]
    }

    private func elements(of xml: String) throws -> [XMLCounter.Element] {
        let counter = XMLCounter()
        let parser = XMLParser(data: Data(xml.utf8))
        parser.delegate = counter
        #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "") in line \(parser.lineNumber)")
        return counter.elements
    }

    // MARK: JUnit

    @Test func `JUnit XML is well-formed and contains the outcome, whatever the text`() throws {
        let elements = try elements(of: JUnitReport(Self.records()).text)
        let suites = try #require(elements.first { $0.name == "testsuites" })
        #expect(suites.attributes["tests"] == "3")
        #expect(suites.attributes["failures"] == "1")
        #expect(suites.attributes["skipped"] == "1")
        #expect(elements.count { $0.name == "testcase" } == 3)
        #expect(elements.count { $0.name == "failure" } == 1)
        #expect(elements.count { $0.name == "script" } == 0)
        let seeds = elements.filter { $0.attributes["name"] == "seed" }.map { $0.attributes["value"] }
        #expect(seeds == Array(repeating: "18446744073709551615", count: 3))
    }

    @Test func `JUnit cases are in the suites of their files`() throws {
        var records = [SyntheticRuns.swap(), SyntheticRuns.swap(failing: true), SyntheticRuns.swap()]
        records[1].file = "other.calls"
        let elements = try elements(of: JUnitReport(records).text)
        let suites = elements.filter { $0.name == "testsuite" }
        #expect(suites.map { $0.attributes["name"] } == ["Tests/Scenarios/invented.calls", "other.calls"])
        #expect(suites.map { $0.attributes["tests"] } == ["2", "1"])
        let failed = try #require(elements.last { $0.name == "testcase" })
        #expect(failed.attributes["line"] == "10")
    }

    // MARK: TAP

    @Test func `TAP counts from one and has as many lines as planned`() {
        let lines = TAPReport(Self.records()).text.split(separator: "\n").map(String.init)
        #expect(lines.prefix(2) == ["TAP version 14", "1..3"])
        let points = lines.filter { $0.hasPrefix("ok ") || $0.hasPrefix("not ok ") }
        #expect(points.map { $0.hasPrefix("ok ") } == [true, false, true])
        #expect(zip(1..., points).allSatisfy { $1.contains("ok \($0) - ") })
        // The rest is indented diagnostics: no text of a scenario starts a line.
        #expect(lines.dropFirst(2).filter { !points.contains($0) }.allSatisfy { $0.hasPrefix("  ") })
        #expect(points[0].contains(" \\# \\\\ "))
        #expect(points[2].contains(" # SKIP "))
    }

    @Test func `TAP diagnostics contain what is needed to repeat the run`() {
        let text = TAPReport([SyntheticRuns.swap(failing: true)]).text
        #expect(text.contains("\n  ---\n  message: \"expected: bob never hears carol while B is held.\"\n"))
        #expect(text.contains("\n  seed: 42\n"))
        #expect(text.contains("\n  file: \"Tests/Scenarios/invented.calls\"\n  line: 10\n"))
        #expect(text.hasSuffix("\n  ...\n"))
    }

    // MARK: Traces

    @Test func `each line of a trace is JSON and contains the message`() throws {
        let lines = TraceFile(Self.records()).text.split(separator: "\n")
        let objects = try lines.map(Self.object)
        #expect(objects.count == 9)
        #expect(objects[0]["scenario"] as? String == Self.hostile)
        #expect(objects[0]["verdict"] as? String == "passed")
        let message = try #require(objects.dropFirst().first)
        #expect(message["device"] as? String == Self.hostile)
        #expect(message["direction"] as? String == "toHub")
        #expect(message["raw"] as? String == Self.records()[0].devices[0].messages[0].json)
    }

    @Test func `a trace contains the messages of all devices in order of time`() throws {
        let lines = TraceFile([SyntheticRuns.swap()]).text.split(separator: "\n").dropFirst()
        let times = try lines.map { line in
            try #require(Self.object(line)["at"] as? Double)
        }
        #expect(times == times.sorted())
        #expect(times.count == SyntheticRuns.swap().devices.reduce(0) { $0 + $1.messages.count })
    }

    private static func object(_ line: Substring) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    // MARK: Drawings and pages

    @Test func `a drawing is well-formed and contains no element from a scenario's text`() throws {
        for record in Self.records() + (1...30).map({ SyntheticRuns.random(seed: $0) }) {
            let names = Set(try elements(of: LadderSVG(record).text).map(\.name))
            let known: Set = ["svg", "title", "style", "defs", "pattern", "rect", "path", "g", "circle", "text"]
            #expect(names.isSubset(of: known), "seed \(record.seed)")
        }
    }

    @Test func `a page has no script and loads nothing`() {
        let text = HTMLReport(Self.records()).text
        #expect(!text.contains("<script"))
        #expect(text.contains("default-src 'none'"))
        // Its only addresses are the name of SVG and places in the page itself.
        let outside = text.replacing("xmlns=\"http://www.w3.org/2000/svg\"", with: "").replacing("url(#", with: "")
        #expect(["://", "url(", "src=", "@import", "href=\"h"].allSatisfy { !outside.contains($0) })
        #expect(text.contains("Scenarios: 1 of 3 failed"))
    }

    @Test func `each drawing on a page has its own identifiers`() {
        let text = HTMLReport([SyntheticRuns.swap(), SyntheticRuns.swap()]).text
        let identifiers = text.matches(of: /\bid="([^"]+)"/).map { $0.output.1 }
        #expect(Set(identifiers).count == identifiers.count)
        #expect(text.contains("url(#run-2-hatch)"))
    }

    @Test func `terminal output contains no control sequences`() {
        for record in Self.records() {
            let text = LadderText(record).text
            #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x202E })
        }
    }
}

/// Collects the elements of a document.
private final class XMLCounter: NSObject, XMLParserDelegate {
    struct Element {
        var name: String
        var attributes: [String: String]
    }

    private(set) var elements: [Element] = []

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName qName: String?,
        attributes attributeDict: [String: String] = [:]
    ) {
        elements.append(Element(name: elementName, attributes: attributeDict))
    }
}
