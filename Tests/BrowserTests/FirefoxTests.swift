import BrowserKit
import Testing

extension BrowserSuite {
    /// Tests in Firefox, which only `make test-browser` runs.
    @Suite(.enabled(if: isThorough, "make test-browser runs them"))
    struct FirefoxTests {
        @Test func `Firefox loads a page and plays its audio`() async throws {
            let hub = try await BrowserHub()
            let firefox = try await Firefox()
            let page = try await firefox.page()
            try await page.open(hub.url + "tests/harness.html?module=harness.js")
            try await page.run(
                """
                const { createToneSource, ToneDetector } = await import("/tests/tones.js");
                const context = new AudioContext({ sampleRate: 48000 });
                const node = await createToneSource(context, 620);
                const detector = await ToneDetector.on(node);
                await detector.waitForTones([620], 1000);
                """
            )
            #expect(page.loggedErrors == [])
        }

        @Test func `Chromium and Firefox receive each other's audio, and not their own, within 300 ms`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let firefox = try await Firefox()
                let bob = try await firefox.page()
                pages.all.append(bob)
                let alice = try await environment.page(pages)
                try await alice.openClientTestPage(environment.hub.url, as: "alice", speaking: PageTone.alice)
                try await bob.openClientTestPage(environment.hub.url, as: "bob", speaking: PageTone.bob)
                try await alice.call("bob", at: bob)
                try await alice.waitToHear(PageTone.bob)
                try await bob.waitToHear(PageTone.alice)
                try await alice.onCall(with: "bob", "await call.hold();")
                try await alice.waitToHear()
                try await alice.onCall(with: "bob", "await call.resume();")
                try await bob.waitToHear(PageTone.alice)
                for (latencySamples, words) in try await [
                    (alice.measureSweepLatency(from: bob), "to Chromium"),
                    (bob.measureSweepLatency(from: alice), "to Firefox"),
                ] {
                    let worst = try #require(latencySamples.quantile(0.95))
                    #expect(worst < 300, "\(words), ms; half of it \(latencySamples.quantile(0.5) ?? -1)")
                }
            }
        }
    }
}
