/// The HTTP pages besides the files: health, readiness, Prometheus metrics, and what a client reads before its sign-in.
extension Hub {
    func httpGet(_ request: HTTPRequest, requestID: HTTPRequestID) -> HTTPHandlerResult {
        switch request.path {
        case "/healthz": return .now(HubPages.text(200, "ok\n"))
        case "/readyz":
            return .now(drainState.isDraining ? HubPages.text(503, "draining\n") : HubPages.text(200, "ready\n"))
        case "/metrics": return metricsPage(for: request, requestID)
        case "/": return HubPages.placeholderPage(settings).map { .now($0) } ?? .unhandled
        case let path:
            if let page = OpenIDPages.page(path, settings.transport) { return openIDPage(page, request, requestID) }
            return information.page(request).map { .now($0) } ?? .unhandled
        }
    }

    private func metricsPage(for request: HTTPRequest, _ requestID: HTTPRequestID) -> HTTPHandlerResult {
        guard settings.metrics.isOpen(to: request) else {
            return .now(
                HubPages.text(
                    403,
                    "The metrics are kept to some addresses, or a token (metrics.* in the configuration).\n"
                )
            )
        }
        switch metrics.request(requestID, at: clock.now) {
        case .page(let page): return .now(page)
        case .waiting: return .deferred
        case .collect: break
        }
        transport?.collectStatistics { [weak self] statistics in
            guard let self else { return }
            let page = HTTPResponse(
                contentType: "text/plain; version=0.0.4; charset=utf-8",
                body: Array(metricsPage(of: statistics).utf8)
            )
            for requestID in metrics.fill(page, at: clock.now) { transport?.answer(requestID, with: page) }
        }
        return .deferred
    }
}
