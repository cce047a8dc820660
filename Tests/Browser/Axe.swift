import Foundation

extension ChromiumPage {
    /// Checks the page's current state with axe-core against WCAG 2.2 AA and axe-core's own best practices.
    ///
    /// - Returns: A line for each violation: the rule, its requirement, the selector and HTML of the element.
    /// - Throws: ``BrowserError`` when axe-core is not installed (`make test-python` installs it) or the run fails.
    public func accessibilityViolations() async throws -> [String] {
        if try await !value("typeof axe === \"object\"").isTrue {
            // Evaluated, not loaded by a script element: the page's content security policy stays unchanged.
            _ = try await text(of: Self.axe() + "\n;\"\"", within: 30)
        }
        let result = try await run(
            """
            // An element that fades in or out is not yet, or no longer, as legible as it is meant to be.
            const ends = animation => animation.effect?.getComputedTiming().endTime < Infinity;
            await Promise.allSettled(document.getAnimations().filter(ends).map(animation => animation.finished));
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
