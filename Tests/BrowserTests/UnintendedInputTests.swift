import BrowserKit
import Testing

extension BrowserSuite {
    /// Tests that a tap or key meant for one thing does not act on another that has just appeared.
    struct UnintendedInputTests {
        @Test func `suggestions cover and move no key, and a tap on one that has just appeared calls nobody`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.run(
                    """
                    globalThis.called = [];
                    bench.hub.call = async (handle) => { called.push(handle.value); throw new Error("a test"); };
                    const { putContact } = await import("/phone/account.js");
                    for (const number of ["4711", "4712", "4713", "4714", "4715", "4716"]) {
                        const handles = [{ type: "phoneNumber", value: number }];
                        await putContact({ identifier: number, name: `Bob ${number}`, handles, favorite: true });
                    }
                    """
                )
                try await page.choose("Keypad")
                try await page.wait(for: "document.querySelectorAll(\".people-list .row\").length === 6")
                try await page.run("globalThis.keypadSince = performance.now();")
                try await page.wait(for: "performance.now() - keypadSince > 300")
                for (width, height) in [(360, 740), (360, 560), (844, 390), (1280, 800)] {
                    try await page.show(DisplaySettings(width: width, height: height))
                    try await page.handArrives(at: ".dial-pad")
                    let size: Comment = "\(width) x \(height)"
                    let keys = try await page.value(Self.keys)
                    let seen = try await page.run(
                        Self.tap + "tap(key(\"4\")); await null; return [\(Self.coveredKeys), tap(options()[0])];"
                    )
                    #expect(seen[0] == [], size)
                    #expect(seen[1].isTrue, "there is a suggestion to tap")
                    #expect(try await page.value("called") == [], size)
                    #expect(try await page.value("document.querySelector(\"#dial-field\").value") == "4")
                    #expect(try await page.value(Self.keys) == keys, size)
                    try await page.run("(await import(\"/phone/actions.js\")).type(\"\");")
                }
                try await page.run(Self.tap + "tap(key(\"4\"));")
                // As soon as it is no longer new, it is a button like any other.
                try await page.wait(for: Self.tapping("options()[0]", until: "called.length"))
                #expect(try await page.value("called[0]") == "4711")
            }
        }

        @Test func `a tap on a row of the home screen that has just moved calls nobody`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages, width: 390, height: 844)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.noteCalls()
                try await page.putContact("Bob", [["type": "generic", "value": "bob"]])
                let bob = "document.querySelector(\"[aria-label^='Call Bob']\")"
                // The row has been there for a while.
                try await page.wait(for: Self.tapping(bob, until: "called.length"))
                try await page.run(
                    Self.tap + """
                        called.length = 0;
                        const { change, state } = await import("/phone/state.js");
                        const handles = [{ type: "generic", value: "ann" }];
                        const ann = { identifier: "ann", name: "Ann", handles, favorite: true };
                        change({ contacts: [ann, ...state.contacts] });
                        await null;
                        tap(\(bob));
                        """
                )
                #expect(try await page.value("called") == [])
                try await page.wait(for: Self.tapping(bob, until: "called.length"))
            }
        }

        @Test func `a tap on a sheet or on a call's card that has just appeared does nothing`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await alice.run(
                    Self.tap + """
                        (await import("/phone/state.js")).change({ overlay: "shortcuts" });
                        await null;
                        tap(document.querySelector(".sheet .icon-close").closest("button"));
                        """
                )
                #expect(try await alice.value("Boolean(document.querySelector(\".sheet\"))").isTrue)
                try await alice.press("Escape")
                try await alice.run(
                    Self.tap + """
                        globalThis.tapped = 0;
                        new MutationObserver(() => {
                            const all = document.querySelectorAll(".choice");
                            if (!tapped) all.forEach(tap);
                            tapped += all.length;
                        }).observe(document.body, { childList: true, subtree: true });
                        """
                )
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.wait(for: "tapped")
                // The hub performs requests in their order: a choice would have been made before this one's answer.
                try await alice.run("await bench.hub.request(\"settings.get\");")
                #expect(try await alice.value("bench.hub.calls.map(call => call.state)") == ["ringing"])
                let decline = "document.querySelector(\".decline\")"
                try await alice.wait(for: Self.tapping(decline, until: "bench.hub.calls.length === 0"))
            }
        }

        @Test func `an incoming call leaves the focus, the keys and the open form to their user`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await alice.press("1", modifiers: 1)
                try await alice.choose("New contact")
                try await alice.wait(for: "document.querySelector(\".sheet .field input\")")
                try await alice.run("document.querySelector(\".sheet .field input\").focus();")
                try await alice.type("Dan")
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.wait(for: "document.querySelector(\"[role=alertdialog]\")")
                let typing = "document.activeElement.matches(\".sheet .field input\")"
                #expect(try await alice.value(typing).isTrue)
                try await alice.secondOfCardPasses()
                try await alice.type(" da")
                #expect(try await alice.value(typing).isTrue)
                #expect(try await alice.value("document.activeElement.value") == "Dan da")
                #expect(
                    try await alice.value("document.querySelector(\"[role=alert]\").innerText").text?.contains("bob")
                        == true,
                    "screen readers announce it"
                )
                try await alice.run(
                    """
                    document.body.append(Object.assign(document.createElement("p"), { id: "p", contentEditable: true }));
                    document.querySelector("#p").focus();
                    """
                )
                try await alice.type("da")
                #expect(try await alice.value("document.querySelector(\"#p\").innerText") == "da")
                try await alice.run("document.querySelector(\"#p\").remove();")
                try await alice.run("await bench.hub.request(\"settings.get\");")
                #expect(try await alice.value("bench.hub.calls.map(call => call.state)") == ["ringing"])
                try await alice.press("Enter")
                try await alice.press("Tab")
                #expect(try await alice.value("document.activeElement.matches(\".choice\")").isTrue)
                try await alice.press("d")
                try await bob.wait(for: "call.cause === \"declined\"")
                try await alice.wait(for: "!document.querySelector(\"[role=alertdialog]\")")
                #expect(try await alice.value("document.querySelector(\".sheet .field input\").value") == "Dan da")
            }
        }

        @Test func `in the first second of a call's card, its keys do nothing`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await alice.run(
                    """
                    globalThis.pressed = 0;
                    new MutationObserver(() => {
                        if (pressed || !document.querySelector("[role=alertdialog]")) return;
                        const press = (key) => document.activeElement.dispatchEvent(
                            new KeyboardEvent("keydown", { key, code: `Key${key}`, bubbles: true, cancelable: true }));
                        for (const key of ["a", "d", "Enter"]) press(key);
                        pressed += 1;
                    }).observe(document.body, { childList: true, subtree: true });
                    """
                )
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.wait(for: "pressed")
                try await alice.run("await bench.hub.request(\"settings.get\");")
                #expect(try await alice.value("bench.hub.calls.map(call => call.state)") == ["ringing"])
                try await alice.secondOfCardPasses()
                try await alice.press("a")
                try await bob.wait(for: "call.state === \"connected\"")
            }
        }

        /// Returns an expression that taps an element and is truthy when a condition is true.
        private static func tapping(_ element: String, until condition: String) -> String {
            "(() => { \(tap) tap(\(element)); return \(condition); })()"
        }

        /// The rectangles of all keys of the keypad and the call button.
        private static let keys = """
            [...document.querySelectorAll(".dial-pad button")]
                .map(one => JSON.stringify(one.getBoundingClientRect()))
            """

        /// The keys at whose centre there is something else.
        private static let coveredKeys = """
            [...document.querySelectorAll(".dial-pad .key, .dial-call .green")].filter(one => {
                const { x, y, width, height } = one.getBoundingClientRect();
                return !one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
            }).map(one => one.ariaLabel)
            """

        /// Defines `tap`, a tap by a finger at this moment, which no slow machine delays.
        static let tap = """
            const tap = (element, part = 0.5) => {
                if (!element) return false;
                const { x, y, width, height } = element.getBoundingClientRect();
                const [clientX, clientY] = [x + width / 2, y + height * part];
                const init = { bubbles: true, cancelable: true, clientX, clientY };
                element.dispatchEvent(new PointerEvent("pointerdown", init));
                element.dispatchEvent(new MouseEvent("click", { ...init, detail: 1 }));
                return true;
            };
            const key = (name) => [...document.querySelectorAll(".key")].find(one => one.ariaLabel === name);
            const options = () => document.querySelectorAll("[role=row] .person");

            """
    }
}

