import CommandLineTools
import HubEngine
import HubWire

/// `callhub replay`: replays the events that a hub has recorded.
package enum ReplayCommand {
    static let json = Option("--json", help: "one JSON object a line, for programs; see below")
    static let device = Option(
        "--device",
        value: "NAME",
        help: "only this device's requests and notifications: alice/phone, or alice for all of this account"
    )
    static let help = Option("--help", help: "this text")
    static let options = [json, device, help]

    /// Replays the whole event log; returns the process's exit code.
    package static func run(_ arguments: [String]) -> Int32 {
        do throws(UsageError) {
            let given = try Arguments(arguments, options: options)
            guard !given.has(help) else {
                Console.out(usage)
                return 0
            }
            guard let path = given.words.first, given.words.count == 1 else {
                throw UsageError("it takes one file, as `callhub serve --record-events` writes it; see --help.")
            }
            let output = BufferedOutput()
            let code: Int32
            do throws(UsageError) {
                code = try replay(path, json: given.has(json), device: given[device], write: output.write)
            } catch {
                output.flush()
                throw error
            }
            output.flush()
            guard output.hasFailed else { return code }
            Console.err("callhub replay: not all of it could be written to standard output.\n")
            return 2
        } catch {
            Console.err("callhub replay: \(error.message)\n")
            return 1
        }
    }

    /// Replays a file; returns 0, or 5 if an invariant was violated.
    static func replay(
        _ path: String,
        json: Bool,
        device: String?,
        rules: @escaping (Engine) -> [String] = { $0.violations() },
        write: @escaping (String) -> Void
    ) throws(UsageError) -> Int32 {
        var reader = try EventLogReader(path)
        var replay = Replay(reader.header, rules: rules)
        var printer = ReplayPrinter(json: json, device: device, version: callHubVersion, write: write)
        var count = 0
        printer.begin(reader.name, reader.header)
        while let entry = try reader.next() {
            count += 1
            for event in replay.take(entry, line: reader.line) { printer.show(event) }
        }
        printer.end(replay, events: count, isCutOff: reader.isCutOff, hubVersion: reader.header.hubVersion)
        guard replay.violationCount == 0 else { return 5 }
        if let device, !printer.hasShown {
            let known = replay.devices.prefix(10).map(\.shortDevice).joined(separator: ", ")
            throw UsageError(
                "\(reader.name) has no device \(quoted(device)); it has \(known.isEmpty ? "none" : known)."
            )
        }
        return 0
    }

    static let usage = """
        Usage: callhub replay FILE [OPTIONS]

        Replays a log of `callhub serve --record-events FILE`: every event goes through a fresh
        engine, at its time and without waiting, and what each device was told is printed. After every event the engine's
        rules are checked. FILE - is standard input.

        \(Arguments.table(options))
        A device is named account/device (of a UUID its first 8 digits). The number before an event is its line in FILE;
        #1, #2 … are calls, each side of a call being one of its own.

        Exit codes: 0 all rules kept; 1 an option or the file is wrong; 2 the output could not be written; 5 a rule of the
        engine is broken, which is a fault of the hub: please send in the file (it says who called whom and when, and what
        digits were keyed).

        Examples:
          callhub serve --record-events bug.jsonl        make the fault happen, then stop the hub by Ctrl-C
          callhub replay bug.jsonl                       what happened, and what each device was told
          callhub replay bug.jsonl --device alice/phone  what this device did and was told
          head -n 40 bug.jsonl | callhub replay -        up to line 40
          callhub replay bug.jsonl --json | jq -c 'select(.violations != [])'

        Lines of --json:
          line        the line in FILE (1 is its header)
          from        the device that it comes from, null: the hub
          came        the event, as it stands in FILE
          told        what follows, in order: to (the device, null: the hub) and one of
                        result or error                             (the answer to a request, as on the wire)
                        method and params                           (a notification, as on the wire, without its seq)
                        audioRoute: {obstacle, listeners, plays}    (where its packets go from now on)
                        sessionEnded, sessionClosing                (why)
                        lookUp, screen, wake, wakeOver, remember    (what the engine asks of the hub)
          violations  sentences; the rules that are broken now
        and the last one: {"summary": {events, devices, violations, isCutOff, hubVersion}}.

        """
}

/// Standard output with a buffer, since an event log has many lines.
private final class BufferedOutput {
    private var text = ""
    /// Indicates that a write failed; a truncated report must not pass for a complete one.
    private(set) var hasFailed = false

    func write(_ more: String) {
        text += more
        if text.utf8.count > 1 << 16 { flush() }
    }

    func flush() {
        if !Console.out(text) { hasFailed = true }
        text = ""
    }
}
