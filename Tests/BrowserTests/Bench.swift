import BrowserKit
import Foundation
import Testing

/// The tones of the tests' pages, in Hz: `tones` of sound.js.
enum Tone {
    static let alice = 440
    static let bob = 620
    static let carol = 1000
}

/// The library on a page of its own, and what a test does with it.
extension BrowserPage {
    /// Opens the bench: the library alone, its microphone a tone, or without one the sweep that tells the time.
    func openBench(_ url: String, as account: String, speaking hertz: Int?) async throws {
        try await open(url + "tests/bench.html")
        try await wait(for: "globalThis.bench?.isReady")
        let tone = hertz.map { JSON.number(Double($0)) } ?? .null
        let state = try await value("bench.begin(account, tone)", ["account": .string(account), "tone": tone])
        guard state == "online" else { throw BrowserError("\(account) is \(state)") }
    }

    /// Calls, and has the other accept; ends when both are connected.
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
    func hears(_ hertz: Int..., for milliseconds: Int = 1_000, patience: Int = 15_000) async throws {
        let wanted = JSON.array(hertz.sorted().map { .number(Double($0)) })
        try await run(
            "await bench.ear.hears(wanted, \(milliseconds), \(patience));",
            ["wanted": wanted],
            within: Double(patience) / 1_000 + 15
        )
    }

    /// The call with someone, for a statement that names it `call`.
    func onCall(with account: String, _ statements: String) async throws {
        try await run(
            "const call = await bench.call(call => call.remoteHandle?.value === account); \(statements)",
            ["account": .string(account)]
        )
    }

    /// The machine's clock, as the pages tell it: milliseconds since 1970.
    func now() async throws -> Double { try await value("Date.now()").number ?? 0 }

    /// How old what was heard was, by the sweep that the other speaks: all looks since a moment.
    func ages(since moment: Double) async throws -> [Age] {
        try await value("bench.ear.ages(moment)", ["moment": .number(moment)]).elements.compactMap { look in
            look[0].number.map { Age(at: $0, milliseconds: look[1].number) }
        }
    }
}

extension BrowserPage {
    /// Has the other speak the sweep, and listens to it for two seconds.
    func agesOfSweep(from speaker: some BrowserPage) async throws -> [Age] {
        try await speaker.run("bench.say(null);")
        // Until the tone of before is played out.
        try await run("await bench.until(() => bench.ear.looks.at(-1)?.hertz > 1100);")
        let start = try await now()
        try await run("await bench.until(() => bench.ear.looks.at(-1)?.at > \(start) + 2000);")
        return try await ages(since: start).settled
    }
}

/// A look at the sound heard.
struct Age: Sendable {
    /// Milliseconds since 1970.
    let at: Double
    /// Since it was said; nil: too soft to tell.
    let milliseconds: Double?
}

extension [Age] {
    /// What a share of the looks that tell something stay below; nil: none tells.
    func quantile(_ share: Double) -> Double? {
        let known = compactMap(\.milliseconds).sorted()
        return known.isEmpty ? nil : known[Int(Double(known.count - 1) * share)]
    }

    /// Those between two moments.
    func from(_ start: Double, until end: Double) -> [Age] {
        filter { $0.at >= start && $0.at < end }
    }

    /// Without the one or two looks that fit their neighbours not: where the sweep begins anew, and where pieces are joined.
    var settled: [Age] {
        indices.dropFirst(2).dropLast(2).map { index in
            let near = self[index - 2...index + 2].compactMap(\.milliseconds).sorted()
            let isKnown = self[index].milliseconds != nil && near.count > 2
            return Age(at: self[index].at, milliseconds: isKnown ? near[near.count / 2] : nil)
        }
    }
}
