import BrowserKit
import Testing

extension BrowserSuite {
    /// Tests of the home screen: people, their presence, and the field that finds and calls them.
    struct PeopleTests {
        @Test func `the home screen shows who is here in words, and a tap on a row calls`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.scriptDirectory(house)
                let texts: JSON = [
                    "AL Ann Lee Available · Sales", "B Bob On a call", "C Cid Do Not Disturb · Sales", "D Dan Offline",
                ]
                try await page.wait(for: "JSON.stringify(\(rowTexts)) === JSON.stringify(texts)", ["texts": texts])
                try await page.noteCalls()
                try await page.choose("Call Bob")
                try await page.wait(for: "called.length")
                #expect(try await page.value("called") == ["bob"])
                // The call button is one place of a row, the page of the person the other.
                try await page.choose("About Ann Lee")
                try await page.wait(for: "document.querySelector(\".person-pane h1\")?.innerText === \"Ann Lee\"")
                #expect(try await page.value("called") == ["bob"])
            }
        }

        @Test func `a wide window has everyone in the place of calls, until a call comes, and no row above them moves`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages, width: 1280, height: 800)
                try await alice.scriptDirectory(house)
                try await alice.putContact("Zed", [["type": "generic", "value": "zed"]], ["favorite": true])
                let names = { (place: String) in
                    "[...document.querySelectorAll(\"\(place) .name\")].map(one => one.innerText).join()"
                }
                let (list, beside) = (names(".pane .people-list"), names(".stage .people-list"))
                try await alice.wait(for: "\(list) === \"Zed\" && \(beside) === \"Ann Lee,Bob,Cid,Dan\"")
                let top = "document.querySelector(\".pane .people-list .row\").getBoundingClientRect().top"
                let before = try await alice.value(top)
                for (width, isBeside) in [(1000, false), (1280, true)] {
                    try await alice.show(DisplaySettings(width: width, height: 800))
                    try await alice.wait(for: "(\(beside) !== \"\") === \(isBeside)")
                }
                try await alice.run("document.querySelector(\".stage [aria-label='About Cid']\").focus();")
                try await alice.press("Enter")
                try await alice.wait(for: "document.querySelector(\".person-pane\")")
                try await alice.choose("Back")
                try await alice.wait(for: "document.activeElement.ariaLabel === \"About Cid\"")
                try await alice.connect(bob)
                try await alice.wait(for: "\(beside) === \"\" && \(list).endsWith(\"Ann Lee,Bob,Cid,Dan\")")
                #expect(try await alice.value(top) == before)
                try await bob.run("await call.end();")
                try await alice.wait(for: "\(beside) === \"Ann Lee,Bob,Cid,Dan\"")
                try await alice.noteCalls()
                try await alice.choose("Call Dan", within: ".stage")
                try await alice.wait(for: "called.length")
                #expect(try await alice.value("called") == ["dan"])
            }
        }

        @Test(arguments: [(390, ".empty"), (1440, ".idle")])
        func `an empty home screen offers one test call`(width: Int, place: String) async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages, width: width, height: 844)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.noteCalls()
                try await page.wait(
                    for: "document.querySelector(\".empty\")?.innerText.includes(\"No contacts yet\")"
                )
                let seen =
                    "[...document.querySelectorAll(\".empty button, .idle button\")].filter(one => one.checkVisibility())"
                #expect(
                    try await page.value("\(seen).map(one => one.parentElement.className)") == [
                        .string(String(place.dropFirst()))
                    ]
                )
                try await page.choose("Test call", within: place)
                try await page.wait(for: "called.length")
                #expect(try await page.value("called") == ["echo"])
            }
        }

        @Test func `a change of presence changes the words of a row and moves no row until the list is opened`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.scriptDirectory(house)
                let names = "[...document.querySelectorAll(\".people-list .name\")].map(one => one.innerText).join()"
                try await page.wait(for: "\(names) === \"Ann Lee,Bob,Cid,Dan\"")
                let end = "new Date(new Date().setHours(23, 59, 0, 0)).toISOString()"
                try await page.run(
                    "tell([\"dan\", \"free\"], [\"ann\", \"doNotDisturb\", \(end)], [\"bob\", \"unheardOf\"]);"
                )
                try await page.wait(for: "\(rowTexts)[3] === \"D Dan Available\"")
                #expect(try await page.value("\(rowTexts)[1]") == "B Bob")
                let until = try await page.value("\(rowTexts)[0]").text ?? ""
                #expect(until.hasPrefix("AL Ann Lee Do Not Disturb until") && until.contains("59"), "\(until)")
                #expect(try await page.value(names) == "Ann Lee,Bob,Cid,Dan")
                try await page.press("2", modifiers: 1)
                try await page.press("1", modifiers: 1)
                try await page.wait(for: "\(names) === \"Ann Lee,Cid,Dan,Bob\"")
            }
        }

        @Test func `the people in sight are subscribed to, and anew on a new connection`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages, width: 390, height: 844)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.putContact("Eve", [["type": "generic", "value": "eve"]], ["favorite": true])
                try await page.scriptDirectory(house)
                let subscriptions = """
                    asked.filter(([method]) => method === "people.subscribe")
                        .map(([, { handles }]) => handles.map(({ value }) => value).sort().join())
                    """
                try await page.wait(for: "\(subscriptions).at(-1) === \"ann,bob,cid,dan,eve\"")
                try await page.run("(await import(\"/phone/actions.js\")).type(\"sales\");")
                try await page.wait(for: "\(subscriptions).at(-1) === \"ann,cid\"")
                try await page.run("(await import(\"/phone/actions.js\")).type(\"\");")
                try await page.wait(for: "\(subscriptions).at(-1) === \"ann,bob,cid,dan,eve\"")
                page.ignoreErrors("WebSocket connection to")
                environment.hub.kill()
                try await page.wait(for: "bench.hub.state === \"reconnecting\"")
                try await page.run("asked.length = 0;")
                try await environment.hub.start()
                try await page.wait(for: "\(subscriptions).at(-1) === \"ann,bob,cid,dan,eve\"", seconds: 30)
            }
        }

        @Test func `with a hub that has no directory the home screen has contacts and calls, and asks no more`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.scriptDirectory(nil)
                try await page.putContact("Eve", [["type": "generic", "value": "eve"]])
                try await page.wait(for: "JSON.stringify(\(rowTexts)) === `[\"E Eve\"]`")
                try await page.noteCalls()
                try await page.press("/")
                try await page.type("eve")
                try await page.press("Enter")
                try await page.wait(for: "called.length")
                #expect(try await page.value("called") == ["eve"])
                try await page.press("2", modifiers: 1)
                try await page.press("1", modifiers: 1)
                #expect(try await page.value("asked.filter(([method]) => method.startsWith(\"people.\")).length") == 1)
                #expect(try await page.value("document.body.innerText.includes(\"Method\")") == .bool(false))
            }
        }

        @Test func `the presence of another phone is shown as it changes`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await alice.press("2", modifiers: 1)
                try await alice.press("1", modifiers: 1)
                let isShown = { (text: String) in "\(rowTexts).some(row => row.startsWith(\"B bob \(text)\"))" }
                try await alice.wait(for: isShown("Available"))
                try await bob.run("globalThis.call = await bench.hub.call(\"echo\");")
                try await alice.wait(for: isShown("On a call"))
                try await bob.run("await call.end();")
                try await alice.wait(for: isShown("Available"))
                try await bob.run("await bench.hub.request(\"settings.set\", { doNotDisturb: true });")
                try await alice.wait(for: isShown("Do Not Disturb"))
            }
        }

        @Test func `a name and Enter call the only person found, and a favourite is above all others`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.noteCalls()
                try await page.putContact("Jürgen", [["type": "phoneNumber", "value": "+4930"]], ["favorite": true])
                try await page.putContact("Bob", [["type": "generic", "value": "bob"]])
                try await page.wait(for: "\(rowTexts).length === 2")
                #expect(try await page.value("\(rowTexts)[0]") == "J Jürgen +4930")
                for (typed, number) in [("jurgen", "+4930"), ("JÜR", "+4930"), ("Bob", "bob"), ("b", "bob")] {
                    try await page.run("document.querySelector(\"#dial-field\").focus();")
                    try await page.run("(await import(\"/phone/actions.js\")).type(typed);", ["typed": .string(typed)])
                    try await page.wait(for: "document.querySelector(\"[role=row][aria-selected=true]\")")
                    try await page.press("Enter")
                    try await page.wait(for: "called.length")
                    #expect(try await page.value("called.splice(0)") == [.string(number)], "\(typed)")
                }
                try await page.type("b")
                try await page.press("ArrowDown")
                try await page.wait(
                    for: "document.activeElement.getAttribute(\"aria-activedescendant\") === \"dial-1\""
                )
                try await page.press("Enter")
                #expect(try await page.value("called") == ["b"], "the second row calls what was typed")
            }
        }

        @Test func `Enter waits for the search of a large directory, and calls whom it finds`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.noteCalls()
                try await page.run(
                    """
                    const { request } = bench.hub;
                    const found = { handle: { type: "generic", value: "j.weber" }, name: "Jürgen Weber", presence: "free" };
                    bench.hub.request = async (method, params) => {
                        if (method !== "people.list") return request.call(bench.hub, method, params);
                        if (!params.search) return { people: [], next: "after" };
                        await new Promise((then) => (globalThis.answer = then));
                        return { people: [found] };
                    };
                    await (await import("/phone/presence.js")).loadPeople();
                    document.querySelector("#dial-field").focus();
                    """
                )
                try await page.type("Jürgen")
                try await page.press("Enter")
                try await page.wait(for: "Boolean(globalThis.answer)")
                #expect(try await page.value("called") == [])
                try await page.run("answer();")
                try await page.wait(for: "called.length")
                #expect(try await page.value("called") == ["j.weber"])
            }
        }

        @Test func `the field, the keypad and a result are in sight in any window`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.putContact("Bob", [["type": "generic", "value": "bob"]])
                try await page.choose("Keypad")
                try await page.run("(await import(\"/phone/actions.js\")).type(\"bob\");")
                for (width, height) in [(320, 568), (844, 390), (390, 844), (768, 1024), (1440, 900)] {
                    try await page.show(DisplaySettings(width: width, height: height))
                    let hidden = try await page.value(
                        """
                        [...document.querySelectorAll("#dial-field, .key, .dial-call button, [role=row] .person")]
                            .filter(one => {
                                const { x, y, width, height } = one.getBoundingClientRect();
                                const seen = document.elementFromPoint(x + width / 2, y + height / 2);
                                return !one.contains(seen) || Math.min(width, height) < 43;
                            }).map(one => one.ariaLabel)
                        """
                    )
                    #expect(hidden == [], "\(width) x \(height)")
                }
            }
        }
    }
}
