import BrowserKit
import Testing

extension InBrowser {
    /// Tests in Firefox, which only `make test-browser` runs.
    @Suite(.enabled(if: isThorough, "make test-browser runs them"))
    struct FirefoxTests {
        @Test func `Firefox runs a page and its sound`() async throws {
            let hub = try await BrowserHub()
            let firefox = try await Firefox()
            let page = try await firefox.page()
            try await page.open(hub.url + "tests/harness.html?module=harness.js")
            try await page.run(
                """
                const { Ear, mouth } = await import("/tests/sound.js");
                const context = new AudioContext({ sampleRate: 48000 });
                const node = await mouth(context, 620);
                const ear = await Ear.on(node);
                await ear.hears([620], 1000);
                """
            )
            #expect(page.complaints == [])
        }

        @Test func `Chromium and Firefox hear each other, and not themselves, within 300 ms`() async throws {
            try await Stage.set { stage, pages in
                let firefox = try await Firefox()
                let bob = try await firefox.page()
                pages.all.append(bob)
                let alice = try await stage.page(pages)
                try await alice.openBench(stage.hub.url, as: "alice", speaking: Tone.alice)
                try await bob.openBench(stage.hub.url, as: "bob", speaking: Tone.bob)
                try await alice.call("bob", at: bob)
                try await alice.hears(Tone.bob)
                try await bob.hears(Tone.alice)
                try await alice.onCall(with: "bob", "await call.hold();")
                try await alice.hears()
                try await alice.onCall(with: "bob", "await call.resume();")
                try await bob.hears(Tone.alice)
                for (ages, words) in try await [
                    (alice.agesOfSweep(from: bob), "to Chromium"), (bob.agesOfSweep(from: alice), "to Firefox"),
                ] {
                    let worst = try #require(ages.quantile(0.95))
                    #expect(worst < 300, "\(words), ms; half of it \(ages.quantile(0.5) ?? -1)")
                }
            }
        }
    }
}
