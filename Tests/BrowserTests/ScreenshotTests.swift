import BrowserKit
import Foundation
import Testing

extension BrowserSuite {
    /// Takes pictures of all screens for people to look at: `make screenshots`.
    ///
    /// `SCREENS=call,group` takes those of these screens alone.
    @Suite(.enabled(if: screenshotFolder != nil, "make screenshots runs them"), .timeLimit(.minutes(10)))
    struct ScreenshotTests {
        @Test(arguments: Screen.all.filter { chosenScreens?.contains($0.name) ?? true })
        func screen(_ screen: Screen) async throws {
            let folder = try #require(screenshotFolder)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.show(DisplaySettings(width: 1440, height: 900))
                try await screen.show(page, environment, pages)
                // The testers' bench is in English.
                for language in screen.name == "bench" ? ["en"] : ["en", "ko", "cs"] {
                    if screen.name != "bench" { try await page.use(language) }
                    for (width, height) in Screen.sizes {
                        for isDark in [false, true] {
                            try await page.show(DisplaySettings(width: width, height: height, isDark: isDark))
                            let name = "\(screen.name)-\(language)-\(width)-\(isDark ? "dark" : "light").png"
                            let overflow = try await page.overflow()
                            #expect(overflow == [], "\(name)")
                            try await page.screenshot().write(to: URL(filePath: "\(folder)/\(name)"))
                        }
                    }
                }
            }
        }
    }
}

/// The folder that the pictures are written to; nil: none are taken.
private let screenshotFolder = ProcessInfo.processInfo.environment["SCREENSHOTS"]

/// The names of the screens to take pictures of; nil: all.
private let chosenScreens = ProcessInfo.processInfo.environment["SCREENS"]?.split(separator: ",").map(String.init)

extension ChromiumPage {
    /// Selects the phone's language, as the row of its settings does.
    func use(_ language: String) async throws {
        try await run(
            """
            const { setPreferences } = await import("/phone/preferences.js");
            const { loadLanguage } = await import("/phone/text.js");
            setPreferences({ language });
            loadLanguage();
            await new Promise(then => setTimeout(then));
            """,
            ["language": .string(language)]
        )
    }

    /// Returns the elements that are wider than the window or cut off without an ellipsis.
    func overflow() async throws -> [String] {
        try await run(
            """
            await new Promise(then => requestAnimationFrame(() => requestAnimationFrame(then)));
            const found = [];
            const { scrollWidth } = document.documentElement;
            const isBeyond = (e) => e.getBoundingClientRect().right > innerWidth;
            if (scrollWidth > innerWidth) {
                const widest = [...document.querySelectorAll("body *")].filter(isBeyond);
                found.push(`page: ${scrollWidth}`, ...widest.slice(0, 3).map(e => e.outerHTML.slice(0, 80)));
            }
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
