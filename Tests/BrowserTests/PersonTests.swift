import BrowserKit
import Testing

extension BrowserSuite {
    /// Tests of a person's page, and of what the phone says and asks about its own user.
    struct PersonTests {
        @Test func `a person's page has a call button for each handle, and changes the contact`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.noteCalls()
                let handles: JSON = [
                    ["type": "generic", "value": "bob"], ["type": "phoneNumber", "value": "+49 30 1"],
                ]
                try await page.putContact("Bob", handles)
                try await page.choose("About Bob")
                try await page.wait(for: "document.activeElement.matches(\".person-pane\")")
                try await page.choose("Call Bob, +49 30 1", within: ".person-pane")
                try await page.wait(for: "called.length")
                #expect(try await page.value("called") == ["+49 30 1"])
                try await page.choose("About Bob")
                let stored = "(await bench.hub.request(\"contacts.list\")).contacts"
                for (index, member) in ["favorite", "breaksThroughDoNotDisturb"].enumerated() {
                    let selector = "document.querySelectorAll(\".person-pane [role=switch]\")[\(index)]"
                    try await page.run("\(selector).click();")
                    try await page.wait(for: "\(stored)[0].\(member) === true")
                }
                try await page.press("Escape")
                try await page.wait(for: "!document.querySelector(\".person-pane\")")
            }
        }

        @Test func `somebody of the directory becomes a contact when they become a favourite`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.scriptDirectory(house)
                try await page.choose("About Ann Lee")
                let head = "document.querySelector(\".person-head\").innerText.split(/\\s*\\n+/)"
                try await page.wait(for: "document.querySelector(\".person-head\")")
                #expect(try await page.value(head) == ["AL", "Ann Lee", "Sales · Server directory", "Available"])
                try await page.run("document.querySelector(\".person-pane [role=switch]\").click();")
                let stored = "(await bench.hub.request(\"contacts.list\")).contacts"
                try await page.wait(for: "\(stored).length")
                #expect(try await page.value("\(stored)[0].name") == "Ann Lee")
                #expect(try await page.value("\(stored)[0].handles[0].value") == "ann")
                try await page.wait(
                    for: "document.querySelector(\".people-list\").innerText.startsWith(\"Fav\")"
                )
                #expect(try await page.value("\(rowTexts).length") == 4, "and is there once")
            }
        }

        @Test func `each presence has a dot in sight, and a person's page on a low window is alone there`() async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages, width: 844, height: 390)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.scriptDirectory(
                    """
                    ["free", "onCall", "away", "doNotDisturb", "offline"].map(presence =>
                        ({ handle: { type: "generic", value: presence }, name: presence, presence }))
                    """
                )
                let isVisible = "one => one.checkVisibility({ visibilityProperty: true })"
                let dots = "[...document.querySelectorAll(\".people-list .dot\")]"
                try await page.wait(for: "\(dots).length === 5")
                #expect(try await page.value("\(dots).every(\(isVisible))").isTrue)
                try await page.choose("About away")
                try await page.wait(for: "document.querySelector(\".person-pane\")")
                #expect(try await page.value("\(dots).some(\(isVisible))") == false)
                try await page.choose("Back")
                try await page.show(DisplaySettings(width: 1280, height: 800))
                #expect(try await page.value("\(dots).every(\(isVisible))").isTrue)
            }
        }

        @Test func `block asks first, and the calls with a person are on their page`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.wait(for: "document.querySelector(\"[role=alertdialog]\")")
                try await alice.secondOfCardPasses()
                try await alice.press("d")
                try await bob.wait(for: "call.cause === \"declined\"")
                try await alice.press("2", modifiers: 1)
                try await alice.choose("About bob")
                try await alice.wait(for: "document.querySelectorAll(\".person-pane time\").length === 1")
                #expect(
                    try await alice.value("document.querySelector(\".person-pane\").innerText.includes(\"Declined\")")
                        .isTrue
                )
                let blocked = "(await bench.hub.request(\"block.list\")).handles.map(({ value }) => value)"
                try await alice.choose("Block", within: ".person-pane")
                try await alice.wait(for: "document.querySelector(\".person-pane .danger\")")
                #expect(try await alice.value(blocked) == [])
                try await alice.choose("Press again", within: ".person-pane")
                try await alice.choose("Unblock bob", within: ".person-pane")
                try await alice.wait(for: "\(blocked).length === 0")
            }
        }

        @Test func `on a telephone the page of a person covers the list, which stays where it was`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages, width: 390, height: 844)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                let many = """
                    Array.from({ length: 40 }, (_, index) => ({ handle: { type: "generic", value: `p${index}` },
                        name: `Person ${String(index).padStart(2, "0")}`, presence: "free" }))
                    """
                try await page.scriptDirectory(many)
                try await page.wait(for: "\(rowTexts).length === 40")
                let top = "document.querySelector(\".people-list\").scrollTop"
                try await page.run("document.querySelector(\".people-list\").scrollTop = 900;")
                try await page.run("document.querySelector(\"[aria-label='About Person 20']\").focus();")
                try await page.handArrives(at: "[aria-label='About Person 20']:focus")
                let before = try await page.value(top)
                try await page.press("Enter")
                try await page.wait(for: "document.activeElement.matches(\".person-pane\")")
                let isListed = "document.querySelector(\".people-list\").checkVisibility({ visibilityProperty: true })"
                #expect(try await page.value(isListed) == .bool(false))
                try await page.choose("Back")
                try await page.wait(for: "document.activeElement.ariaLabel === \"About Person 20\"")
                #expect(try await page.value(top) == before)
                try await page.show(DisplaySettings(width: 1440, height: 900))
                try await page.run("document.querySelector(\"[aria-label='About Person 20']\").focus();")
                try await page.press("Enter")
                try await page.wait(for: "document.querySelector(\".person-pane\")")
                #expect(try await page.value(isListed).isTrue, "on a wide window they are beside each other")
                let icons = "[...document.querySelectorAll(\".back .icon\")].map(one => one.checkVisibility())"
                #expect(try await page.value(icons) == [false, true], "there is nothing to go back to")
                try await page.choose("Back")
                try await page.wait(for: "document.activeElement.ariaLabel === \"About Person 20\"")
            }
        }

        @Test func `Do Not Disturb is shown on the home screen and in the tab bar, and one tap ends it`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                let settings = "(await bench.hub.request(\"settings.get\"))"
                let words = "document.querySelector(\".people-list .banner\")?.innerText.trim()"
                let tab = "document.querySelectorAll(\".tab\")[2].ariaLabel"
                let ready = "document.querySelector(\".readiness\").innerText.trim()"
                #expect(try await page.value("\(ready)") == "Ready for calls")
                for change in ["{ doNotDisturb: true }", "{ device: { doNotDisturb: true } }"] {
                    try await page.run("await bench.hub.request(\"settings.set\", \(change));")
                    try await page.run("await (await import(\"/phone/account.js\")).loadSettings();")
                    try await page.wait(for: "\(words)?.startsWith(\"Do Not Disturb\")")
                    let texts = try await page.value("[\(tab), \(ready)]")
                    #expect(texts == ["Settings, Do Not Disturb", "Do Not Disturb"])
                    try await page.choose("Turn off")
                    try await page.wait(for: "!\(words)")
                    let isOn = try await page.value("\(settings).doNotDisturb || \(settings).device.doNotDisturb")
                    #expect(isOn == .bool(false))
                }
                try await page.run(
                    """
                    const hours = { days: ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] };
                    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
                    const clock = (shift) => new Date(Date.now() + shift * 3.6e6).toTimeString().slice(0, 5);
                    await bench.hub.request("settings.set",
                        { timeZone, quietHours: [{ ...hours, from: clock(-1), to: clock(1) }] });
                    await (await import("/phone/account.js")).loadSettings();
                    """
                )
                try await page.wait(for: "\(words)?.startsWith(\"Do Not Disturb until \")")
                #expect(try await page.value("\(tab).startsWith(\"Settings, Do Not Disturb until \")").isTrue)
                try await page.choose("Turn off")
                try await page.wait(for: "!\(words)")
                let skipped = try await page.value("Date.parse(\(settings).quietHoursSkippedUntil) > Date.now()")
                #expect(skipped.isTrue, "until the end of these")
                #expect(try await page.value("\(settings).quietHours.length") == 1, "they come again")
                #expect(try await page.value("\(ready)") == "Ready for calls")
            }
        }

        @Test func `after five minutes without input the hub is told that the user is away, then that they are back`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.send(
                    "Page.addScriptToEvaluateOnNewDocument",
                    [
                        "source": """
                        const later = setTimeout;
                        globalThis.late = [];
                        globalThis.setTimeout = (body, delay, ...more) =>
                            delay === 300000 ? late.push(body) : later(body, delay, ...more);
                        """
                    ]
                )
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.scriptDirectory(house)
                let told = "asked.filter(([method]) => method === \"presence.set\").map(([, { isAway }]) => isAway)"
                try await page.run(
                    """
                    const { now } = Date;
                    Date.now = () => now() + 300000;
                    late.splice(0).forEach(body => body());
                    Date.now = now;
                    """
                )
                #expect(try await page.value(told) == [true])
                try await page.press("Shift")
                #expect(try await page.value(told) == [true, false])
            }
        }

        @Test func `signing out during a call asks first`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.openSettings(environment)
                try await page.run("await bench.hub.call(\"echo\");")
                try await page.wait(for: "bench.hub.calls[0]?.state === \"connected\"")
                try await page.run("(await import(\"/phone/actions.js\")).openTab(\"settings\");")
                try await page.choose("Sign out")
                try await page.wait(for: "document.querySelector(\".account .danger\")")
                #expect(try await page.value("bench.hub.calls[0].state") == "connected")
                try await page.choose("Your call ends")
                try await page.wait(for: "document.querySelector(\"input[name=account]\")")
            }
        }

        @Test(arguments: [(320, 568), (390, 844), (844, 390), (1280, 800)])
        func `the button that deletes all data stays under the pointer when it asks`(width: Int, height: Int)
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages, width: width, height: height)
                try await page.openSettings(environment)
                try await page.choose("Your data")
                try await page.wait(for: "document.querySelector(\".sheet > .small.red\")")
                try await page.show(DisplaySettings(width: width, height: height))
                try await page.run("document.querySelector(\".sheet > .small.red\").scrollIntoView();")
                let place = """
                    (({ x, y, width, height }) => [Math.round(y), Math.round(height), x + width / 2, y + height / 2])(
                        document.querySelector(".sheet > .small:is(.red, .danger)").getBoundingClientRect())
                    """
                let before = try await page.value(place)
                let isThere = "document.elementFromPoint(\(before[2]), \(before[3])).closest(\".sheet > .small\")"
                #expect(try await page.value("\(isThere)?.matches(\".red\")") == true)
                try await page.choose("Delete all my data")
                try await page.wait(for: "document.querySelector(\".sheet > .danger\")")
                let after = try await page.value(place)
                #expect(after.elements.prefix(2) == before.elements.prefix(2))
                #expect(try await page.value("\(isThere)?.matches(\".danger\")") == true)
            }
        }

        @Test func `without a call nothing leads back to calls`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages, width: 390, height: 844)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.run("globalThis.call = await bench.hub.call(\"echo\");")
                try await page.run("(await import(\"/phone/actions.js\")).openTab(\"people\");")
                try await page.wait(for: "document.querySelector(\".return-bar\")")
                try await page.run("await call.end();")
                try await page.wait(for: "bench.hub.calls.length === 0")
                let isOffered = try await page.run(
                    """
                    const { change } = await import("/phone/state.js");
                    change({ ended: [{ uuid: call.uuid, call, at: Date.now() }], showsCalls: false });
                    await null;
                    await null;
                    return [document.querySelectorAll(".held-card, .return-bar").length,
                        document.querySelectorAll(".return-bar").length];
                    """
                )
                #expect(isOffered == [1, 0], "the ended call is there, and nothing leads to it from a list")
            }
        }
    }
}
