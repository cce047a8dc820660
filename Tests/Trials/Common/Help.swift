/// The texts that `--help` prints.
enum Help {
    /// The text about all trials.
    static let overview = """
        callhub-trials: what a running hub does when the world is against it

          callhub-trials slow-listener   one listener of many reads nothing, then far too slowly
          callhub-trials networks        two phones with a bad network between them (as root)
          callhub-trials abuse           calls that are measured while others flood, break and stall their hub
          callhub-trials sign-ins        calls that are measured while many sign in by password
          callhub-trials full-disk       the hub's disk fills, and has room again (as root)
          callhub-trials renewals        calls over TLS that are measured while the hub's certificate is replaced
          callhub-trials soak            random callers with random faults, for as long as you like
          callhub-trials kill            kill -9 at any moment; what the next hub remembers

        Each starts a hub of its own, prints a table, and takes
          --json PATH          all figures as JSON; - is standard output, without the table
          --check              exit code 1 when a promise was broken, 2 when the figures are not believable
          --hub-binary PATH    the hub (callhub, beside this program)
          --hub-argument ARG   one more argument for the hub; may be repeated
          --help               the trial's own options

        Exit codes: 0 kept; 1 broken (--check); 2 nothing was measured, or not believable (--check); 64 a wrong option.
        docs/performance.md explains the figures.

        """
}

extension Trial {
    /// The text about one trial, with a table of its own options.
    var help: String {
        let width = settings.map { $0.name.count }.max() ?? 0
        let lines = settings.map { setting in
            let space = String(repeating: " ", count: width - setting.name.count)
            return "  \(setting.name) N\(space)  \(setting.help) (\(setting.value))\n"
        }
        return "callhub-trials \(rawValue): \(summary)\n\n" + lines.joined()
            + "\n`callhub-trials --help` lists the rest.\n"
    }

    private var summary: String {
        switch self {
        case .slowListener: "one listener of many reads nothing, then far too slowly; the others must not notice"
        case .networks: "two phones in a call, with a slow, lossy, narrow or missing network between them (as root)"
        case .abuse: "calls that are measured while others flood, break and stall their hub"
        case .signIns: "calls that are measured while many sign in by password; the calls must not notice"
        case .fullDisk: "the hub's disk fills, and has room again: calls continue, acknowledged data is kept (as root)"
        case .renewals: "calls over TLS while the certificate is replaced: the hub's own, files, and one by ACME"
        case .soak: "random callers with random faults; their counts are compared with the hub's"
        case .kill: "a hub that is killed under load, again and again; no acknowledged data may be lost"
        }
    }
}
