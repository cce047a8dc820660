import Glibc

/// The HTTP pages besides the files.
enum HubPages {
    /// Indicates that only the hub's own loop can answer a path.
    static func isHubPath(_ path: String, _ settings: TransportSettings) -> Bool {
        ["/healthz", "/readyz", "/metrics"].contains(path) || InformationPages.has(path, settings)
            || OpenIDPages.has(path, settings)
    }

    /// Returns a page in place of the browser phone if that is missing; nil: it is installed.
    ///
    /// Checked at each request, so that files that are installed later are found.
    static func placeholderPage(_ settings: HubSettings) -> HTTPResponse? {
        let hasPhone = settings.transport.staticFilesDirectory.map { access($0 + "/index.html", R_OK) == 0 } ?? false
        guard !hasPhone else { return nil }
        return text(
            200,
            """
            This is CallHub \(settings.version). It works, but it has no browser phone: there is no index.html in its folder
            for web pages; see http.staticFilesDirectory in its configuration.

            Programs connect to the WebSocket at \(settings.transport.path). /healthz, /readyz and /metrics report its state.

            """
        )
    }

    /// Returns a response of plain text.
    static func text(_ status: Int, _ body: String) -> HTTPResponse {
        HTTPResponse(status: status, contentType: "text/plain; charset=utf-8", body: Array(body.utf8))
    }
}
