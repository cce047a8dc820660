import BrowserKit
import Foundation
import Testing

/// All tests that drive browsers: one after the other, since sound is measured in real time.
@Suite(.serialized, .timeLimit(.minutes(3)))
enum InBrowser {}

/// Whether the long tests, and those of Firefox, are run too: by `make test-browser`.
let isThorough = ProcessInfo.processInfo.environment["BROWSER_TESTS"] == "all"

/// A hub, a browser and its users' pages, for one test; at its end no page may have complained.
final class Stage: Sendable {
    let hub: BrowserHub
    let browser: Chromium

    private init(_ hub: BrowserHub, _ browser: Chromium) { (self.hub, self.browser) = (hub, browser) }

    /// Sets the stage, plays, and clears it.
    ///
    /// Tests have one browser with another after them, where they ask for no options: their users share nothing.
    static func set(
        _ build: Chromium.Build = .headlessShell,
        _ options: Chromium.Options? = nil,
        settings: [String: JSON] = [:],
        sourceLocation: SourceLocation = #_sourceLocation,
        play: (Stage, Pages) async throws -> Void
    ) async throws {
        let browser =
            if let options { try await Chromium(build, options) } else { try await Browsers.shared.browser(build) }
        let stage = Stage(try await BrowserHub(pages: testPages, settings: settings), browser)
        let pages = Pages()
        var fault: (any Error)?
        do { try await play(stage, pages) } catch { fault = error }
        for page in pages.all {
            #expect(page.complaints == [], "a page complained", sourceLocation: sourceLocation)
            // Else its calls would go on beside those of the next test. One that a test has closed is gone already.
            try? await page.close()
        }
        if let fault { throw fault }
    }

    /// The tests' own pages.
    static let testPages = SourceTree.path("Tests/BrowserTests/Pages")

    /// A page of a user of its own.
    func page(_ pages: Pages, width: Int = 1280, height: Int = 800, permissions: [String] = ["audioCapture"])
        async throws -> ChromiumPage
    {
        let page = try await browser.page(width: width, height: height, permissions: permissions)
        pages.all.append(page)
        return page
    }
}

/// The browsers of all tests: one of a build, begun when it is first wanted.
actor Browsers {
    static let shared = Browsers()

    private var running: [Chromium.Build: Task<Chromium, any Error>] = [:]

    func browser(_ build: Chromium.Build) async throws -> Chromium {
        if let browser = try? await running[build]?.value, browser.isRunning { return browser }
        let start = Task { try await Chromium(build) }
        running[build] = start
        return try await start.value
    }
}

/// The pages of a test.
final class Pages {
    var all: [any BrowserPage] = []
}
