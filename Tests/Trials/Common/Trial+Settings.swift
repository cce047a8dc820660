extension Trial {
    /// The trial's own options.
    var settings: [TrialSetting] {
        switch self {
        case .slowListener:
            [
                TrialSetting(
                    name: "--calls",
                    value: 500,
                    range: 2...5_000,
                    help: "calls, the slow listener's included"
                ),
                TrialSetting(name: "--packets", value: 50, range: 1...50, help: "a second that each client sends"),
                TrialSetting(name: "--seconds", value: 10, range: 2...600, help: "of each stretch"),
                // TCP_USER_TIMEOUT ends a connection whose window stays closed (session.unacknowledgedTimeoutSeconds,
                // 10).
                TrialSetting(name: "--silence", value: 5, range: 1...9, help: "seconds in which it reads nothing"),
                TrialSetting(
                    name: "--unacknowledged",
                    value: 10,
                    range: 1...120,
                    help: "session.unacknowledgedTimeoutSeconds of the hub"
                ),
                TrialSetting(name: "--bits", value: 8_000, range: 800...1_000_000, help: "a second that it reads then"),
                TrialSetting(name: "--receive-buffer", value: 4_096, range: 1_024...1_048_576, help: "its SO_RCVBUF"),
            ]
        case .networks:
            [TrialSetting(name: "--seconds", value: 15, range: 8...600, help: "of each call; an outage comes on top")]
        case .abuse:
            [
                TrialSetting(name: "--calls", value: 100, range: 2...2_000, help: "calls that are measured"),
                // Longer than the hub's timeouts for a handshake and a sign-in.
                TrialSetting(name: "--seconds", value: 12, range: 1...600, help: "of each attack"),
                TrialSetting(
                    name: "--strength",
                    value: 25,
                    range: 1...500,
                    help: "connections of an attack; slow handshakes are 40 times as many"
                ),
            ]
        case .signIns:
            [
                TrialSetting(name: "--calls", value: 200, range: 2...2_000, help: "calls that are measured"),
                TrialSetting(name: "--packets", value: 25, range: 1...50, help: "a second that each client sends"),
                // The hub queues 100 sign-ins; with more it refuses some.
                TrialSetting(name: "--clients", value: 32, range: 1...100, help: "that sign in at the same time"),
                TrialSetting(name: "--seconds", value: 6, range: 2...600, help: "of each stretch"),
                TrialSetting(name: "--rounds", value: 3, range: 1...100, help: "of all stretches, in turns"),
            ]
        case .fullDisk:
            [
                TrialSetting(name: "--megabytes", value: 16, range: 8...1_024, help: "of the disk"),
                // Ten stretches of 20 calls fill Recents.
                TrialSetting(name: "--calls", value: 20, range: 1...100, help: "in each stretch, one by one"),
            ]
        case .renewals:
            [
                TrialSetting(name: "--calls", value: 200, range: 1...2_000, help: "calls over TLS that are measured"),
                TrialSetting(name: "--packets", value: 50, range: 1...50, help: "a second that each client sends"),
                TrialSetting(name: "--seconds", value: 15, range: 2...600, help: "of each stretch"),
            ]
        case .soak:
            [
                TrialSetting(name: "--minutes", value: 10, range: 1...10_080, help: "how long"),
                TrialSetting(name: "--accounts", value: 16, range: 2...1_000, help: "people"),
                TrialSetting(name: "--devices", value: 36, range: 2...3_000, help: "devices of all of them together"),
                TrialSetting(name: "--faults", value: 15, range: 0...100, help: "percentage of faults among actions"),
                TrialSetting(name: "--pace", value: 700, range: 10...60_000, help: "milliseconds between two actions"),
                TrialSetting(name: "--interval", value: 30, range: 5...3_600, help: "seconds between two checks"),
                TrialSetting(name: "--seed", value: 1, range: 0...Int.max, help: "of the random numbers"),
            ]
        case .kill:
            [
                TrialSetting(name: "--times", value: 200, range: 1...1_000_000, help: "kills under load"),
                TrialSetting(
                    name: "--starts",
                    value: 30,
                    range: 0...100,
                    help: "of 100 starts after these, how many are killed too"
                ),
                TrialSetting(name: "--pairs", value: 4, range: 1...100, help: "pairs that call each other"),
                TrialSetting(
                    name: "--entries",
                    value: 50_000,
                    range: 10_000...1_000_000,
                    help: "of the larger call directory"
                ),
                TrialSetting(name: "--least", value: 200, range: 1...600_000, help: "milliseconds of load at least"),
                TrialSetting(name: "--most", value: 1_500, range: 1...600_000, help: "milliseconds of load at most"),
                TrialSetting(name: "--seed", value: 1, range: 0...Int.max, help: "of the random numbers"),
            ]
        }
    }
}
