import Foundation
import Testing

@testable import HubConformance

/// The conformance tool must not report a row as proved without a passed test.
struct ProofTests {
    private let points = [Point(id: "CK-01", sentence: "It begins."), Point(id: "P1", sentence: "It ends well.")]

    /// A run in which one test, named by the sentence, had these events.
    private func run(
        _ sentence: String,
        _ events: [String],
        isParameterized: Bool = false,
        more: String...
    ) throws -> TestRun {
        let test = """
            {"kind":"test","payload":{"id":"T.S/x","kind":"function","name":"x","displayName":"\(sentence)",\
            "isParameterized":\(isParameterized),\
            "sourceLocation":{"fileID":"T/S.swift","_filePath":"/home/me/hub/Tests/T/S.swift"}},"version":0}
            """
        let lines = [test] + events.map { #"{"kind":"event","payload":{"kind":"\#($0)","testID":"T.S/x"}}"# }
        return try TestRun(streams: [Data((lines + more).joined(separator: "\n").utf8)], package: "/home/me/hub")
    }

    private func complaints(_ sentence: String, _ events: [String], isParameterized: Bool = false) throws -> [String] {
        Proof(of: points, by: try run(sentence, events, isParameterized: isParameterized)).complaints
    }

    @Test func `a row is proved by a passed test that names it`() throws {
        #expect(try complaints("a (CK-01, P1)", ["testStarted", "testEnded"]) == [])
    }

    @Test func `a row without a test is reported`() throws {
        #expect(try complaints("a (CK-01)", ["testStarted", "testEnded"]) == ["P1 has no test. It ends well."])
    }

    @Test(arguments: [
        ["testStarted", "issueRecorded", "testEnded"], ["testSkipped"], ["testStarted"], [],
        ["testStarted", "testSkipped", "testEnded"],
    ])
    func `a test that failed, was skipped or did not finish proves nothing`(events: [String]) throws {
        #expect(try complaints("a (CK-01, P1)", events).count == 2)
    }

    @Test func `a failed test is printed with its issues, a passed one is not`() throws {
        let issue = #""testID":"T.S/x","issue":{"severity":"error","sourceLocation":{"fileID":"T/S.swift","line":7}}"#
        let told = #"{"kind":"event","payload":{"kind":"issueRecorded",\#(issue),"messages":[{"text":"1 == 2"}]}}"#
        let start = try run("a (P1)", ["testStarted"]), end = try run("a (P1)", ["testStarted", "testEnded"])
        #expect(start.failures == ["  did not end: a (P1) (S)"])
        #expect(end.failures == [])
        #expect(
            try run("a (P1)", ["testStarted"], more: told).failures == [
                "  failed: a (P1) (S)", "      T/S.swift:7: 1 == 2",
            ]
        )
    }

    /// A stream in which that test had these events, the last of the run among them if it came so far.
    private func stream(_ name: String, _ events: [String], hasEnded: Bool = true) -> Data {
        let test = #"{"kind":"test","payload":{"id":"T.S/\#(name)","kind":"function","name":"\#(name)"}}"#
        let told = events.map { #"{"kind":"event","payload":{"kind":"\#($0)","testID":"T.S/\#(name)","messages":[]}}"# }
        let end = hasEnded ? [#"{"kind":"event","payload":{"kind":"runEnded","messages":[]}}"#] : []
        return Data(([test] + told + end).joined(separator: "\n").utf8)
    }

    @Test func `tests not reached by a crashed process are unsettled, those a finished process omitted are not`() throws
    {
        let died = try TestRun(streams: [stream("x", [], hasEnded: false)], package: "/")
        #expect(died.unsettled.map(\.id) == ["T.S/x"])
        #expect(try TestRun(streams: [stream("x", [])], package: "/").unsettled == [])
        let torn = stream("x", ["testStarted"], hasEnded: false) + Data("\n{\"kind\":".utf8)
        #expect(try TestRun(streams: [torn], package: "/").unsettled.map(\.id) == ["T.S/x"])
    }

    @Test func `a parametrized test without arguments proves nothing`() throws {
        #expect(try complaints("a (CK-01, P1)", ["testStarted", "testEnded"], isParameterized: true).count == 2)
        let events = ["testStarted", "testCaseStarted", "testCaseEnded", "testEnded"]
        #expect(try complaints("a (CK-01, P1)", events, isParameterized: true) == [])
    }

    @Test(arguments: [99, 0, 850]) func `a test name with an unknown row is reported`(row: Int) throws {
        let complaints = try complaints("a (CK-01, P1, CK-\(row))", ["testStarted", "testEnded"])
        #expect(complaints.count == 1)
        #expect(complaints.first?.contains("names CK-\(row), which there is not") == true)
    }

    @Test func `the document refers to tests by their path in the package, and contains no times`() throws {
        let events = ["testStarted", "testEnded"]
        let document = Proof(of: points, by: try run("a (CK-01, P1)", events)).document
        #expect(document.contains("- passed: a (CK-01, P1) – [S](../Tests/T/S.swift)"))
        #expect(!document.contains("/home/me"))
    }

    @Test func `there are 84 rows and 36 pitfalls, each of one sentence`() {
        #expect(Point.rows.map(\.id) == (1...84).map { $0 < 10 ? "CK-0\($0)" : "CK-\($0)" })
        #expect(Point.pitfalls.map(\.id) == (1...36).map { "P\($0)" })
        #expect(Point.own.map(\.id) == Point.own.indices.map { $0 < 9 ? "CH-0\($0 + 1)" : "CH-\($0 + 1)" })
        for point in Point.all { #expect(point.sentence.hasSuffix(".") && point.sentence.count > 20, "\(point.id)") }
    }
}
