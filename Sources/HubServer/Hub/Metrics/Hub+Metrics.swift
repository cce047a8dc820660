import HubAccountData
import HubEngine

/// The metrics page; docs/operations.md describes each metric, and a test compares the two.
extension Hub {
    /// Returns the page in the Prometheus text exposition format, version 0.0.4.
    func metricsPage(of loops: [LoopStatistics]) -> String {
        var page = MetricsPage()
        let sum = LoopStatistics.sum(of: loops)
        addCalls(to: &page)
        addSessions(to: &page)
        addSockets(sum.transport, to: &page)
        page.gauge(
            "callhub_certificate_expiry_timestamp_seconds",
            "When the TLS certificate ends, in seconds since 1970; no value without TLS.",
            loops.compactMap(\.certificateExpiry).min().map { [.init(seconds: $0)] } ?? []
        )
        addAudio(sum, to: &page)
        addLoops(loops, to: &page)
        addPushes(to: &page)
        addStore(to: &page)
        addBackup(to: &page)
        addDirectories(to: &page)
        addPeople(to: &page)
        addInvariants(to: &page)
        addProcess(to: &page)
        return page.text
    }

    private func addCalls(to page: inout MetricsPage) {
        let counts = records.counts
        page.gauge(
            "callhub_calls",
            "Current call legs, by state.",
            CallSnapshot.State.ongoing.map { .init([("state", $0.rawValue)], counts.ongoing[$0] ?? 0) }
        )
        page.gauge(
            "callhub_conversations",
            "Current conversations; all legs of one count once.",
            engine.objectCounts.conversations
        )
        page.counter("callhub_calls_started_total", "Outgoing calls requested by clients.", counts.started)
        page.counter(
            "callhub_calls_offered_total",
            "Incoming calls offered to devices; a call that rings on two devices counts twice.",
            counts.offered
        )
        page.counter("callhub_calls_answered_total", "Answered calls.", counts.answered)
        let ends = counts.ends.map { (words: $0.key.words, count: $0.value) }.sorted { $0.words < $1.words }
        page.counter(
            "callhub_call_ends_total",
            "Ended call legs, by reason (local: the leg's own user hung up) and cause.",
            ends.map { .init([("reason", $0.words.reason), ("cause", $0.words.cause)], $0.count) }
        )
        page.gauge(
            "callhub_call_records_pending",
            "Call detail records in progress or waiting for their last audio statistics.",
            records.count
        )
    }

    private func addSessions(to page: inout MetricsPage) {
        page.gauge("callhub_draining", "1 while the hub is about to stop, else 0.", drainState.isDraining ? 1 : 0)
        page.gauge("callhub_sessions", "Signed-in devices, including those in their grace period.", sessions.count)
        page.gauge("callhub_sessions_lost", "Signed-in devices without a connection now.", sessions.lostCount)
        page.counter("callhub_sessions_opened_total", "Sign-ins.", metrics.counters.sessionsOpened)
        page.counter("callhub_session_losses_total", "Connections lost by signed-in devices.", metrics.counters.losses)
        page.counter("callhub_resumes_total", "Sessions resumed on a new connection.", metrics.counters.resumes)
        page.counter(
            "callhub_session_ends_total",
            "Sessions that ended, by reason.",
            metrics.counters.sessionEnds.sorted { $0.key < $1.key }.map { .init([("reason", $0.key)], $0.value) }
        )
        page.counter(
            "callhub_errors_total",
            "Errors answered, by code.",
            metrics.counters.errors.sorted { $0.key < $1.key }.map { .init([("code", "\($0.key)")], $0.value) }
        )
    }

    private func addDirectories(to page: inout MetricsPage) {
        page.gauge(
            "callhub_directory_bytes",
            "Memory of all accounts' call directories and of their pending loads.",
            accountData.directoryBytes
        )
    }

    private func addSockets(_ sockets: TransportCounters, to page: inout MetricsPage) {
        page.gauge("callhub_sockets", "Open client sockets, HTTP and WebSocket.", sockets.sockets)
        page.gauge("callhub_connections", "WebSocket connections open now.", sockets.connections)
        page.counter("callhub_connections_opened_total", "WebSocket connections ever opened.", sockets.opened)
        page.counter(
            "callhub_connections_refused_total",
            "Refused connections, by reason.",
            sockets.refusedByReason.map { .init([("reason", $0.reason)], $0.count) }
        )
        page.counter(
            "callhub_connections_ended_total",
            "Connections closed by the hub because of the client, by reason.",
            [
                .init([("reason", "handshakeTimeout")], sockets.handshakeTimeouts),
                .init([("reason", "messageTooLong")], sockets.messagesTooLong),
                .init([("reason", "signInTimeout")], sockets.signInTimeouts),
                .init([("reason", "silent")], sockets.silent),
                .init([("reason", "slowConsumer")], sockets.slowConsumers),
            ]
        )
        page.counter(
            "callhub_refusals_total",
            "Messages, sign-ins, calls and requests refused by a rate limit, by limit.",
            admissionControl.refusals.byLimit.map { .init([("limit", $0.limit)], $0.count) }
        )
        page.counter("callhub_text_messages_received_total", "Text messages received.", sockets.textsReceived)
        page.counter("callhub_text_received_bytes_total", "Bytes of text received.", sockets.textBytesReceived)
        page.counter("callhub_text_messages_sent_total", "Text messages sent.", sockets.textsSent)
        page.counter("callhub_text_sent_bytes_total", "Bytes of text sent.", sockets.textBytesSent)
    }

