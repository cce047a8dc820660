import BrowserKit
import Testing

extension BrowserSuite {
    /// Tests of the client library's calls in real pages; the audio that each page plays is measured.
    struct CallTests {
        @Test func `two pages receive each other's audio and not their own, within 300 ms`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.connectedPair(pages)
                try await alice.waitToHear(PageTone.bob)
                try await bob.waitToHear(PageTone.alice)
                for (speaker, listener) in [(alice, bob), (bob, alice)] {
                    let latencySamples = try await listener.measureSweepLatency(from: speaker)
                    #expect(latencySamples.count > 50)
                    // A busy machine adds delay three times: when audio is sent, forwarded and played.
                    let lag = try await listener.value("bench.detector.reportLag(0)").number ?? 0
                    let age = try #require(latencySamples.quantile(isThorough ? 0.95 : 0.5))
                    #expect(
                        age < 300 + (isThorough ? 0 : 3 * lag),
                        "capture to playout, ms; half of it \(latencySamples.quantile(0.5) ?? -1)"
                    )
                }
            }
        }

        @Test func `hold stops the audio both ways, resume restores it`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.connectedPair(pages)
                try await bob.waitToHear(PageTone.alice)
                try await alice.onCall(with: "bob", "await call.hold();")
                // Bob's own wait may have music, but never Alice.
                try await alice.waitToHear()
                try await bob.run("await bench.until(() => bench.hub.calls[0].remoteIsOnHold);")
                let start = try await bob.now()
                try await bob.run("await bench.until(() => bench.detector.levels.at(-1).at > \(start) + 1500);")
                let heard = try await bob.value("bench.detector.sharesSince(\(start) + 500)")
                #expect((heard["shares"]["\(PageTone.alice)"].number ?? 1) < 0.2, "\(heard)")
                try await alice.onCall(with: "bob", "await call.resume();")
                try await bob.waitToHear(PageTone.alice)
                try await alice.waitToHear(PageTone.bob)
            }
        }

        @Test func `mute stops the audio in one direction only`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.connectedPair(pages)
                try await alice.onCall(with: "bob", "await call.mute();")
                try await bob.waitToHear()
                try await alice.waitToHear(PageTone.bob)
                try await alice.onCall(with: "bob", "await call.unmute();")
                try await bob.waitToHear(PageTone.alice)
            }
        }

        @Test func `pages whose audio rests are heard from the first word`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let alice = try await environment.page(pages)
                let bob = try await environment.page(pages)
                try await alice.openClientTestPage(environment.hub.url, as: "alice", speaking: PageTone.alice)
                try await bob.openClientTestPage(environment.hub.url, as: "bob", speaking: PageTone.bob)
                for page in [alice, bob] {
                    try await page.wait(for: "bench.hub.audio.context.state === \"suspended\"")
                    try await page.run(
                        """
                        bench.hub.addEventListener("calls", () => {
                            if (bench.hub.calls[0]?.state === "connected") bench.connectedAt ??= Date.now();
                        });
                        """
                    )
                }
                #expect(try await bob.value("bench.hub.audio.state") == "on", "a rest is no interruption")
                try await alice.call("bob", at: bob)
                for (page, tone) in [(alice, PageTone.bob), (bob, PageTone.alice)] {
                    try await page.waitToHear(tone)
                    let first = try await page.value(
                        """
                        bench.detector.pitches.find(({ at, rms }) => at > bench.connectedAt - 100 && rms > 0.05).at
                            - bench.connectedAt
                        """
                    )
                    // The jitter buffer begins with 100 ms.
                    #expect((first.number ?? .infinity) < (isThorough ? 400 : 1_500), "ms after the call was connected")
                }
                try await alice.run("await bench.hub.calls[0].end();")
                for page in [alice, bob] {
                    try await page.wait(for: "bench.hub.audio.context.state === \"suspended\"")
                }
            }
        }

        @Test func `the documentation's example signs in, calls and hangs up`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.open(environment.hub.url + "example/")
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

        @Test func `a swap activates the audio of one of two calls, a merge that of both`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.connectedPair(pages)
                let carol = try await environment.page(pages)
                try await carol.openClientTestPage(environment.hub.url, as: "carol", speaking: PageTone.carol)
                try await carol.call("alice", at: alice, choosing: "holdAndAccept")
                try await alice.waitToHear(PageTone.carol)
                try await carol.waitToHear(PageTone.alice)
                for tone in [PageTone.bob, PageTone.carol] {
                    try await alice.run("await bench.hub.swap();")
                    try await alice.waitToHear(tone)
                }
                try await alice.run("await bench.hub.merge();")
                try await alice.waitToHear(PageTone.bob, PageTone.carol)
                try await bob.waitToHear(PageTone.alice, PageTone.carol)
                try await carol.waitToHear(PageTone.alice, PageTone.bob)
            }
        }

        @Test func `a page reloaded during a call resumes the call`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.connectedPair(pages)
                try await bob.waitToHear(PageTone.alice)
                let uuid = try await alice.value("bench.hub.calls[0].uuid")
                try await alice.reload()
                try await alice.wait(for: "globalThis.bench?.isReady")
                #expect(try await alice.value("bench.restore(\(PageTone.alice))").isTrue)
                #expect(
                    try await alice.value("bench.call(call => call.state === \"connected\").then(c => c.uuid)") == uuid
                )
                try await bob.waitToHear(PageTone.alice)
                try await alice.waitToHear(PageTone.bob)
            }
        }

        @Test func `after the hub was killed, pages reconnect by themselves and can call again`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.connectedPair(pages)
                try await bob.waitToHear(PageTone.alice)
                for page in pages.all { page.ignoreErrors("WebSocket connection to") }
                environment.hub.kill()
                for page in pages.all {
                    try await page.run("await bench.until(() => bench.hub.state === \"reconnecting\");")
                }
                try await environment.hub.start()
                for page in pages.all {
                    try await page.run(
                        """
                        await bench.until(() => bench.hub.state === "online" && bench.hub.calls.length === 0, 30000);
                        """,
                        within: 40
                    )
                }
                try await alice.call("bob", at: bob)
                try await alice.waitToHear(PageTone.bob)
                try await bob.waitToHear(PageTone.alice)
            }
        }

        @Test(.timeLimit(.minutes(4)))
        func `a hidden tab continues to send and play audio`() async throws {
            let seconds = isThorough ? 120.0 : 6.0
            try await BrowserTestEnvironment.set(.full) { environment, pages in
                let (alice, bob) = try await environment.connectedPair(pages)
                try await bob.waitToHear(PageTone.alice)
                let front = try await alice.hide()
                let start = try await bob.now() + 500
                try await bob.run(
                    "await bench.until(() => bench.detector.levels.at(-1).at > \(start) + \(seconds * 1_000), 200000);",
                    within: seconds + 30
                )
                for (page, tone) in [(bob, PageTone.alice), (alice, PageTone.bob)] {
                    let heard = try await page.value("bench.detector.sharesSince(\(start))")
                    #expect((heard["shares"]["\(tone)"].number ?? 0) > (isThorough ? 0.98 : 0.8), "\(heard)")
                }
                #expect(try await alice.value("document.hidden").isTrue)
                let reports = try await alice.run(
                    """
                    let reports = 0;
                    bench.hub.addEventListener("levels", () => reports++);
                    for (let second = 0; second < 3; second++) {
                        await new Promise(then => bench.hub.addEventListener("quality", then, { once: true }));
                    }
                    return reports;
                    """
                )
                #expect((reports.number ?? .infinity) <= 4, "levels that nobody sees")
                try await front.close()
            }
        }

        @Test(.timeLimit(.minutes(4)))
        func `forty successive calls leak no resources`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.connectedPair(pages)
                var memories: [PageMemory] = []
                for number in 0...40 {
                    try await bob.waitToHear(PageTone.alice, for: 200)
                    try await alice.run("await bench.hub.calls[0].end();")
                    for page in [alice, bob] {
                        try await page.run("await bench.until(() => bench.hub.calls.length === 0);")
                    }
                    // The first calls allocate permanent objects.
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

extension BrowserTestEnvironment {
    /// Opens the benches of Alice and Bob, each with a tone, and connects them by a call from Alice.
    func connectedPair(_ pages: OpenPages) async throws -> (ChromiumPage, ChromiumPage) {
        let alice = try await page(pages)
        let bob = try await page(pages)
        try await alice.openClientTestPage(hub.url, as: "alice", speaking: PageTone.alice)
        try await bob.openClientTestPage(hub.url, as: "bob", speaking: PageTone.bob)
        try await alice.call("bob", at: bob)
        return (alice, bob)
    }
}
