/// The metrics of the services outside the hub: push notifications and the store.
extension Hub {
    func addPushes(to page: inout MetricsPage) {
        let figures = services.push?.figures ?? PushFigures()
        page.counter(
            "callhub_push_sent_total",
            "Messages to wake devices, by what became of them.",
            PushOutcome.allCases.map { .init([("result", $0.rawValue)], figures.outcomes[$0] ?? 0) }
        )
        page.gauge("callhub_push_waiting", "Those that wait or are on their way.", figures.waiting)
    }

    func addStore(to page: inout MetricsPage) {
        guard let figures = services.accountData?.figures else { return }
        page.counter("callhub_store_writes_total", "Operations that changed what is kept.", figures.writes)
        page.counter("callhub_store_transactions_total", "Transactions in which they did.", figures.transactions)
        page.counter(
            "callhub_store_failures_total",
            "Operations that could not be done, by what was wrong.",
            figures.failures.sorted { $0.key < $1.key }.map { .init([("reason", $0.key)], $0.value) }
        )
        page.gauge("callhub_store_waiting", "Operations and ended calls that wait for the disk.", figures.waiting)
        page.gauge("callhub_store_waiting_bytes", "Memory that they take.", figures.waitingBytes)
        page.gauge(
            "callhub_store_last_write_seconds",
            "How long the last transaction took.",
            [.init(seconds: figures.lastWrite / .seconds(1))]
        )
        page.gauge("callhub_store_file_bytes", "Size of the database.", Int(clamping: figures.fileBytes))
        page.counter(
            "callhub_store_calls_unjournaled_total",
            "Ended calls that a kill would have lost while they waited.",
            figures.unjournaledCalls
        )
        page.counter("callhub_store_calls_lost_total", "Ended calls that could not be kept.", figures.lostCalls)
    }
}
