import Foundation

/// A page of any browser, as the tests drive it.
public protocol BrowserPage: Sendable {
    /// Navigates to a URL and waits until the page is loaded.
    ///
    /// - Parameter url: An absolute URL.
    /// - Throws: ``BrowserError`` when the browser refuses, has ended or does not reply in time.
    func open(_ url: String) async throws

    /// Reloads the page and waits until it is loaded.
    ///
    /// - Throws: ``BrowserError`` when the browser refuses, has ended or does not reply in time.
    func reload() async throws

    /// Evaluates an expression with user activation and waits for its promise.
    ///
    /// - Parameters:
    ///   - expression: A JavaScript expression whose value is a string or a promise of one.
    ///   - seconds: The timeout in seconds.
    /// - Returns: The value of the expression.
    /// - Throws: ``BrowserError`` with the text of the exception, or after the timeout.
    func text(of expression: String, within seconds: Double) async throws -> String

    /// The errors that the page has logged: console errors, exceptions, policy violations, requests to other hosts.
    var loggedErrors: [String] { get }

    /// Removes matching errors, past and future, from the complaints.
    ///
    /// - Parameter words: A part of the error's text.
    func ignoreErrors(_ words: String)

    /// Closes the page and deletes its user's storage.
    ///
    /// - Throws: ``BrowserError`` when the browser refuses, has ended or does not reply in time.
    func close() async throws
}

extension BrowserPage {
    /// Runs the body of an asynchronous JavaScript function in the page.
    ///
    /// - Parameters:
    ///   - body: Statements; the value that they return must be JSON.
    ///   - values: Constants for the body, by name.
    ///   - seconds: The timeout in seconds.
    /// - Returns: The returned value; null if the body returns none.
    /// - Throws: ``BrowserError`` with the text of the exception, or after the timeout.
    @discardableResult
    public func run(_ body: String, _ values: [String: JSON] = [:], within seconds: Double = 30) async throws -> JSON {
        let constants = values.map { "const \($0) = \($1);" }.joined()
        let text = try await text(
            of: "(async () => { \(constants) \(body)\n })().then(value => JSON.stringify(value ?? null))",
            within: seconds
        )
        return try JSON(reading: text.utf8)
    }

    /// Returns the value of an expression, or of its promise.
    ///
    /// - Parameters:
    ///   - expression: A JavaScript expression whose value is JSON.
    ///   - values: Constants for the expression, by name.
    ///   - seconds: The timeout in seconds.
    /// - Returns: The value of the expression.
    /// - Throws: ``BrowserError`` with the text of the exception, or after the timeout.
    @discardableResult
    public func value(
        _ expression: String,
        _ values: [String: JSON] = [:],
        within seconds: Double = 30
    ) async throws -> JSON {
        try await run("return (\(expression));", values, within: seconds)
    }

    /// Waits until an expression is truthy in the page, which evaluates it about fifty times a second.
    ///
    /// - Parameters:
    ///   - expression: A JavaScript expression, or a promise of its value.
    ///   - values: Constants for the expression, by name.
    ///   - seconds: The timeout in seconds.
    /// - Returns: The first truthy value.
    /// - Throws: ``BrowserError`` when the expression was not truthy within the timeout, or threw.
    @discardableResult
    public func wait(
        for expression: String,
        _ values: [String: JSON] = [:],
        seconds: Double = 20
    ) async throws -> JSON {
        let body = """
            const end = performance.now() + \(seconds * 1_000);
            for (;;) {
                const value = await (\(expression));
                if (value) return value;
                if (performance.now() > end) throw new Error("in vain: " + document.body?.innerText.slice(0, 800));
                await new Promise(then => setTimeout(then, 20));
            }
            """
        do {
            return try await run(body, values, within: seconds + 10)
        } catch {
            throw BrowserError("waited for \(expression): \(error)")
        }
    }
}

/// The logged errors of a page; any thread may add one.
public final class PageErrorLog: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [String] = []
    private var ignoredTexts: [String] = []

    /// The errors that match no forgiven text.
    public var list: [String] {
        lock.withLock { all.filter { loggedError in !ignoredTexts.contains { loggedError.contains($0) } } }
    }

    func add(_ loggedError: String) { lock.withLock { all.append(loggedError) } }

    func ignoreErrors(_ words: String) { lock.withLock { ignoredTexts.append(words) } }
}
