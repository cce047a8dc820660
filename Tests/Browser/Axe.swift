import Foundation

extension ChromiumPage {
    /// What axe-core finds wrong with the page as it is now, by the rules of WCAG 2.2 AA and its own best practices.
    ///
    /// - Returns: A line for each: the rule, what it asks for, and where.
    /// - Throws: ``BrowserError`` where axe is not installed (`make test-python` does).
    public func accessibilityViolations() async throws -> [String] {
        if try await !value("typeof axe === \"object\"").isTrue {
            // Evaluated, not loaded: the page's own policy stays as it is.
            _ = try await text(of: Self.axe() + "\n;\"\"", within: 30)
        }
        let result = try await run(
            """
            const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
            const { violations } = await axe.run(document, { runOnly: tags, resultTypes: ["violations"] });
            return violations.flatMap(({ id, help, nodes }) =>
                nodes.map(node => `${id}: ${help}: ${node.target.join(" ")} ${node.html.slice(0, 160)} ` +
                    node.any.map(check => check.message).join("; ")));
            """,
            within: 60
        )
        return result.elements.compactMap(\.text)
    }

    private static func axe() throws -> String {
        let libraries = SourceTree.path(".build/venv/lib")
        for version in (try? FileManager.default.contentsOfDirectory(atPath: libraries)) ?? [] {
            let file = "\(libraries)/\(version)/site-packages/axe_playwright_python/axe.min.js"
            if let text = try? String(contentsOfFile: file, encoding: .utf8) { return text }
        }
        throw BrowserError("axe-core is not in \(libraries): `make test-python` installs it")
    }
}
