import BrowserKit
import Testing

extension BrowserSuite {
    /// Tests what the monkey has found, one fault at a time, and the page's log of acts on calls.
    struct InputMeaningTests {
        @Test func `the page's log names the input and the control of each act on a call, and no one's handle`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.secondOfCardPasses()
                try await alice.press("d")
                try await bob.wait(for: "call.cause === \"declined\"")
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.secondOfCardPasses()
                try await alice.click(".choice.decline")
                try await bob.wait(for: "call.cause === \"declined\"")
                let log = try await alice.value("import(\"/phone/acts.js\").then(({ acts }) => acts)")
                #expect(log.elements.map { $0["act"] } == ["decline", "decline"])
                #expect(log.elements.map { $0["by"] } == ["key", "tap"])
                #expect(log[0]["key"] == "d")
                #expect(log[0]["calls"][0] != log[1]["calls"][0])
                #expect(log[1]["control"].text?.contains("decline") == true)
                #expect(log[1]["shown"].number ?? 0 >= 900, "in ms, when the pointer went down: \(log[1])")
                #expect(log[1]["place"].elements.count == 4)
                let report = try await alice.value("import(\"/phone/diagnostics.js\").then(one => one.report())").text
                #expect(report?.contains(#""act":"decline""#) == true)
                #expect(report?.contains("bob") == false)
            }
        }

        @Test func `Space on a button of a call's card decides nothing in the card's first second`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                // No machine is so slow that this card's second passes.
                try await alice.run(
                    """
                    globalThis.clock = performance.now;
                    performance.now = () => clock.call(performance) + 600_000;
                    """
                )
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.wait(for: "document.querySelector(\"[role=alertdialog]\")")
                try await alice.run("performance.now = clock;")
                try await alice.decideBySpace()
                try await alice.run("await bench.hub.request(\"settings.get\");")
                #expect(try await alice.value("bench.hub.calls.map(call => call.state)") == ["ringing"])
                try await bob.run("await call.end();")
                try await alice.wait(for: "!document.querySelector(\"[role=alertdialog]\")")
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.secondOfCardPasses()
                try await alice.decideBySpace()
                try await alice.wait(for: "!bench.hub.calls.some(call => call.state === \"ringing\")")
            }
        }

        @Test func `the first second of a call's card begins when a busy page shows it`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await alice.run(
                    """
                    const { ringingCalls, subscribe } = await import("/phone/state.js");
                    subscribe(() => {
                        if (globalThis.isPressed !== undefined || ringingCalls().length === 0) return;
                        globalThis.isPressed = false;
                        const end = performance.now() + 1100;
                        while (performance.now() < end);
                        setTimeout(() => {
                            document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "d", code: "KeyD", bubbles: true }));
                            globalThis.isPressed = true;
                        });
                    });
                    """
                )
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.wait(for: "globalThis.isPressed")
                try await alice.run("await bench.hub.request(\"settings.get\");")
                #expect(try await alice.value("bench.hub.calls.map(call => call.state)") == ["ringing"])
            }
        }

        @Test func `Space put down in the first second of a call's card decides nothing when it is released later`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                // The card's first second lasts for five: until then a slow machine has put the key down.
                try await alice.run(
                    """
                    globalThis.clock = performance.now;
                    performance.now = () => clock.call(performance) + 4000;
                    """
                )
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.wait(for: "document.querySelector(\"[role=alertdialog]\")")
                try await alice.run("performance.now = clock; globalThis.cardAt = performance.now();")
                try await alice.run("document.querySelector(\"[role=alertdialog] button\").focus();")
                let space: [String: JSON] = ["key": " ", "code": "Space", "windowsVirtualKeyCode": 32]
                let down = space.merging(["type": "keyDown", "text": " "]) { $1 }
                try await alice.send("Input.dispatchKeyEvent", .object(down))
                try await alice.wait(for: "performance.now() - cardAt > 5100")
                let up = space.merging(["type": "keyUp"]) { $1 }
                try await alice.send("Input.dispatchKeyEvent", .object(up))
                try await alice.run("await bench.hub.request(\"settings.get\");")
                #expect(try await alice.value("bench.hub.calls.map(call => call.state)") == ["ringing"])
            }
        }

        @Test func `a card that comes back when the sheet of its texts is closed takes keys at once`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.secondOfCardPasses()
                try await alice.choose("Message")
                try await alice.wait(for: "document.querySelector(\".sheet\")")
                #expect(try await alice.value("document.querySelector(\".caller\")") == .null)
                try await alice.run(
                    """
                    const press = (key) => document.activeElement.dispatchEvent(
                        new KeyboardEvent("keydown", { key, code: key, bubbles: true, cancelable: true }));
                    press("Escape");
                    await null;
                    globalThis.isBack = document.querySelector(".caller") !== null;
                    press("a");
                    """
                )
                #expect(try await alice.value("isBack").isTrue)
                try await bob.wait(for: "call.state === \"connected\"")
            }
        }

        @Test func `a switch that has just appeared takes no tap`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.run(
                    """
                    globalThis.tapSwitch = () => {
                        const input = document.querySelector(".switch input");
                        const { x, y } = input.getBoundingClientRect();
                        const init = { bubbles: true, cancelable: true, clientX: x + 5, clientY: y + 5 };
                        input.dispatchEvent(new PointerEvent("pointerdown", init));
                        input.dispatchEvent(new MouseEvent("click", { ...init, detail: 1 }));
                        return input.checked;
                    };
                    (await import("/phone/actions.js")).openTab("settings");
                    await null;
                    globalThis.wasOn = document.querySelector(".switch input").checked;
                    globalThis.isOn = tapSwitch();
                    """
                )
                try await page.wait(for: "isOn === wasOn && tapSwitch() !== wasOn")
            }
        }

        @Test(arguments: [1, 2])
        func `what a card has covered takes no tap that was meant for a call that has ended`(calls: Int) async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages, width: 360, height: 740)
                try await alice.press("3", modifiers: 1)
                try await alice.wait(for: "document.querySelector(\".switch input\")")
                try await alice.run(
                    """
                    const { set } = await import("/phone/account.js");
                    globalThis.tapSwitch = () => {
                        const row = document.querySelector(".switch");
                        const { x, y } = row.getBoundingClientRect();
                        const init = { bubbles: true, cancelable: true, clientX: x + 5, clientY: y + 5 };
                        row.dispatchEvent(new PointerEvent("pointerdown", init));
                        row.dispatchEvent(new MouseEvent("click", { ...init, detail: 1 }));
                        return row.querySelector("input").checked;
                    };
                    globalThis.wasOn = document.querySelector(".switch input").checked;
                    new MutationObserver((records) => {
                        const isGone = records.some(({ removedNodes }) => (
                            [...removedNodes].some((node) => node.matches?.(".incoming, .caller"))));
                        if (isGone) globalThis.isOn = tapSwitch();
                    }).observe(document.body, { childList: true, subtree: true });
                    """
                )
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                if calls > 1 {
                    let carol = try await environment.caller("carol", pages)
                    try await carol.run("await bench.hub.call(\"alice\");")
                }
                try await alice.wait(for: "document.querySelectorAll(\".caller\").length === \(calls)")
                try await bob.run("await call.end();")
                try await alice.wait(for: "globalThis.isOn !== undefined")
                #expect(try await alice.value("isOn === wasOn").isTrue)
                try await alice.wait(for: "tapSwitch() !== wasOn")
            }
        }

        @Test(arguments: [1, 2])
        func `a call that goes gives the focus to the sheet that was opened after it had come`(calls: Int) async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                if calls > 1 {
                    let carol = try await environment.caller("carol", pages)
                    try await carol.run("await bench.hub.call(\"alice\");")
                }
                try await alice.wait(for: "document.querySelectorAll(\".caller\").length === \(calls)")
                try await alice.secondOfCardPasses()
                try await alice.press("?")
                try await alice.wait(for: "document.activeElement.closest(\".sheet\")")
                // The card has made room for the sheet, and its buttons are new places.
                try await alice.secondOfCardPasses()
                try await alice.click(".choice.decline")
                try await alice.wait(for: "document.querySelectorAll(\".caller\").length === \(calls - 1)")
                #expect(try await alice.value("Boolean(document.activeElement.closest(\".sheet\"))").isTrue)
            }
        }

        @Test func `the focus of a sheet's button that goes stays in the sheet`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.run("await import(\"/screening/screening.js\");")
                try await page.run("(await import(\"/phone/state.js\")).change({ overlay: \"quiet\" });")
                try await page.choose("Add quiet hours")
                try await page.handArrives(at: ".sheet .stretch .icon-button")
                try await page.click(".sheet .stretch .icon-button")
                try await page.wait(for: "!document.querySelector(\".sheet .stretch\")")
                try await page.press("Tab")
                #expect(try await page.value("document.activeElement.ariaLabel") == "Close")
            }
        }

        @Test func `a tap on a card's text leaves the focus in the open sheet`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await alice.press("?")
                try await alice.wait(for: "document.activeElement.closest(\".sheet\")")
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.wait(for: "document.querySelector(\".caller .kind\")")
                try await alice.click(".caller .kind")
                #expect(try await alice.value("Boolean(document.activeElement.closest(\".sheet\"))").isTrue)
            }
        }
    }
}

extension ChromiumPage {
    /// Presses the key Space on the first button of an incoming call's card.
    fileprivate func decideBySpace() async throws {
        try await run("document.querySelector(\"[role=alertdialog] button\").focus();")
        try await handArrives(at: "[role=alertdialog] button:focus")
        try await press(" ")
    }
}
