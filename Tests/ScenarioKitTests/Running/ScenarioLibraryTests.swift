import Foundation
import ScenarioSimulation
import Testing

@testable import ScenarioKit

/// The library of scenarios, `Tests/Scenarios`, in virtual time.
struct ScenarioLibraryTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Scenarios")

    /// Each file by its path in the folder.
    static let files: [String] = {
        let inside = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String } ?? []
        return inside.filter { $0.hasSuffix(".scenario") }.sorted()
    }()

    static func path(_ file: String) -> String { folder.appending(path: file).path() }

    /// Returns the scenarios of one of the files.
    static func scenarios(_ file: String) throws -> [Scenario] {
        let text = String(decoding: try #require(FileManager.default.contents(atPath: path(file))), as: UTF8.self)
        return try ScenarioText.scenarios(parsing: text, file: file)
    }

    @Test func `the library has at least sixty scenarios`() {
        #expect(Self.files.count >= 60)
    }

    @Test(arguments: files)
    func `a scenario of the library passes`(_ file: String) throws {
        let path = Self.path(file)
        for scenario in try Self.scenarios(file) {
            let record = ScenarioRunner.runVirtually(scenario, file: path)
            let failure = record.failure
            let line = failure?.step.map { record.steps[$0].line } ?? 0
            #expect(
                failure == nil,
                "line \(line): expected \(failure?.expected ?? ""); came \(failure?.actual ?? "")"
            )
        }
    }
}
