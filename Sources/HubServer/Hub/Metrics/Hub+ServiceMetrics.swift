import HubAccountData

/// The metrics of people's presence, and of the services outside the hub: push notifications and the store.
extension Hub {
    func addPushes(to page: inout MetricsPage) {
        let statistics = services.push?.statistics ?? PushStatistics()
        page.counter(
            "callhub_push_sent_total",
            "Push messages, by outcome.",
            PushOutcome.allCases.map { .init([("result", $0.rawValue)], statistics.outcomes[$0] ?? 0) }
        )
        page.gauge("callhub_push_waiting", "Push messages queued or in flight.", statistics.waiting)
    }

    func addPeople(to page: inout MetricsPage) {
        page.gauge(
            "callhub_people_listed",
            "Accounts in the directory of people that others may find.",
            people.index.listedCount
        )
        page.gauge(
            "callhub_presence_subscriptions",
            "Handles whose presence is watched; one that two sessions watch counts twice.",
            presence.count
        )
        page.counter(
            "callhub_presence_notifications_total",
            "Notifications of changed presence.",
            metrics.counters.presenceNotifications
        )
        page.counter(
            "callhub_presence_changes_total",
            "Changes of presence sent; one that ten sessions watch counts ten times.",
            metrics.counters.presenceChanges
        )
    }

    func addStore(to page: inout MetricsPage) {
        guard let statistics = services.accountData?.statistics else { return }
        page.counter("callhub_store_writes_total", "Write operations on the database.", statistics.writes)
        page.counter("callhub_store_transactions_total", "Transactions of these operations.", statistics.transactions)
        page.counter(
            "callhub_store_failures_total",
            "Failed database operations, by kind of failure.",
            statistics.failures.sorted { $0.key < $1.key }.map { .init([("reason", $0.key)], $0.value) }
        )
        page.gauge("callhub_store_waiting", "Operations and ended calls that wait for the disk.", statistics.waiting)
        page.gauge(
            "callhub_store_waiting_bytes",
            "Memory used by waiting operations, in bytes.",
            statistics.waitingBytes
        )
        page.gauge(
            "callhub_store_last_write_seconds",
            "Duration of the last database transaction.",
            [.init(seconds: statistics.lastWrite / .seconds(1))]
        )
        page.gauge("callhub_store_file_bytes", "Size of the database.", Int(clamping: statistics.fileBytes))
        page.counter(
            "callhub_store_calls_unjournaled_total",
            "Ended calls that were not in the journal when they ended: a crash would have lost them.",
            statistics.unjournaledCalls
        )
        page.counter("callhub_store_calls_lost_total", "Ended calls that could not be stored.", statistics.lostRecents)
    }

    /// Adds the families in any case, without values if there is no nightly backup.
    func addBackup(to page: inout MetricsPage) {
        func samples(_ value: (BackupStatistics) -> Double) -> [MetricsPage.Sample] {
            services.backup.map { [.init(seconds: value($0.statistics))] } ?? []
        }
        page.counter("callhub_backup_completed_total", "Complete nightly backups.", samples { Double($0.completed) })
        page.counter("callhub_backup_failures_total", "Failed nightly backups.", samples { Double($0.failures) })
        page.gauge(
            "callhub_backup_last_success_timestamp_seconds",
            "When the newest nightly backup was made, in seconds since 1970; 0: there is none.",
            samples { Double($0.newest) }
        )
        page.gauge(
            "callhub_backup_last_duration_seconds",
            "Duration of the last nightly backup.",
            samples(\.lastDuration)
        )
        page.gauge(
            "callhub_backup_last_size_bytes",
            "Size of the last nightly backup.",
            samples { Double($0.lastBytes) }
        )
    }
}
