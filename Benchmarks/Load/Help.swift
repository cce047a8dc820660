extension Options {
    /// What `--help` prints.
    static let help = """
        callhub-bench: what a relayed packet costs the hub, beside a bare relay

        Starts the hub and a relay that knows no calls, in turns, drives each with the
        same two-party calls of 50 packets a second each way, and prints CPU time a
        packet, latency, losses, allocations a packet, and memory a connection. Then it has pairs of
        clients with two devices each set calls up and end them.

          callhub-bench
          callhub-bench --calls 50 --seconds 2 --only relay
          callhub-bench --calls 500 --check --json bench.json
          callhub-bench --calls 0 --pairs 200

        --calls N,N,...      calls at once, one measurement each; 0: none   50,250,500
        --pairs N            pairs that set calls up and end them, as fast as it goes; 0: none   100
        --seconds N          measured seconds of a slice              5
        --slices N           slices of each program, in turns         3
        --hub-binary PATH    the hub                                  callhub, beside this program
        --hub-argument ARG   one more argument for the hub; may be repeated
        --relay-binary PATH  the yardstick                            bare-relay, beside this program
        --only hub|relay     leaves the other out
        --counter PATH       the library that counts allocations      libcallhub-allocations.so, beside
        --strace             counts system calls too, in slices of their own (wants strace)
        --json PATH          writes all figures there as JSON; - is standard output, without the table
        --check              exit code 1 when a threshold is missed
        --max-ratio X        the most CPU a packet, in yardsticks, at the most calls   1.3
        --help               this text

        Exit codes: 0 measured; 1 a threshold was missed (--check); 2 nothing was
        measured, or the generator did not keep pace with --check; 64 a wrong option.
        docs/performance.md says what each figure means.

        """
}
