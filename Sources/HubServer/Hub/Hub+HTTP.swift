import Glibc
import HubEngine

/// What HTTP answers besides the files: health, readiness and Prometheus metrics.
extension Hub {
    func httpGet(path: String, query: String) -> HTTPResponse? {
        switch path {
        case "/healthz": text(200, "ok\n")
        case "/readyz": isDraining ? text(503, "draining\n") : text(200, "ready\n")
        case "/metrics":
            HTTPResponse(
                contentType: "text/plain; version=0.0.4; charset=utf-8",
                body: Array(metricsPage(of: loopFigures).utf8)
            )
        case "/" where !hasPhone: text(200, welcome)
        default: nil
        }
    }

    /// Looked up each time, so that files that come later are found.
    private var hasPhone: Bool {
        settings.transport.staticFilesDirectory.map { access($0 + "/index.html", R_OK) == 0 } ?? false
    }

    /// What stands where the browser phone is missing.
    private var welcome: String {
        """
        This is CallHub \(settings.version). It works, but it has no browser phone: there is no index.html in its folder
        for web pages; see http.staticFilesDirectory in its configuration.

        Programs connect to the WebSocket at \(settings.transport.path). /healthz, /readyz and /metrics tell how the hub is.

        """
    }

    private func text(_ status: Int, _ body: String) -> HTTPResponse {
        HTTPResponse(status: status, contentType: "text/plain; charset=utf-8", body: Array(body.utf8))
    }
}
