import BrowserKit
import Testing

extension BrowserSuite {
    /// Tests that a key meant for one call or button does not act on another that has taken its place.
    struct LateKeyTests {
        @Test func `Enter presses no button to which the focus has come by itself until it has been there`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                let carol = try await environment.caller("carol", pages)
                try await alice.answer(bob)
                try await alice.run("document.querySelector(\".hang-up .round\").focus();")
                try await carol.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.wait(for: "document.querySelector(\".choice\")")
                try await alice.run(
                    Self.press + """
                        document.querySelector(".choice").focus();
                        addEventListener("focusin", ({ target }) => {
                            if (target.closest(".hang-up")) globalThis.isTaken = press("Enter");
                        });
                        """
                )
                try await carol.run("await call.end();")
                try await alice.wait(for: "globalThis.isTaken !== undefined")
                #expect(try await alice.value("isTaken") == false, "it was meant for the incoming call")
                try await alice.wait(for: "press(\"Enter\")")
            }
        }

        @Test func `Enter that was meant for an incoming call does not call whom the field names`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await alice.noteCalls()
                try await alice.run("document.querySelector(\"#dial-field\").focus();")
                try await alice.type("carol")
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.wait(for: "document.querySelector(\".choice\")")
                try await alice.run(
                    Self.press + """
                        document.querySelector(".choice").focus();
                        addEventListener("focusin", ({ target }) => {
                            if (target.id === "dial-field") press("Enter");
                            globalThis.isBack = target.id === "dial-field";
                        });
                        """
                )
                try await bob.run("await call.end();")
                try await alice.wait(for: "globalThis.isBack")
                #expect(try await alice.value("called") == [])
                try await alice.wait(for: "(press(\"Enter\"), called.length)")
                #expect(try await alice.value("called") == ["carol"])
            }
        }

        @Test func `Enter that was meant for what is gone and has no place for the focus calls nobody`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.noteCalls()
                try await page.run("document.querySelector(\"#dial-field\").focus();")
                try await page.type("carol")
                try await page.run(
                    Self.press + """
                        document.activeElement.blur();
                        const { focusInstead } = await import("/phone/guard.js");
                        // As a card of a call is that another page covers.
                        const card = document.createElement("article");
                        Object.assign(card, { tabIndex: -1, hidden: true });
                        document.body.append(card);
                        focusInstead(card);
                        press("Enter");
                        """
                )
                #expect(try await page.value("called") == [])
                try await page.wait(for: "(press(\"Enter\"), called.length)")
                #expect(try await page.value("called") == ["carol"])
            }
        }

        @Test func `no key goes to a field that the calls cover`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages, width: 390, height: 740)
                try await alice.noteCalls()
                try await alice.run("document.querySelector(\"#dial-field\").focus();")
                try await alice.type("carol")
                try await alice.answer(bob)
                try await alice.run(
                    Self.press + """
                        globalThis.phone = await import("/phone/state.js");
                        phone.change({ showsCalls: true });
                        await null;
                        document.activeElement.blur();
                        for (const key of ["Enter", "5"]) press(key);
                        globalThis.covered = [phone.state.showsCalls, phone.state.dial.text, [...called]];
                        phone.change({ showsCalls: false });
                        await null;
                        """
                )
                #expect(try await alice.value("covered") == [true, "carol", []])
                try await alice.wait(for: "(press(\"Enter\"), called.length)")
                #expect(try await alice.value("called") == ["carol"])
            }
        }

        @Test func `Enter presses a button at once to which its user has moved the focus`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.run(
                    Self.press + """
                        addEventListener("focusin", ({ target }) => {
                            if (target.matches("button")) globalThis.isTaken = press("Enter");
                        });
                        """
                )
                for _ in 0..<20 where try await page.value("globalThis.isTaken ?? null") == .null {
                    try await page.press("Tab")
                }
                #expect(try await page.value("isTaken").isTrue)
            }
        }

        @Test func `a letter that comes as one call ends does not act on the call that takes its place`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                let carol = try await environment.caller("carol", pages)
                try await alice.answer(carol)
                try await alice.run("await bench.hub.calls[0].hold();")
                try await alice.wait(for: "bench.hub.calls[0].state === \"held\"")
                try await alice.answer(bob)
                try await alice.run(
                    Self.press + """
                        const { state, subscribe } = await import("/phone/state.js");
                        globalThis.keys = 0;
                        subscribe(() => {
                            if (keys || state.calls.length !== 1) return;
                            for (const key of ["e", "h"]) press(key);
                            keys += 1;
                        });
                        """
                )
                try await bob.run("await call.end();")
                try await alice.wait(for: "keys")
                // The hub performs requests in their order: the call would have ended before this one's answer.
                try await alice.run("await bench.hub.request(\"settings.get\");")
                #expect(try await alice.value("bench.hub.calls.map(call => call.state)") == ["held"])
                try await alice.wait(for: "(press(\"e\"), bench.hub.calls.length === 0)")
            }
        }

        /// Defines `press`, a key that is pressed at this moment; it returns false if a button does not take it.
        private static let press = """
            globalThis.press = (key) => document.activeElement.dispatchEvent(
                new KeyboardEvent("keydown", { key, code: key, bubbles: true, cancelable: true }));

            """
    }
}

extension ChromiumPage {
    /// Waits for the call of another party, and answers it.
    fileprivate func answer(_ other: ChromiumPage) async throws {
        try await other.run("globalThis.call = await bench.hub.call(\"alice\");")
        try await wait(for: "bench.hub.calls.some((call) => call.state === \"ringing\" && call.choices.length)")
        try await run("await bench.hub.calls.find((call) => call.state === \"ringing\").accept();")
        try await other.wait(for: "call.state === \"connected\"")
        try await wait(for: "document.querySelector(\".controls\") && !document.querySelector(\".choice\")")
    }
}
