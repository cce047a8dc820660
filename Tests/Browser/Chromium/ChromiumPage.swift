import Foundation

/// A tab of Chromium's; gone with its user when it is closed.
public final class ChromiumPage: BrowserPage {
    let browser: Chromium
    let session: String
    let context: JSON
    private let target: JSON
    private let ownsContext: Bool
    let watch: PageWatch

    init(_ browser: Chromium, context: JSON, target: JSON, session: String, ownsContext: Bool) {
        self.browser = browser
        self.context = context
        self.target = target
        self.session = session
        self.ownsContext = ownsContext
        watch = PageWatch(browser.pipe)
    }

    func begin() async throws {
        watch.follow(session)
        for domain in ["Page", "Runtime", "Log", "Network"] { try await send(domain + ".enable") }
        try await send(
            "Target.setAutoAttach",
            ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true]
        )
    }

    /// Has the browser do something with this page, by the protocol's own words.
    ///
    /// - Parameters:
    ///   - method: As `Page.navigate`.
    ///   - parameters: The method's.
    /// - Returns: The method's result.
    /// - Throws: ``BrowserError``.
    @discardableResult
    public func send(_ method: String, _ parameters: JSON = [:]) async throws -> JSON {
        try await browser.pipe.send(method, parameters, session: session)
    }

    /// Another tab of the same user.
    ///
    /// - Returns: A blank page.
    /// - Throws: ``BrowserError``.
    public func secondTab() async throws -> ChromiumPage {
        try await browser.page(of: context, width: 1280, height: 800, owns: false)
    }

    // MARK: BrowserPage

    /// Goes to an address and waits until the page is loaded.
    public func open(_ url: String) async throws {
        let load = watch.next("Page.loadEventFired")
        let answer = try await send("Page.navigate", ["url": .string(url)])
        if let error = answer["errorText"].text { throw BrowserError("\(url): \(error)") }
        // Only the fragment is another one.
        if answer["loaderId"] == .null { return }
        _ = try await load.value(within: 30, "the load of \(url)")
    }

    /// Loads the page anew and waits until it is.
    public func reload() async throws {
        let load = watch.next("Page.loadEventFired")
        try await send("Page.reload")
        _ = try await load.value(within: 30, "the reload")
    }

    /// Evaluates an expression of a string and waits for its promise.
    public func text(of expression: String, within seconds: Double) async throws -> String {
        let answer = try await browser.pipe.send(
            "Runtime.evaluate",
            [
                "expression": .string(expression), "awaitPromise": true, "returnByValue": true,
                "userGesture": .bool(!browser.needsTouch),
            ],
            session: session,
            within: seconds
        )
        let fault = answer["exceptionDetails"]
        guard fault == .null else {
            throw BrowserError(fault["exception"]["description"].text ?? fault["text"].text ?? fault.description)
        }
        guard let text = answer["result"]["value"].text else {
            throw BrowserError("\(expression) is no text: \(answer)")
        }
        return text
    }

    /// What the page has complained of.
    public var complaints: [String] { watch.complaints.list }

    /// The URL of all that the page, its workers and its service worker have asked for, in their order.
    public var requests: [String] { watch.requests }

    /// Forgives complaints that have these words.
    public func forgive(_ words: String) { watch.complaints.forgive(words) }

    /// Is gone with its storage.
    public func close() async throws {
        if ownsContext {
            try await browser.pipe.send("Target.disposeBrowserContext", ["browserContextId": context])
        } else {
            try await browser.pipe.send("Target.closeTarget", ["targetId": target])
        }
        watch.end()
    }
}
