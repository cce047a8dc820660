import BrowserKit
import Testing

extension Screen {
    /// The windows in which screens are looked at, in CSS pixels: phones upright and lying, a tablet, a desktop.
    static let sizes = [(320, 568), (390, 844), (844, 390), (768, 1024), (1440, 900)]

    /// Expects that the screen fits each window in each language, and that axe finds nothing in it, light or dark.
    func expectToFit(_ environment: BrowserTestEnvironment, _ pages: OpenPages) async throws {
        let page = try await environment.page(pages)
        try await show(page, environment, pages)
        for language in ["en", "ko", "cs"] {
            try await page.use(language)
            for (width, height) in Self.sizes {
                try await page.show(DisplaySettings(width: width, height: height))
                #expect(try await page.overflow() == [], "\(language) \(width)x\(height)")
            }
        }
        for isDark in [false, true] {
            try await page.show(DisplaySettings(width: 1024, height: 800, isDark: isDark))
            #expect(try await page.accessibilityViolations() == [])
        }
    }
}
