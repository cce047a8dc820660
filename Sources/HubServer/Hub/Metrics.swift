import Glibc
import HubEngine

/// What the hub counts beside the sockets and the relay; numbers only grow.
struct HubCounters {
    var sessionsOpened = 0
    var resumes = 0
    /// By code.
    var errors: [Int: Int] = [:]
    /// Legs, by cause, or reason, or "local".
    var callsEnded: [String: Int] = [:]
}

/// What HTTP answers besides the files: health, readiness and Prometheus metrics.
extension Hub {
    func httpGet(path: String, query: String) -> HTTPResponse? {
        switch path {
        case "/healthz": text(200, "ok\n")
        case "/readyz": isDraining ? text(503, "draining\n") : text(200, "ready\n")
        case "/metrics":
            HTTPResponse(contentType: "text/plain; version=0.0.4; charset=utf-8", body: Array(metrics.utf8))
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

    /// The Prometheus text exposition format, version 0.0.4.
    var metrics: String {
        var page = MetricsPage()
        let census = engine.census
        let sockets = loop?.counters ?? TransportCounters()
        page.gauge("callhub_connections", "WebSocket connections open now.", sockets.connections)
        page.gauge("callhub_sessions", "Signed-in devices, lost ones within their grace included.", sessions.count)
        page.gauge("callhub_sessions_lost", "Signed-in devices without a connection now.", sessions.lostCount)
        page.gauge("callhub_calls", "Living calls, each party's leg counted.", census.calls)
        page.gauge("callhub_conversations", "Living calls, the legs of one counted together.", census.conversations)
        page.gauge("callhub_process_resident_memory_bytes", "Resident memory.", residentBytes)
        page.counter("callhub_connections_total", "WebSocket connections ever opened.", [("", sockets.opened)])
        page.counter("callhub_sessions_total", "Sign-ins.", [("", counters.sessionsOpened)])
        page.counter("callhub_resumes_total", "Sessions taken up on a new connection.", [("", counters.resumes)])
        page.counter(
            "callhub_call_ends_total",
            "Legs that ended, by cause, or reason, or local.",
            counters.callsEnded.sorted { $0.key < $1.key }.map { ("cause=\"\($0.key)\"", $0.value) }
        )
        page.counter(
            "callhub_errors_total",
            "Errors answered, by code.",
            counters.errors.sorted { $0.key < $1.key }.map { ("code=\"\($0.key)\"", $0.value) }
        )
        page.counter("callhub_text_messages_total", "Text messages received.", [("", sockets.textsReceived)])
        page.counter("callhub_audio_packets_received_total", "Packets received.", [("", Int(relay?.received ?? 0))])
        page.counter("callhub_rtcp_packets_received_total", "Reports among them.", [("", Int(relay?.reports ?? 0))])
        page.counter("callhub_audio_packets_relayed_total", "Packets passed on.", [("", Int(relay?.relayed ?? 0))])
        page.counter(
            "callhub_audio_packets_dropped_total",
            "Packets not passed on, by reason.",
            DropReason.allCases.map { ("reason=\"\($0.label)\"", Int(relay?.dropped($0) ?? 0)) }
        )
        page.counter("callhub_invariant_checks_total", "Looks at the engine's rules.", [("", watch.looks)])
        page.counter("callhub_invariant_violations_total", "Broken rules they found.", [("", watch.violations)])
        return page.text
    }

    private var residentBytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let fields = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }.split(separator: UInt8(ascii: " "))
        guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return 0 }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}

/// A page of metrics under way.
private struct MetricsPage {
    private(set) var text = ""

    mutating func gauge(_ name: String, _ help: String, _ value: Int) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n\(name) \(value)\n"
    }

    mutating func counter(_ name: String, _ help: String, _ values: [(labels: String, value: Int)]) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) counter\n"
        for (labels, value) in values {
            text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
        }
    }
}