extension BrowserTestEnvironment {
    /// Opens the phone as Alice, and the bench as Bob, who can call her.
    func phoneAndCaller(_ pages: OpenPages, width: Int = 1280, height: Int = 800) async throws -> (
        alice: ChromiumPage, bob: ChromiumPage
    ) {
        let alice = try await page(pages, width: width, height: height)
        try await alice.signIn(by: "alice", at: hub.url, speaking: PageTone.alice)
        return (alice, try await caller("bob", pages))
    }

    /// Opens the bench of another party.
    func caller(_ name: String, _ pages: OpenPages) async throws -> ChromiumPage {
        let other = try await page(pages)
        try await other.openClientTestPage(hub.url, as: name, speaking: PageTone.bob)
        return other
    }
}

extension ChromiumPage {
    /// Waits until a control has been there for as long as taps on it, and keys that would act on it, are ignored.
    func handArrives(at selector: String) async throws {
        try await wait(for: "document.querySelector(`\(selector)`)")
        try await run("globalThis.controlSince = performance.now();")
        try await wait(for: "performance.now() - controlSince > 350")
    }

    /// Waits until the card of an incoming call has been there for the second in which it takes no keys.
    func secondOfCardPasses() async throws {
        // The page counts from the frame that shows the card, which may come later than the card.
        try await run("globalThis.cardSince = null;")
        let since = "(cardSince ??= document.querySelector(\"[role=alertdialog]\") && performance.now())"
        try await wait(for: "\(since) && performance.now() - cardSince > 1300")
    }
}
