import BrowserKit
import Testing

extension BrowserSuite {
    /// Tests of the card of an incoming call: its choices and its place.
    struct IncomingCallTests {
        @Test func `only the user's own press ends a conversation for an incoming call, and its button says whose`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                let carol = try await environment.caller("carol", pages)
                let dan = try await environment.caller("dan", pages)
                for (party, choice) in [(bob, "Accept"), (carol, "Hold & accept")] {
                    try await party.run("globalThis.call = await bench.hub.call(\"alice\");")
                    try await alice.choose(choice)
                    try await party.wait(for: "call.state === \"connected\"")
                }
                try await dan.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.wait(for: "document.querySelectorAll(\".choice\").length === 3")
                let names = "[...document.querySelectorAll(\".choice.accept\")].map(one => one.innerText.trim())"
                for (language, wanted) in [
                    ("ko", ["carol 통화 종료 및 응답", "bob 통화 종료 및 응답"]),
                    ("cs", ["Ukončit hovor (carol) a přijmout", "Ukončit hovor (bob) a přijmout"]),
                    ("en", ["End carol & accept", "End bob & accept"]),
                ] as [(String, JSON)] {
                    try await alice.run(
                        """
                        (await import("/phone/preferences.js")).setPreferences({ language });
                        (await import("/phone/text.js")).loadLanguage();
                        (await import("/phone/state.js")).change();
                        """,
                        ["language": .string(language)]
                    )
                    #expect(try await alice.value(names) == wanted)
                }
                let icons = "new Set([...document.querySelectorAll(\".choice .disc\")].map(one => one.innerHTML)).size"
                #expect(try await alice.value(icons) == 3)
                try await alice.secondOfCardPasses()
                for key in ["a", "Enter", " "] as [Key] { try await alice.press(key) }
                try await alice.run(
                    """
                    const { uuid: callUUID } = bench.hub.calls.find(call => call.state === "ringing");
                    const data = { type: "choice", callUUID, choice: "accept" };
                    navigator.serviceWorker.dispatchEvent(new MessageEvent("message", { data }));
                    await bench.hub.request("settings.get");
                    """
                )
                let states = "bench.hub.calls.map(call => `${call.remoteHandle.value} ${call.state}`)"
                #expect(try await alice.value(states) == ["bob held", "carol connected", "dan ringing"])
                try await bob.run("await call.end();")
                try await alice.wait(for: "document.querySelector(\".choice.accept\").ariaKeyShortcuts === \"A\"")
                try await alice.press("a")
                try await alice.wait(for: "\(states).join() === \"carol held,dan connected\"")
            }
        }

        @Test func `Decline is on the left and Accept on the right, far apart`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages, width: 360, height: 740)
                let carol = try await environment.caller("carol", pages)
                for (party, choices) in [(bob, 2), (carol, 3)] {
                    try await party.run("globalThis.call = await bench.hub.call(\"alice\");")
                    try await alice.wait(for: "document.querySelectorAll(\".choice\").length === \(choices)")
                    try await expectFarApart(alice, choices)
                    if choices > 2 { break }
                    try await alice.choose("Accept")
                    try await party.wait(for: "call.state === \"connected\"")
                }
            }
        }

        @Test func `of two callers Decline and Accept are far apart, too`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                let carol = try await environment.caller("carol", pages)
                for party in [bob, carol] { try await party.run("await bench.hub.call(\"alice\");") }
                try await alice.wait(for: "document.querySelectorAll(\".caller .choice\").length === 4")
                try await expectFarApart(alice, 2)
            }
        }

        /// Expects that in windows of many sizes each caller's Decline is far to the left of the other choices.
        private func expectFarApart(_ page: ChromiumPage, _ choices: Int) async throws {
            for (width, height) in [
                (320, 640), (360, 740), (430, 932), (844, 390), (800, 700), (870, 700), (940, 700), (1280, 800),
            ] {
                try await page.show(DisplaySettings(width: width, height: height))
                let callers = try await page.value(
                    """
                    [...document.querySelectorAll(".caller")].map(caller => [...caller.querySelectorAll(".choice")].map(one => {
                        one.scrollIntoView({ behavior: "instant" });
                        const { left, right, width, height } = one.getBoundingClientRect();
                        return { left, right, isLarge: Math.min(width, height) >= 44, name: one.innerText };
                    }))
                    """
                )
                for places in callers.elements {
                    #expect(places.elements.count == choices)
                    #expect(places[0]["name"] == "Decline")
                    for place in places.elements.dropFirst() {
                        let gap = (place["left"].number ?? 0) - (places[0]["right"].number ?? 0)
                        #expect(gap >= 96, "\(width) x \(height): \(places)")
                        #expect(place["isLarge"].isTrue, "\(place)")
                    }
                }
            }
        }

        @Test func `on a wide window the running call stays in sight while another one rings`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                let carol = try await environment.caller("carol", pages)
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.choose("Accept")
                try await bob.wait(for: "call.state === \"connected\"")
                try await carol.run("await bench.hub.call(\"alice\");")
                try await alice.wait(for: "document.querySelectorAll(\".choice\").length === 3")
                for (width, height) in [(900, 700), (1280, 800), (1920, 1080)] {
                    try await alice.show(DisplaySettings(width: width, height: height))
                    let hidden = try await alice.value(
                        """
                        [...document.querySelectorAll(".main-card :is(h2, [role=timer], button), .choice")].filter(one => {
                            const { x, y, width, height } = one.getBoundingClientRect();
                            return !one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
                        }).map(one => one.innerText)
                        """
                    )
                    #expect(hidden == [], "\(width) x \(height)")
                }
            }
        }
    }
}
