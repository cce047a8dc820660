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
    func httpGet(path: String, query: String, ticket: HTTPTicket) -> HTTPAnswer {
        switch path {
        case "/healthz": return .now(HubPages.text(200, "ok\n"))
        case "/readyz": return .now(isDraining ? HubPages.text(503, "draining\n") : HubPages.text(200, "ready\n"))
        case "/metrics":
            if let figures = figuresAtOnce { return .now(metricsPage(figures)) }
            gatherFigures { [weak self] figures in
                guard let self else { return }
                sockets?.answer(ticket, with: metricsPage(figures))
            }
            return .later
        case "/": return HubPages.welcome(settings).map { .now($0) } ?? .notMine
        default: return .notMine
        }
    }

    private func metricsPage(_ loops: [LoopFigures]) -> HTTPResponse {
        HTTPResponse(contentType: "text/plain; version=0.0.4; charset=utf-8", body: Array(metrics(loops).utf8))
    }

    /// The Prometheus text exposition format, version 0.0.4.
    func metrics(_ loops: [LoopFigures]) -> String {
        var page = MetricsPage()
        let census = engine.census
        func sum(_ count: (TransportCounters) -> Int) -> Int { loops.reduce(0) { $0 + count($1.transport) } }
        func sum(_ count: (RelayFigures) -> UInt64) -> Int { Int(clamping: loops.reduce(0) { $0 + count($1.relay) }) }
        page.gauge("callhub_connections", "WebSocket connections open now.", sum(\.connections))
        page.gauge("callhub_sessions", "Signed-in devices, lost ones within their grace included.", sessions.count)
        page.gauge("callhub_sessions_lost", "Signed-in devices without a connection now.", sessions.lostCount)
        page.gauge("callhub_calls", "Living calls, each party's leg counted.", census.calls)
        page.gauge("callhub_conversations", "Living calls, the legs of one counted together.", census.conversations)
        page.gauge("callhub_process_resident_memory_bytes", "Resident memory.", residentBytes)
        page.counter("callhub_connections_total", "WebSocket connections ever opened.", [("", sum(\.opened))])
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
        page.counter("callhub_text_messages_total", "Text messages received.", [("", sum(\.textsReceived))])
        page.counter("callhub_audio_packets_received_total", "Packets received.", [("", sum(\.received))])
        page.counter("callhub_rtcp_packets_received_total", "Reports among them.", [("", sum(\.reports))])
        page.counter("callhub_audio_packets_relayed_total", "Packets passed on.", [("", sum(\.relayed))])
        page.counter(
            "callhub_audio_packets_dropped_total",
            "Packets not passed on, by reason.",
            DropReason.allCases.map { reason in ("reason=\"\(reason.label)\"", sum { $0.drops[reason] ?? 0 }) }
        )
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
