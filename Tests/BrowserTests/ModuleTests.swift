import BrowserKit
import Foundation
import Testing

extension BrowserSuite {
    /// Unit tests of the phone's modules, run in a browser; each sentence of `Pages/*.test.js` is a test.
    struct ModuleTests {
        private static let runs = ModuleRuns()

        @Test(arguments: ModuleSentence.all)
        func module(_ test: ModuleSentence) async throws {
            let run = try await Self.runs.run(test.file)
            #expect(run.fault == nil, "\(test.file) as a whole")
            let result = try #require(run.results[test.sentence], "\(test.file) has not run it")
            #expect(result == "", "\(test.file)")
        }

        @Test(arguments: ModuleSentence.files)
        func `each JavaScript test module contains only tests that the suite lists`(file: String) async throws {
            let run = try await Self.runs.run(file)
            let known = ModuleSentence.all.filter { $0.file == file }.map(\.sentence)
            #expect(Set(run.results.keys).subtracting(known) == [])
            #expect(Set(known).count == known.count, "each sentence is there once")
            #expect(run.loggedErrors == [])
        }
    }
}

/// A test of a module, named by its sentence.
struct ModuleSentence: Sendable, CustomTestStringConvertible {
    let file: String
    let sentence: String

    var testDescription: String { "\(file): \(sentence)" }

    static let files = ((try? FileManager.default.contentsOfDirectory(atPath: BrowserTestEnvironment.testPages)) ?? [])
        .filter { $0.hasSuffix(".test.js") }.sorted()

    static let all = files.flatMap { file in
        let text = (try? String(contentsOfFile: BrowserTestEnvironment.testPages + "/" + file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.hasPrefix("test(\"") }.compactMap { line in
            line.dropFirst(6).components(separatedBy: "\", ").first.map { ModuleSentence(file: file, sentence: $0) }
        }
    }
}

/// The results of each file's tests; a file runs once, at the first request for one of its tests.
private actor ModuleRuns {
    struct Run: Sendable {
        /// The error of the file itself; nil: none.
        let fault: String?
        /// The error of each test, by its sentence; empty: passed.
        let results: [String: String]
        let loggedErrors: [String]
    }

    private var runs: [String: Run] = [:]

    func run(_ file: String) async throws -> Run {
        if let run = runs[file] { return run }
        let hub = try await BrowserHub(pages: BrowserTestEnvironment.testPages)
        let page = try await Browsers.shared.browser(.headlessShell).page()
        try await page.open(hub.url + "tests/harness.html?module=" + file)
        let found = try await page.wait(for: "globalThis.results", seconds: 120)
        var results: [String: String] = [:]
        for result in found["results"].elements {
            results[result["sentence"].text ?? ""] = result["fault"].text ?? ""
        }
        let run = Run(fault: found["fault"].text, results: results, loggedErrors: page.loggedErrors)
        try await page.close()
        runs[file] = run
        return run
    }
}
