import BrowserKit
import Testing

extension InBrowser {
    /// Tests of the client library's calls in real pages; the audio that each page plays is measured.
    struct CallTests {
        @Test func `two pages hear each other and not themselves, within 300 ms`() async throws {
            try await Stage.set { stage, pages in
                let (alice, bob) = try await stage.connectedPair(pages)
                try await alice.hears(Tone.bob)
                try await bob.hears(Tone.alice)
                for (speaker, listener) in [(alice, bob), (bob, alice)] {
                    let ages = try await listener.agesOfSweep(from: speaker)
                    #expect(ages.count > 50)
                    // A machine that is busy takes its time three times: when it is said, passed on and heard.
                    let lag = try await listener.value("bench.ear.lag(0)").number ?? 0
                    let age = try #require(ages.quantile(isThorough ? 0.95 : 0.5))
                    #expect(
                        age < 300 + (isThorough ? 0 : 3 * lag),
                        "mouth to ear, ms; half of it \(ages.quantile(0.5) ?? -1)"
                    )
                }
            }
        }

        @Test func `hold silences both, resume lets both be heard`() async throws {
            try await Stage.set { stage, pages in
                let (alice, bob) = try await stage.connectedPair(pages)
                try await bob.hears(Tone.alice)
                try await alice.onCall(with: "bob", "await call.hold();")
                // Bob's own wait may have music, but never Alice.
                try await alice.hears()
                try await bob.run("await bench.until(() => bench.hub.calls[0].remoteIsOnHold);")
                let start = try await bob.now()
                try await bob.run("await bench.until(() => bench.ear.chords.at(-1).at > \(start) + 1500);")
                let heard = try await bob.value("bench.ear.since(\(start) + 500)")
                #expect((heard["shares"]["\(Tone.alice)"].number ?? 1) < 0.2, "\(heard)")
                try await alice.onCall(with: "bob", "await call.resume();")
                try await bob.hears(Tone.alice)
                try await alice.hears(Tone.bob)
            }
        }

        @Test func `mute silences one, the other is heard on`() async throws {
            try await Stage.set { stage, pages in
                let (alice, bob) = try await stage.connectedPair(pages)
                try await alice.onCall(with: "bob", "await call.mute();")
                try await bob.hears()
                try await alice.hears(Tone.bob)
                try await alice.onCall(with: "bob", "await call.unmute();")
                try await bob.hears(Tone.alice)
            }
        }

        @Test func `the example of the docs signs in, calls and hangs up`() async throws {
            try await Stage.set { stage, pages in
                let page = try await stage.page(pages)
                try await page.open(stage.hub.url + "example/")
                try await page.run(
                    "document.querySelector(\"[name=account]\").value = \"ann\"; document.querySelector(\"form button\").click();"
                )
                try await page.wait(for: "!document.querySelector(\"#dial\").hidden")
                try await page.click("#dial button")
                try await page.wait(for: "document.querySelector(\"li\")?.textContent.startsWith(\"echo: connected\")")
                try await page.click("li button")
                try await page.wait(for: "!document.querySelector(\"li\")")
            }
        }

        @Test func `swap lets one of two be heard, merge both`() async throws {
            try await Stage.set { stage, pages in
                let (alice, bob) = try await stage.connectedPair(pages)
                let carol = try await stage.page(pages)
                try await carol.openBench(stage.hub.url, as: "carol", speaking: Tone.carol)
                try await carol.call("alice", at: alice, choosing: "holdAndAccept")
                try await alice.hears(Tone.carol)
                try await carol.hears(Tone.alice)
                for tone in [Tone.bob, Tone.carol] {
                    try await alice.run("await bench.hub.swap();")
                    try await alice.hears(tone)
                }
                try await alice.run("await bench.hub.merge();")
                try await alice.hears(Tone.bob, Tone.carol)
                try await bob.hears(Tone.alice, Tone.carol)
                try await carol.hears(Tone.alice, Tone.bob)
            }
        }

