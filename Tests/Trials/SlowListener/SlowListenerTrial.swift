import BenchmarkClient
import BenchmarkSupport
import Glibc

/// One listener of many reads nothing for a while, then far too slowly.
///
/// Its audio must stay fresh, and the other calls must not be affected.
struct SlowListenerTrial {
    /// The index of the listener's connection: the callee of the first call.
    private static let place = 1

    private let options: TrialOptions
    private let hub: TrialHub
    private let calls: MeasuredCalls
    private let listener: SlowListener
    private let watch: SocketWatch
    private var mostHeld = 0
    private var phases: [SlowListenerReport.Phase] = []

    /// Runs the trial.
    static func run(_ options: TrialOptions) throws(BenchmarkError) -> SlowListenerReport {
        var trial = try SlowListenerTrial(options)
        try trial.live(.freely, "before", seconds: options["--seconds"])
        try trial.live(.nothing, "reads nothing", seconds: options["--silence"])
        let rate = options["--bits"] / 8
        try trial.live(.bytesPerSecond(rate), "\(options["--bits"]) bit/s", seconds: options["--seconds"])
        // The sockets hold old packets, whose age does not apply to those that follow.
        try trial.live(.freely, "catches up", seconds: 1)
        try trial.live(.freely, "after", seconds: options["--seconds"])
        trial.watch.end()
        return SlowListenerReport(options, trial.phases)
    }

    private init(_ options: TrialOptions) throws(BenchmarkError) {
        self.options = options
        try allowOpenFiles(2 * options["--calls"] + 256)
        hub = try TrialHub(
            options,
            configuration: "{session: {unacknowledgedTimeoutSeconds: \(options["--unacknowledged"])}}"
        )
        Progress.show("setting up \(options["--calls"]) calls")
        calls = try MeasuredCalls.connect(
            options["--calls"],
            packetsPerSecond: options["--packets"],
            to: hub.address
        ) { number in
            number == Self.place ? options["--receive-buffer"] : nil
        }
        let listener = try SlowListener(calls.population.connections[Self.place])
        self.listener = listener
        calls.others = [Self.place]
        calls.onOther = { _, packet in
            if case .audio(_, let sentAt) = packet { listener.note(sentAt: sentAt) }
        }
        try calls.population.setReceiving(false, from: Self.place)
        watch = SocketWatch(hubPort: hub.address.port, listenerPort: listener.port)
        // Connections, caches and the hub's tables settle.
        try run(nanoseconds: 2_000_000_000)
        _ = (calls.take(), listener.take(held: 0), watch.take())
    }

    private func run(nanoseconds: UInt64) throws(BenchmarkError) {
        let (calls, listener) = (calls, listener)
        try calls.run(nanoseconds: nanoseconds) { now throws(BenchmarkError) in
            try listener.read(at: now) { payload in calls.countPacket(payload, at: Self.place) }
        }
    }

    /// Measures a stretch of time in slices, whose spread is the noise.
    private mutating func live(_ pace: SlowListener.Pace, _ name: String, seconds: Int) throws(BenchmarkError) {
        let before = try (
            hub.statistics.cpuNanoseconds(), monotonicNanoseconds(), hub.metrics().dropped("slowConsumer")
        )
        // The generator makes up for the time that the figures between two stretches took.
        try run(nanoseconds: 200_000_000)
        _ = calls.take()
        listener.pace = pace
        var slices: [CallStatistics] = []
        for second in 0..<seconds {
            Progress.show("\(name), second \(second + 1) of \(seconds)")
            try run(nanoseconds: 1_000_000_000)
            slices.append(calls.take())
        }
        let cpu = Double(try hub.statistics.cpuNanoseconds() - before.0) / Double(monotonicNanoseconds() - before.1)
        let held = watch.take()
        // A packet read now may have entered the sockets at any time since the listener became slow.
        mostHeld = max(mostHeld, held.together)
        phases.append(
            SlowListenerReport.Phase(
                name: name,
                slices: slices,
                held: held,
                heard: listener.take(held: mostHeld),
                dropped: try hub.metrics().dropped("slowConsumer") - before.2,
                residentBytes: try hub.statistics.residentBytes(),
                cpuShare: cpu
            )
        )
    }
}
