import BrowserKit
import Testing

extension BrowserSuite {
    /// Tests of calls of browsers without WebCodecs, for which libopus codes in WebAssembly.
    struct WebAssemblyTests {
        @Test func `a page without WebCodecs and a page with it receive each other's audio`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.pairWithoutWebCodecs(pages)
                try await alice.waitToHear(PageTone.bob)
                try await bob.waitToHear(PageTone.alice)
                for (speaker, listener) in [(alice, bob), (bob, alice)] {
                    let latencySamples = try await listener.measureSweepLatency(from: speaker)
                    // A busy machine adds delay three times: when audio is sent, forwarded and played.
                    let lag = try await listener.value("bench.detector.reportLag(0)").number ?? 0
                    let age = try #require(latencySamples.quantile(0.5))
                    #expect(age < 300 + 3 * lag, "capture to playout, ms")
                }
                #expect(alice.requests.contains { $0.hasSuffix("/opus.wasm") })
                #expect(!bob.requests.contains { $0.contains("wasm") }, "a browser with WebCodecs loads none of it")
                #expect(try await alice.value("bench.events.filter(([name]) => name === \"problem\")") == [])
            }
        }

        @Test func `without WebCodecs, a lost packet in twenty leaves no gap in a tone`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let alice = try await environment.page(pages)
                let bob = try await environment.page(pages)
                try await bob.removeWebCodecs("&loses=20")
                try await alice.openClientTestPage(environment.hub.url, as: "alice", speaking: PageTone.alice)
                try await bob.openClientTestPage(environment.hub.url, as: "bob", speaking: PageTone.bob)
                try await alice.call("bob", at: bob)
                try await bob.waitToHear(PageTone.alice)
                let start = try await bob.now()
                try await bob.run("await bench.until(() => bench.detector.pitches.at(-1).at > \(start) + 5000);")
                let shares = try await bob.run(
                    """
                    const pitches = bench.detector.pitches.filter(({ at }) => at > \(start));
                    return [pitches.filter(({ rms }) => rms > 0.1).length / pitches.length, bench.hub.quality.concealed];
                    """
                )
                #expect((shares[0].number ?? 0) > 0.8, "\(shares)")
                // One in twenty of five seconds, in ms; without concealment the gaps are silent and do not count.
                #expect((shares[1].number ?? 0) >= 100, "\(shares)")
            }
        }

        @Test func `a browser without WebCodecs and WebAssembly reports that it has no audio`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.removeWebCodecs("&without=WebAssembly")
                try await page.runFirst("delete globalThis.WebAssembly;")
                try await page.open(environment.hub.url + "tests/bench.html")
                try await page.wait(for: "globalThis.bench?.isReady")
                let kind = try await page.value("bench.hub.audio.start().catch(({ kind }) => kind)")
                #expect(kind == "unsupported")
                try await page.wait(for: "bench.events.some(([, words]) => words.startsWith(\"Opus cannot be coded\"))")
            }
        }
    }
}

extension ChromiumPage {
    /// Takes WebCodecs away from the pages that this page loads, and from their worker; `more` is for worker-hooks.js.
    func removeWebCodecs(_ more: String = "") async throws {
        try await runFirst(
            """
            delete globalThis.AudioEncoder;
            delete globalThis.AudioDecoder;
            globalThis.Worker = class extends Worker {
                constructor(url, options) {
                    super("/tests/hooked-worker.js?without=AudioEncoder&without=AudioDecoder\(more)", options);
                }
            };
            """
        )
    }
}

extension BrowserTestEnvironment {
    /// Connects Alice, whose browser has no WebCodecs, and Bob, whose browser has it.
    fileprivate func pairWithoutWebCodecs(_ pages: OpenPages) async throws -> (ChromiumPage, ChromiumPage) {
        let alice = try await page(pages)
        let bob = try await page(pages)
        try await alice.removeWebCodecs()
        try await alice.openClientTestPage(hub.url, as: "alice", speaking: PageTone.alice)
        try await bob.openClientTestPage(hub.url, as: "bob", speaking: PageTone.bob)
        try await alice.call("bob", at: bob)
        return (alice, bob)
    }
}
