import Foundation

/// The tests of one or more runs of `swift test` with their outcomes, read from Swift Testing's event streams.
struct TestRun {
    /// A test function.
    struct Test: Hashable {
        /// The identifier of Swift Testing: module, suites, name and source location.
        let id: String
        /// The test's name, a sentence.
        let sentence: String
        /// The suite that contains the test.
        let suite: String
        /// The path of the test's file, relative to the package.
        let file: String
        var outcome = Outcome.notRun
        /// Indicates that the test is not parameterized, or that at least one of its cases has run.
        var hasRun: Bool
        /// The issues that the run has reported.
        var issues: [String] = []
    }

    /// The outcome of a test.
    enum Outcome: String {
        case passed
        case failed
        case skipped
        /// The test started and reported no end: its process has died.
        case notEnded = "did not end"
        case notRun = "was not run"
    }

    /// The tests, sorted by file and sentence.
    let tests: [Test]

    /// The tests that have failed or never ended, with their issues.
    var failures: [String] {
        unsettled.flatMap { test in
            ["  \(test.outcome.rawValue): \(test.sentence) (\(test.suite))"] + test.issues.map { "      \($0)" }
        }
    }

    /// The tests that have failed or never ended.
    var unsettled: [Test] { tests.filter { $0.outcome == .failed || $0.outcome == .notEnded } }

    /// Reads all event streams of a folder.
    init(eventsIn folder: URL, package: String) throws {
        let streams = try Self.streams(in: folder)
        guard !streams.isEmpty else { throw CocoaError(.fileReadNoSuchFile) }
        try self.init(streams: streams, package: package)
    }

    private static func streams(in folder: URL) throws -> [Data] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "jsonl" }
            .map { try Data(contentsOf: $0) }
    }

    /// Reads event streams: JSON Lines, one event on each line.
    init(streams: [Data], package: String) throws {
        var collected: [String: Test] = [:]
        for stream in streams { try Self.take(stream, into: &collected, package: package) }
        tests = collected.values.sorted { ($0.file, $0.sentence) < ($1.file, $1.sentence) }
    }

    private static func take(_ stream: Data, into tests: inout [String: Test], package: String) throws {
        var own: Set<String> = []
        var hasEnded = false
        for line in stream.split(separator: UInt8(ascii: "\n")) {
            let decoded = Result { try JSONDecoder().decode(Line.self, from: line).payload }
            // The last line of a process that died may be incomplete.
            if case .failure = decoded, line.endIndex == stream.endIndex { break }
            let payload = try decoded.get()
            if payload.kind == "function", let id = payload.id { own.insert(id) }
            if payload.kind == "runEnded" { hasEnded = true }
            take(payload, into: &tests, package: package)
        }
        // The tests that a process that died had not started.
        if !hasEnded { for id in own { note(.notEnded, of: id, in: &tests) { $0 == .notRun } } }
    }

    private static func take(_ payload: Payload, into tests: inout [String: Test], package: String) {
        switch payload.kind {
        case "function":
            guard let id = payload.id, tests[id] == nil else { return }
            tests[id] = Test(
                id: id,
                sentence: payload.displayName ?? payload.name ?? id,
                suite: String(id.split(separator: "/").first?.split(separator: ".").last ?? ""),
                file: payload.sourceLocation?.path(from: package) ?? "",
                hasRun: payload.isParameterized != true
            )
        case "testStarted":
            note(.notEnded, of: payload.testID, in: &tests) { $0 == .notRun }
        case "testCaseStarted":
            if let id = payload.testID { tests[id]?.hasRun = true }
        case "testSkipped":
            note(.skipped, of: payload.testID, in: &tests) { $0 != .failed }
        case "issueRecorded" where payload.issue?.isError != false:
            note(.failed, of: payload.testID, in: &tests) { _ in true }
            guard let id = payload.testID, let messages = payload.messages else { return }
            let place = payload.issue?.sourceLocation.map { "\($0.path(from: package)):\($0.line ?? 0): " } ?? ""
            tests[id]?.issues.append(place + messages.map(\.text).joined(separator: " "))
        case "testEnded":
            let hasRun = payload.testID.flatMap { tests[$0]?.hasRun } == true
            note(hasRun ? .passed : .notRun, of: payload.testID, in: &tests) { $0 == .notEnded }
        default:
            break
        }
    }

    private static func note(
        _ outcome: Outcome,
        of id: String?,
        in tests: inout [String: Test],
        where fits: (Outcome) -> Bool
    ) {
        guard let id, let former = tests[id]?.outcome, fits(former) else { return }
        tests[id]?.outcome = outcome
    }
}

// The part of the event stream that is needed here; see swift-testing's Documentation/ABI/JSON.md.

private struct Line: Decodable {
    let payload: Payload
}

private struct Payload: Decodable {
    let kind: String
    // The fields of a test.
    let id: String?
    let name: String?
    let displayName: String?
    let isParameterized: Bool?
    let sourceLocation: SourceLocation?
    // The fields of an event.
    let testID: String?
    let issue: Issue?
    let messages: [Message]?
}

private struct Message: Decodable {
    let text: String
}

private struct Issue: Decodable {
    let severity: String?
    let _severity: String?
    let sourceLocation: SourceLocation?

    /// Indicates an error; a known issue is one too, since a test that is known to fail proves nothing.
    var isError: Bool { (severity ?? _severity) != "warning" }
}

private struct SourceLocation: Decodable {
    let fileID: String
    let line: Int?
    let filePath: String?
    let _filePath: String?

    /// Returns the file's path relative to the package.
    func path(from package: String) -> String {
        guard let path = filePath ?? _filePath, path.hasPrefix(package + "/") else { return fileID }
        return String(path.dropFirst(package.count + 1))
    }
}
