/// A tab of Firefox; closing it removes its user context.
public final class FirefoxPage: BrowserPage {
    private let browser: Firefox
    private let user: JSON
    private let context: JSON
    private let errorLog = PageErrorLog()

    init(_ browser: Firefox, user: JSON, context: JSON) {
        self.browser = browser
        self.user = user
        self.context = context
        browser.socket.listen(to: context.text ?? "") { [errorLog] method, parameters in
            switch method {
            case "log.entryAdded" where parameters["level"] == "error":
                errorLog.add(parameters["text"].text ?? parameters.description)
            case "network.beforeRequestSent":
                let url = parameters["request"]["url"].text ?? ""
                let isOurs = ["http://127.0.0.1:", "ws://127.0.0.1:", "about:", "data:"].contains { url.hasPrefix($0) }
                if !isOurs { errorLog.add("request to another host: \(url)") }
            default: break
            }
        }
    }

    /// Navigates to a URL and waits until the page is loaded.
    public func open(_ url: String) async throws {
        try await browser.socket.send(
            "browsingContext.navigate",
            ["context": context, "url": .string(url), "wait": "complete"]
        )
    }

    /// Reloads the page and waits until it is loaded.
    public func reload() async throws {
        try await browser.socket.send("browsingContext.reload", ["context": context, "wait": "complete"])
    }

    /// Evaluates an expression whose value is a string, and waits for its promise.
    public func text(of expression: String, within seconds: Double) async throws -> String {
        let answer = try await browser.socket.send(
            "script.evaluate",
            [
                "expression": .string(expression), "target": ["context": context], "awaitPromise": true,
                "userActivation": true,
            ],
            within: seconds
        )
        guard let text = answer["result"]["value"].text else {
            let fault = answer["exceptionDetails"]["text"].text
            throw BrowserError(fault ?? "\(expression) is no text: \(answer)")
        }
        return text
    }

    /// The errors that the page has logged and that are not forgiven.
    public var loggedErrors: [String] { errorLog.list }

    /// Removes errors that contain this text, past and future, from the complaints.
    public func ignoreErrors(_ words: String) { errorLog.ignoreErrors(words) }

    /// Closes the page and deletes its user's storage.
    public func close() async throws {
        try await browser.socket.send("browser.removeUserContext", ["userContext": user])
        browser.socket.listen(to: context.text ?? "", nil)
    }
}
