import Foundation

/// A tab of Chromium; closing it removes its browser context if the tab owns one.
public final class ChromiumPage: BrowserPage {
    let browser: Chromium
    let session: String
    let context: JSON
    private let target: JSON
    private let ownsContext: Bool
    let monitor: PageMonitor

    init(_ browser: Chromium, context: JSON, target: JSON, session: String, ownsContext: Bool) {
        self.browser = browser
        self.context = context
        self.target = target
        self.session = session
        self.ownsContext = ownsContext
        monitor = PageMonitor(browser.pipe)
    }

    func begin() async throws {
        monitor.follow(session)
        for domain in ["Page", "Runtime", "Log", "Network"] { try await send(domain + ".enable") }
        try await send(
            "Target.setAutoAttach",
            ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true]
        )
    }

    /// Calls a method of the DevTools protocol in the session of this page.
    ///
    /// - Parameters:
    ///   - method: The name of the method, as `Page.navigate`.
    ///   - parameters: The parameters of the method.
    /// - Returns: The method's result.
    /// - Throws: ``BrowserError`` when the browser refuses, has ended or does not reply within 30 s.
    @discardableResult
    public func send(_ method: String, _ parameters: JSON = [:]) async throws -> JSON {
        try await browser.pipe.send(method, parameters, session: session)
    }

    /// Opens another tab in the same browser context.
    ///
    /// - Returns: A blank page.
    /// - Throws: ``BrowserError`` when the browser refuses, has ended or does not reply in time.
    public func secondTab() async throws -> ChromiumPage {
        try await browser.page(of: context, width: 1280, height: 800, owns: false)
    }

    /// Runs a script in each document that this page loads, before its own.
    ///
    /// - Parameter script: Statements for the global scope.
    /// - Throws: ``BrowserError`` when the browser refuses, has ended or does not reply in time.
    public func runFirst(_ script: String) async throws {
        try await send("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
    }

    /// Ends the collection of errors and requests, whose events cost the browser CPU time.
    public func stopMonitoring() { monitor.pause() }

    // MARK: BrowserPage

    /// Navigates to a URL and waits until the page is loaded.
    public func open(_ url: String) async throws {
        let load = monitor.next("Page.loadEventFired")
        let answer = try await send("Page.navigate", ["url": .string(url)])
        if let error = answer["errorText"].text { throw BrowserError("\(url): \(error)") }
        // Only the fragment has changed, so nothing is loaded.
        if answer["loaderId"] == .null { return }
        _ = try await load.value(within: 30, "the load of \(url)")
    }

    /// Reloads the page and waits until it is loaded.
    public func reload() async throws {
        let load = monitor.next("Page.loadEventFired")
        try await send("Page.reload")
        _ = try await load.value(within: 30, "the reload")
    }

    /// Evaluates an expression whose value is a string, and waits for its promise.
    public func text(of expression: String, within seconds: Double) async throws -> String {
        let answer = try await browser.pipe.send(
            "Runtime.evaluate",
            [
                "expression": .string(expression), "awaitPromise": true, "returnByValue": true,
                "userGesture": .bool(!browser.requiresUserGesture),
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

    /// The errors that the page has logged and that are not forgiven.
    public var loggedErrors: [String] { monitor.loggedErrors.list }

    /// The URLs that the page, its workers and its service worker have requested, in order.
    public var requests: [String] { monitor.requests }

    /// Removes errors that contain this text, past and future, from the complaints.
    public func ignoreErrors(_ words: String) { monitor.loggedErrors.ignoreErrors(words) }

    /// Closes the page, and deletes the storage of the browser context that it owns.
    public func close() async throws {
        if ownsContext {
            try await browser.pipe.send("Target.disposeBrowserContext", ["browserContextId": context])
        } else {
            try await browser.pipe.send("Target.closeTarget", ["targetId": target])
        }
        monitor.end()
    }
}
