import Foundation

/// A page of any browser: what tests do with it.
public protocol BrowserPage: Sendable {
    /// Goes to an address and waits until the page is loaded.
    ///
    /// - Parameter url: Whole.
    /// - Throws: ``BrowserError``.
    func open(_ url: String) async throws

    /// Loads the page anew and waits until it is.
    ///
    /// - Throws: ``BrowserError``.
    func reload() async throws

    /// Evaluates an expression, as after a user's touch, and waits for its promise.
    ///
    /// - Parameters:
    ///   - expression: Of a string, or of a promise of one.
    ///   - seconds: At most.
    /// - Returns: The string.
    /// - Throws: ``BrowserError`` with the words of the exception.
    func text(of expression: String, within seconds: Double) async throws -> String

    /// What the page has complained of: errors on its console, exceptions, refused by its policy, strange hosts.
    var complaints: [String] { get }

    /// Forgives complaints, past and to come.
    ///
    /// - Parameter words: Part of their text.
    func forgive(_ words: String)

    /// Is gone with its storage.
    ///
    /// - Throws: ``BrowserError``.
    func close() async throws
}

extension BrowserPage {
    /// Runs the body of an asynchronous function.
    ///
    /// - Parameters:
    ///   - body: Statements; what it returns must be JSON.
    ///   - values: Constants for it, by name.
    ///   - seconds: At most.
    /// - Returns: What the body returns.
    /// - Throws: ``BrowserError`` with the words of the exception.
    @discardableResult
    public func run(_ body: String, _ values: [String: JSON] = [:], within seconds: Double = 30) async throws -> JSON {
        let constants = values.map { "const \($0) = \($1);" }.joined()
        let text = try await text(
            of: "(async () => { \(constants) \(body)\n })().then(value => JSON.stringify(value ?? null))",
            within: seconds
        )
        return try JSON(reading: text.utf8)
    }

    /// The value of an expression, or of its promise.
    ///
    /// - Parameters:
    ///   - expression: Whose value is JSON.
    ///   - values: Constants for it, by name.
    ///   - seconds: At most.
    /// - Returns: The value.
    /// - Throws: ``BrowserError`` with the words of the exception.
    @discardableResult
    public func value(
        _ expression: String,
        _ values: [String: JSON] = [:],
        within seconds: Double = 30
    ) async throws -> JSON {
        try await run("return (\(expression));", values, within: seconds)
    }

    /// Waits until an expression is true in the page, which looks by itself fifty times a second.
    ///
    /// - Parameters:
    ///   - expression: True or a promise of it.
    ///   - values: Constants for it, by name.
    ///   - seconds: At most.
    /// - Returns: Its value.
    /// - Throws: ``BrowserError`` when it never was.
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

/// The complaints of a page, from whatever thread they come.
public final class Complaints: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [String] = []
    private var forgiven: [String] = []

    /// Those that are not forgiven.
    public var list: [String] {
        lock.withLock { all.filter { complaint in !forgiven.contains { complaint.contains($0) } } }
    }

    func add(_ complaint: String) { lock.withLock { all.append(complaint) } }

    func forgive(_ words: String) { lock.withLock { forgiven.append(words) } }
}
