import Foundation
import Testing

/// The Swift code in the documentation articles, which must be part of a test.
struct ArticleTests {
    /// An article, and the tests that contain its code.
    struct Article: CustomTestStringConvertible, Sendable {
        let path: String
        let tests: [String]

        var testDescription: String { path }

        init(_ path: String, _ tests: String...) { (self.path, self.tests) = (path, tests) }
    }

    @Test(arguments: [
        Article("HubEngine/HubEngine.docc/EventsAndEffects.md", "Articles/EventsAndEffectsTests.swift"),
        Article("HubClient/HubClient.docc/MakeACall.md", "Articles/MakeACallTests.swift"),
        Article("HubClient/HubClient.docc/SurviveALostConnection.md", "Articles/SurviveALostConnectionTests.swift"),
        Article(
            "ScenarioKit/ScenarioKit.docc/TestYourApp.md",
            "Articles/TestYourAppTests.swift",
            "Running/OutsideAppTests.swift",
            "Running/UnderTestTests.swift",
            "../ScenarioAppsTests/ExampleTests.swift"
        ),
    ])
    func `each block of code in an article is part of a test`(_ article: Article) throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let sources = tests.deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
        let text = try String(contentsOf: sources.appending(path: article.path), encoding: .utf8)
        let code = try article.tests.map { try String(contentsOf: tests.appending(path: $0), encoding: .utf8) }
        let blocks = text.matches(of: /```swift\n(?s)(.*?)```/).map { String($0.output.1) }
        #expect(blocks.count > 1)
        for block in blocks {
            let isTested = [0, 4, 8].contains { indentation in
                let block = Self.indented(block, by: indentation)
                return code.contains { $0.contains(block) }
            }
            #expect(isTested, "\(block)")
        }
    }

    @Test func `the articles of each documentation catalogue are checked`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
        var articles: [String] = []
        for module in ["HubClient", "HubEngine", "ScenarioKit"] {
            let catalogue = sources.appending(path: "\(module)/\(module).docc")
            for file in try FileManager.default.contentsOfDirectory(at: catalogue, includingPropertiesForKeys: nil) {
                // A page of a symbol has the symbol's name in backticks as its title, and no code.
                let text = try String(contentsOf: file, encoding: .utf8)
                if !text.hasPrefix("# ``") || text.contains("```") { articles.append(file.lastPathComponent) }
            }
        }
        #expect(
            articles.sorted() == ["EventsAndEffects.md", "MakeACall.md", "SurviveALostConnection.md", "TestYourApp.md"]
        )
    }

    private static func indented(_ block: String, by columns: Int) -> String {
        let spaces = String(repeating: " ", count: columns)
        return block.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : spaces + $0 }.joined(separator: "\n")
    }
}
