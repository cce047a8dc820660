/// What HTTP answers besides the files: health, readiness and Prometheus metrics.
extension Hub {
    func httpGet(path: String, ticket: HTTPTicket) -> HTTPAnswer {
        switch path {
        case "/healthz": return .now(HubPages.text(200, "ok\n"))
        case "/readyz": return .now(isDraining ? HubPages.text(503, "draining\n") : HubPages.text(200, "ready\n"))
        case "/metrics":
            if let figures = ground?.figuresAtOnce { return .now(answer(figures)) }
            ground?.gatherFigures { [weak self] figures in
                guard let self else { return }
                ground?.answer(ticket, with: answer(figures))
            }
            return .later
        case "/": return HubPages.welcome(settings).map { .now($0) } ?? .notMine
        default: return .notMine
        }
    }

    private func answer(_ loops: [LoopFigures]) -> HTTPResponse {
        HTTPResponse(
            contentType: "text/plain; version=0.0.4; charset=utf-8",
            body: Array(metricsPage(of: loops).utf8)
        )
    }
}
