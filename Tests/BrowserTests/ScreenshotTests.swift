import BrowserKit
import Foundation
import Testing

extension BrowserSuite {
    /// Takes pictures of all screens for people to look at: `make screenshots`.
    @Suite(.enabled(if: screenshotFolder != nil, "make screenshots runs them"), .timeLimit(.minutes(10)))
    struct ScreenshotTests {
        @Test(arguments: Screen.all)
        func screen(_ screen: Screen) async throws {
            let folder = try #require(screenshotFolder)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for language in ["en", "ko", "cs"] {
                try await BrowserTestEnvironment.set { environment, pages in
                    let page = try await environment.page(pages)
                    try await page.show(DisplaySettings(width: 1440, height: 900, language: language))
                    try await screen.show(page, environment, pages)
                    for (width, height) in [(360, 740), (800, 1000), (1440, 900)] {
                        for isDark in [false, true] {
                            try await page.show(
                                DisplaySettings(width: width, height: height, isDark: isDark, language: language)
                            )
                            let name = "\(screen.name)-\(language)-\(width)-\(isDark ? "dark" : "light").png"
                            try await page.screenshot().write(to: URL(filePath: "\(folder)/\(name)"))
                            #expect(try await page.overflow() == [], "\(name)")
                        }
                    }
                }
            }
        }
    }
}

/// The folder that the pictures are written to; nil: none are taken.
private let screenshotFolder = ProcessInfo.processInfo.environment["SCREENSHOTS"]

extension ChromiumPage {
    /// Returns the elements that are wider than the window or cut off without an ellipsis.
    fileprivate func overflow() async throws -> [String] {
        try await run(
            """
            await new Promise(then => requestAnimationFrame(() => requestAnimationFrame(then)));
            const found = [];
            if (document.documentElement.scrollWidth > innerWidth) found.push(`page: ${document.documentElement.scrollWidth}`);
            for (const e of document.querySelectorAll("button, h1, h2, label, p, a, li")) {
                if (!e.checkVisibility({ visibilityProperty: true }) || !e.innerText?.trim()) continue;
                // Text for screen readers only has no area.
                if (e.clientWidth <= 1) continue;
                const style = getComputedStyle(e);
                if (style.textOverflow === "ellipsis" || style.overflowX === "visible") continue;
                if (e.scrollWidth > e.clientWidth + 1) found.push(`${e.className}: ${e.innerText.slice(0, 40)}`);
            }
            return found;
            """
        ).elements.compactMap(\.text)
    }
}
