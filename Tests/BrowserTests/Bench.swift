import BrowserKit
import Foundation
import Testing

/// The tones of the tests' pages, in Hz: `tones` of tones.js.
enum PageTone {
    static let alice = 440
    static let bob = 620
    static let carol = 1000
}

/// The test steps of the bench, a page that has the client library and no user interface.
extension BrowserPage {
    /// Opens the bench; its microphone is a tone, or without one the sweep that carries the time.
    func openClientTestPage(_ url: String, as account: String, speaking hertz: Int?) async throws {
        try await open(url + "tests/bench.html")
        try await wait(for: "globalThis.bench?.isReady")
        let tone = hertz.map { JSON.number(Double($0)) } ?? .null
        let state = try await value("bench.begin(account, tone)", ["account": .string(account), "tone": tone])
        guard state == "online" else { throw BrowserError("\(account) is \(state)") }
    }

    /// Places a call that the other page accepts, and waits until both are connected.
    func call(_ account: String, at other: some BrowserPage, choosing choice: String? = nil) async throws {
        try await run("await bench.hub.call(account);", ["account": .string(account)])
        try await other.run(
            """
            const call = await bench.call(call => !call.isOutgoing && call.state === "ringing" && call.choices.length);
            await (choice ? call.choose(choice) : call.accept());
            await bench.until(() => call.state === "connected", 15000, () => call.state);
            """,
            ["choice": choice.map { .string($0) } ?? .null]
        )
        try await run(
            "await bench.call(call => call.state === \"connected\" && call.remoteHandle.value === account);",
            ["account": .string(account)]
        )
    }

    /// Waits until exactly these tones are heard for a second.
    func waitToHear(_ hertz: Int..., for milliseconds: Int = 1_000, timeout: Int = 45_000) async throws {
        let wanted = JSON.array(hertz.sorted().map { .number(Double($0)) })
        try await run(
            "await bench.detector.waitForTones(wanted, \(milliseconds), \(timeout));",
            ["wanted": wanted],
            within: Double(timeout) / 1_000 + 15
        )
    }

    /// Runs statements in which `call` is the call with an account.
    func onCall(with account: String, _ statements: String) async throws {
        try await run(
            "const call = await bench.call(call => call.remoteHandle?.value === account); \(statements)",
            ["account": .string(account)]
        )
    }

    /// Returns the machine's clock as the page reads it, in milliseconds since 1970.
    func now() async throws -> Double { try await value("Date.now()").number ?? 0 }

    /// Returns the latency of the audio heard, measured by the other page's sweep, in all samples since a moment.
    func latencySamples(since moment: Double) async throws -> [LatencySample] {
        try await value("bench.detector.latencies(moment)", ["moment": .number(moment)]).elements.compactMap { look in
            look[0].number.map { LatencySample(at: $0, milliseconds: look[1].number) }
        }
    }
}

extension BrowserPage {
    /// Lets the other page send the sweep, and measures the latency for two seconds.
    func measureSweepLatency(from speaker: some BrowserPage) async throws -> [LatencySample] {
        try await speaker.run("bench.setTone(null);")
        // Wait until the buffered tone of before is played out.
        try await run("await bench.until(() => bench.detector.pitches.at(-1)?.hertz > 1100);")
        let start = try await now()
        try await run("await bench.until(() => bench.detector.pitches.at(-1)?.at > \(start) + 2000);")
        return try await latencySamples(since: start).medianFiltered
    }
}

/// A sample of the latency of the audio heard.
struct LatencySample: Sendable {
    /// The time of the sample in milliseconds since 1970.
    let at: Double
    /// The latency in milliseconds; nil: too soft to measure.
    let milliseconds: Double?
}

extension [LatencySample] {
    /// Returns a quantile (0...1) of the measured latencies in milliseconds; nil: none was measured.
    func quantile(_ share: Double) -> Double? {
        let known = compactMap(\.milliseconds).sorted()
        return known.isEmpty ? nil : known[Int(Double(known.count - 1) * share)]
    }

    /// Returns the samples of a time range, in milliseconds since 1970, without its end.
    func from(_ start: Double, until end: Double) -> [LatencySample] {
        filter { $0.at >= start && $0.at < end }
    }

    /// The samples with each latency replaced by the median of five neighbouring samples.
    ///
    /// That removes the one or two outliers where the sweep restarts, and where pieces of audio are joined.
    var medianFiltered: [LatencySample] {
        indices.dropFirst(2).dropLast(2).map { index in
            let near = self[index - 2...index + 2].compactMap(\.milliseconds).sorted()
            let isKnown = self[index].milliseconds != nil && near.count > 2
            return LatencySample(at: self[index].at, milliseconds: isKnown ? near[near.count / 2] : nil)
        }
    }
}
