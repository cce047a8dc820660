extension Options {
    /// The text that `--help` prints.
    static let help = """
        callhub-bench: what a relayed packet costs the hub, beside other programs

        Starts the hub and relays that know no calls, in turns, drives each with the
        same two-party calls of 50 packets a second each way, and prints CPU time a
        packet, latency, losses, allocations a packet, and memory a connection. Then
        it has pairs of clients with two devices each set calls up and end them.

          callhub-bench
          callhub-bench --calls 50 --seconds 2 --programs callhub,bare-relay
          callhub-bench --calls 50,500,1000@25,2000@12 --system-calls --half-load --check
          callhub-bench --calls 0 --pairs 200

        --calls N[@R],...    calls at once, one measurement each; with @R clients send R
                             packets a second; 0: none          50,250,500
        --rate R             packets a second where --calls does not say   50
        --pairs N            pairs that set calls up and end them, as fast as it goes; 0: none   100
        --seconds N          measured seconds of a slice          5
        --slices N           slices of each program, in turns     3
        --programs A,B,...   of \(ProgramUnderTest.names.joined(separator: ", ").wrapped)
                             all
        --hub-binary PATH    the hub                              callhub, beside this program
        --hub-argument ARG   one more argument for the hub; may be repeated
        --competitors DIR    the relays that are scripts          Benchmarks/Competitors
        --python PATH        a Python with websockets             .build/venv/bin/python
        --node PATH          a Node with ws                       /usr/bin/node
        --counter PATH       the library that counts allocations  libcallhub-allocations.so, beside
        --system-calls       counts system calls too, in slices of their own (wants root)
        --half-load          looks for the most calls that the hub carries, and measures with half
        --json PATH          writes all figures there as JSON; - is standard output, without the table
        --check              exit code 1 when a threshold is missed
        --help               this text

        Exit codes: 0 measured; 1 a threshold was missed (--check); 2 nothing was
        measured, or the generator did not keep pace with --check; 64 a wrong option.
        docs/performance.md says what each figure means.

        """
}

extension String {
    /// Returns the text with one line break in the middle, so that the column of the options stays narrow.
    fileprivate var wrapped: String {
        let names = split(separator: " ")
        let half = names.count / 2
        return names[..<half].joined(separator: " ") + "\n                     " + names[half...].joined(separator: " ")
    }
}