        @Test func `a reload in mid-call takes the call up again`() async throws {
            try await Stage.set { stage, pages in
                let (alice, bob) = try await stage.connectedPair(pages)
                try await bob.hears(Tone.alice)
                let uuid = try await alice.value("bench.hub.calls[0].uuid")
                try await alice.reload()
                try await alice.wait(for: "globalThis.bench?.isReady")
                #expect(try await alice.value("bench.comeBack(\(Tone.alice))").isTrue)
                #expect(
                    try await alice.value("bench.call(call => call.state === \"connected\").then(c => c.uuid)") == uuid
                )
                try await bob.hears(Tone.alice)
                try await alice.hears(Tone.bob)
            }
        }

        @Test func `after the hub was killed pages are back by themselves and call again`() async throws {
            try await Stage.set { stage, pages in
                let (alice, bob) = try await stage.connectedPair(pages)
                try await bob.hears(Tone.alice)
                for page in pages.all { page.forgive("WebSocket connection to") }
                stage.hub.kill()
                for page in pages.all {
                    try await page.run("await bench.until(() => bench.hub.state === \"reconnecting\");")
                }
                try await stage.hub.start()
                for page in pages.all {
                    try await page.run(
                        """
                        await bench.until(() => bench.hub.state === "online" && bench.hub.calls.length === 0, 30000);
                        """,
                        within: 40
                    )
                }
                try await alice.call("bob", at: bob)
                try await alice.hears(Tone.bob)
                try await bob.hears(Tone.alice)
            }
        }

        @Test(.timeLimit(.minutes(4)))
        func `a hidden tab goes on speaking and hearing`() async throws {
            let seconds = isThorough ? 120.0 : 6.0
            try await Stage.set(.whole) { stage, pages in
                let (alice, bob) = try await stage.connectedPair(pages)
                try await bob.hears(Tone.alice)
                let front = try await alice.hide()
                let start = try await bob.now() + 500
                try await bob.run(
                    "await bench.until(() => bench.ear.chords.at(-1).at > \(start) + \(seconds * 1_000), 200000);",
                    within: seconds + 30
                )
                for (page, tone) in [(bob, Tone.alice), (alice, Tone.bob)] {
                    let heard = try await page.value("bench.ear.since(\(start))")
                    #expect((heard["shares"]["\(tone)"].number ?? 0) > (isThorough ? 0.98 : 0.9), "\(heard)")
                }
                #expect(try await alice.value("document.hidden").isTrue)
                try await front.close()
            }
        }

        @Test(.timeLimit(.minutes(4)))
        func `forty calls one after another leave nothing behind`() async throws {
            try await Stage.set { stage, pages in
                let (alice, bob) = try await stage.connectedPair(pages)
                var memories: [PageMemory] = []
                for number in 0...40 {
                    try await bob.hears(Tone.alice, for: 200)
                    try await alice.run("await bench.hub.calls[0].end();")
                    for page in [alice, bob] {
                        try await page.run("await bench.until(() => bench.hub.calls.length === 0);")
                    }
                    // The first calls allocate what is kept for good.
                    if number == 8 || number == 40 { memories.append(try await alice.memory()) }
                    if number < 40 { try await alice.call("bob", at: bob) }
                }
                let (before, after) = (memories[0], memories[1])
                #expect(after.nodes <= before.nodes + 8, "\(before) \(after)")
                #expect(after.listeners <= before.listeners + 8, "\(before) \(after)")
                // The samples that the test's own tone detector keeps in a minute take less than a megabyte.
                #expect(after.heapBytes < before.heapBytes + 2_000_000, "\(before) \(after)")
            }
        }
    }
}

extension Stage {
    /// Opens the benches of Alice and Bob, each with a tone, and connects them by a call from Alice.
    func connectedPair(_ pages: Pages) async throws -> (ChromiumPage, ChromiumPage) {
        let alice = try await page(pages)
        let bob = try await page(pages)
        try await alice.openBench(hub.url, as: "alice", speaking: Tone.alice)
        try await bob.openBench(hub.url, as: "bob", speaking: Tone.bob)
        try await alice.call("bob", at: bob)
        return (alice, bob)
    }
}
