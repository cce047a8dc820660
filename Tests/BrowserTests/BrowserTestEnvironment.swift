import BrowserKit
import Foundation
import HubTestSupport
import Testing

/// The tests that drive browsers; they run one after the other because audio is measured in real time.
@Suite(.serialized, .timeLimit(.minutes(MonkeyOptions.minutes)))
enum BrowserSuite {}

/// Indicates that the long tests and those of Firefox run too, as in `make test-browser`.
let isThorough = ProcessInfo.processInfo.environment["BROWSER_TESTS"] == "all"

/// A hub and a browser for one test; when it ends, no page may have logged an error.
final class BrowserTestEnvironment: Sendable {
    let hub: BrowserHub
    let browser: Chromium

    private init(_ hub: BrowserHub, _ browser: Chromium) { (self.hub, self.browser) = (hub, browser) }

    /// Starts a hub and a browser, runs a test with them, and closes its pages.
    ///
    /// Tests without options share one browser of a build, in which their users share no storage.
    static func set(
        _ build: Chromium.Build = .headlessShell,
        _ options: Chromium.Options? = nil,
        settings: [String: JSON] = [:],
        sourceLocation: SourceLocation = #_sourceLocation,
        body: (BrowserTestEnvironment, OpenPages) async throws -> Void
    ) async throws {
        let browser =
            if let options { try await Chromium(build, options) } else { try await Browsers.shared.browser(build) }
        let environment = BrowserTestEnvironment(try await BrowserHub(pages: testPages, settings: settings), browser)
        let pages = OpenPages()
        var fault: (any Error)?
        do { try await body(environment, pages) } catch { fault = error }
        for page in pages.all {
            #expect(page.loggedErrors == [], "a page complained", sourceLocation: sourceLocation)
            // Otherwise its calls would continue during the next test. A page that the test has closed throws here.
            try? await page.close()
        }
        if let fault { throw fault }
    }

    /// The path of the pages of these tests.
    static let testPages = SourceTree.path("Tests/BrowserTests/Pages")

    /// Opens a page in a browser context of its own.
    func page(_ pages: OpenPages, width: Int = 1280, height: Int = 800, permissions: [String] = ["audioCapture"])
        async throws -> ChromiumPage
    {
        let page = try await browser.page(width: width, height: height, permissions: permissions)
        pages.all.append(page)
        return page
    }
}

/// The browsers that tests share: one of each build, started at its first use.
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

/// The open pages of a test.
final class OpenPages {
    var all: [any BrowserPage] = []

    /// The links that pages are connected through: one that ended before its page would be an error of the page.
    var links: [FaultyLink] = []
}
