/// Receives the events of a page, its workers and its worklets, and collects errors and requests to other hosts.
final class PageMonitor: Sendable {
    let loggedErrors = PageErrorLog()
    private let pipe: DevToolsPipe
    private struct State {
        var sessions: Set<String> = []
        var waiting: [(method: String, pendingResult: PendingResult<JSON>)] = []
        var requests: [String] = []
        /// The host and port of the page that is shown.
        var host: Substring?
    }
    private let state = Locked(State())

    init(_ pipe: DevToolsPipe) { self.pipe = pipe }

    var requests: [String] { state.withLock { $0.requests } }

    /// Receives a session's events from now on.
    func follow(_ session: String) {
        state.withLock { _ = $0.sessions.insert(session) }
        pipe.listen(to: session) { [weak self] in self?.take($0) }
    }

    /// Stops receiving events: each packet on a WebSocket is one, which costs the browser CPU time.
    func pause() {
        for session in state.withLock({ $0.sessions }) {
            for domain in ["Network", "Log", "Runtime"] { pipe.post(domain + ".disable", session: session) }
        }
    }

    func end() {
        for session in state.withLock({ $0.sessions }) { pipe.listen(to: session, nil) }
    }

    /// Returns an arrival that delivers the parameters of the next event of a kind.
    func next(_ method: String) -> PendingResult<JSON> {
        let pendingResult = PendingResult<JSON>()
        state.withLock { $0.waiting.append((method, pendingResult)) }
        return pendingResult
    }

    private func take(_ event: DevToolsPipe.Event) {
        let parameters = event.parameters
        switch event.method {
        case "Target.attachedToTarget": attach(parameters)
        case "Runtime.exceptionThrown":
            let fault = parameters["exceptionDetails"]
            loggedErrors.add("exception: \(fault["exception"]["description"].text ?? fault["text"].text ?? "\(fault)")")
        case "Runtime.consoleAPICalled" where ["error", "assert"].contains(parameters["type"].text):
            let words = parameters["args"].elements.map { $0["description"].text ?? $0["value"].description }
            loggedErrors.add("console: \(words.joined(separator: " "))")
        case "Log.entryAdded" where parameters["entry"]["level"] == "error":
            let entry = parameters["entry"]
            loggedErrors.add("\(entry["source"].text ?? "log"): \(entry["text"].text ?? "") \(entry["url"].text ?? "")")
        case "Network.requestWillBeSent": note(parameters["request"]["url"].text ?? "", parameters)
        case "Network.webSocketCreated": note(parameters["url"].text ?? "", parameters)
        default: break
        }
        let due = state.withLock { state in
            let due = state.waiting.filter { $0.method == event.method }
            state.waiting.removeAll { $0.method == event.method }
            return due
        }
        for wait in due { wait.pendingResult.complete(.success(parameters)) }
    }

    /// Follows a new worker, which is paused until then, so that no event of it is lost.
    private func attach(_ parameters: JSON) {
        guard let session = parameters["sessionId"].text else { return }
        follow(session)
        for domain in ["Runtime", "Log", "Network"] { pipe.post(domain + ".enable", session: session) }
        pipe.post(
            "Target.setAutoAttach",
            ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true],
            session: session
        )
        pipe.post("Runtime.runIfWaitingForDebugger", session: session)
    }

    private func note(_ url: String, _ parameters: JSON) {
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        guard ["http:", "https:", "ws:", "wss:"].contains(parts.first ?? ""), parts.count > 1 else { return }
        let expected: Substring? = state.withLock { state in
            state.requests.append(url)
            if state.host == nil || parameters["type"] == "Document" { state.host = parts[1] }
            return state.host
        }
        if let expected, expected != parts[1] { loggedErrors.add("request to another host: \(url)") }
    }
}