    private func addMixers(to page: inout MetricsPage) {
        let mixers = transport?.mixerStatistics ?? []
        page.counter("callhub_mixer_frames_total", "Frames of 20 ms that the mixers made.", mixers.map(\.frames).sum)
        page.counter(
            "callhub_mixer_late_frames_total",
            "Frames that a mixer ended more than 10 ms after they were due.",
            mixers.map(\.late).sum
        )
        page.counter("callhub_mixer_packets_total", "Packets that the mixers encoded.", mixers.map(\.encoded).sum)
        page.gauge(
            "callhub_mixer_reduction",
            "Steps by which the most loaded mixer does less: fewer speakers, longer packets; 0: all of its work.",
            mixers.map(\.reduction).max() ?? 0
        )
    }

    private func addAudio(_ sum: LoopStatistics, to page: inout MetricsPage) {
        let relay = sum.relay
        page.counter(
            "callhub_audio_packets_received_total",
            "Audio and RTCP packets received, valid or not.",
            relay.received
        )
        page.counter("callhub_audio_received_bytes_total", "Bytes of packets received.", relay.bytesReceived)
        page.counter("callhub_rtcp_packets_received_total", "RTCP packets received.", relay.reports)
        page.counter(
            "callhub_audio_packets_relayed_total",
            "Packets forwarded, counted once for each receiver.",
            relay.relayed
        )
        page.counter("callhub_audio_relayed_bytes_total", "Bytes of packets forwarded.", relay.bytesRelayed)
        page.counter(
            "callhub_hold_audio_packets_total",
            "Packets of the hub's music and tones for parties on hold.",
            relay.holdPackets
        )
        page.counter(
            "callhub_audio_packets_dropped_total",
            "Packets not forwarded, by reason.",
            DropReason.allCases.map { .init([("reason", $0.label)], relay.drops[Int($0.rawValue)]) }
        )
        page.counter(
            "callhub_audio_writes_total",
            "Writes of audio and reports; one may hold several packets.",
            sum.transport.audioWrites
        )
        page.counter(
            "callhub_audio_packets_queued_total",
            "Packets queued before their write.",
            sum.transport.audioQueued
        )
        addMixers(to: &page)
        var latency = sum.transport.latency
        latency += sum.transport.queueTimeOfWritten
        page.histogram(
            "callhub_relay_latency_seconds",
            "Time from the loop's wakeup for a packet to the packet's write.",
            latency
        )
        var age = sum.transport.queueTimeOfWritten
        age += sum.transport.queueTimeOfDropped
        page.histogram(
            "callhub_audio_queue_age_seconds",
            "Queueing time of queued packets, until they were written or dropped.",
            age
        )
    }

    private func addLoops(_ loops: [LoopStatistics], to page: inout MetricsPage) {
        func samples(_ value: (LoopStatistics) -> Double) -> [MetricsPage.Sample] {
            loops.map { .init([("loop", "\($0.loop)")], seconds: value($0)) }
        }
        page.counter(
            "callhub_loop_busy_seconds_total",
            "Time in which a loop worked and did not wait; its rate is the loop's busy share.",
            samples(\.busySeconds)
        )
        page.gauge(
            "callhub_loop_longest_turn_seconds",
            "The longest iteration of a loop in the last second.",
            samples { $0.load.longestIteration / .seconds(1) }
        )
        page.gauge(
            "callhub_loop_connections",
            "WebSocket connections of a loop.",
            samples { Double($0.transport.connections) }
        )
    }

    private func addInvariants(to page: inout MetricsPage) {
        page.counter(
            "callhub_invariant_checks_total",
            "Checks of the engine's invariants.",
            monitor.invariantChecker.checkCount
        )
        page.counter(
            "callhub_invariant_violations_total",
            "Invariant violations found; each one is a bug in the hub.",
            monitor.invariantChecker.violations
        )
    }

    private func addProcess(to page: inout MetricsPage) {
        let process = ProcessStatistics()
        page.gauge("callhub_build_info", "1, with the version.", [.init([("version", settings.version)], 1)])
        page.gauge("process_resident_memory_bytes", "Resident memory.", process.residentBytes)
        page.gauge("process_virtual_memory_bytes", "Virtual memory.", process.virtualBytes)
        page.counter(
            "process_cpu_seconds_total",
            "User and system time of all threads.",
            [.init(seconds: process.cpuSeconds)]
        )
        page.gauge("process_open_fds", "Open file descriptors, as of the last scrape.", metrics.openDescriptors())
        page.gauge("process_max_fds", "File descriptors that may be open.", process.maximumDescriptors)
        page.gauge(
            "process_start_time_seconds",
            "When the process was started, in seconds since 1970.",
            [.init(seconds: process.startTime)]
        )
    }
}

extension CallSnapshot.State {
    /// The states of a call that has not ended.
    static let ongoing: [CallSnapshot.State] = [.starting, .connecting, .ringing, .connected, .held]
}

extension [Int] {
    fileprivate var sum: UInt64 { reduce(0) { $0 &+ UInt64(clamping: $1) } }
}
