import BrowserKit
import Testing

extension BrowserSuite {
    /// Tests that a control takes no tap where it has just come by itself, and every other tap.
    struct MovedControlTests {
        @Test func `a button that a banner has pushed under the finger takes no tap at once`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages, width: 360, height: 740)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.run("await (await import(\"/phone/account.js\")).set({ doNotDisturb: true });")
                try await page.handArrives(at: Self.turnOff)
                try await page.run(
                    UnintendedInputTests.tap + """
                        globalThis.off = () => document.querySelector("\(Self.turnOff)");
                        const { change, state } = await import("/phone/state.js");
                        const { y } = off().getBoundingClientRect();
                        change({ soundProblem: "silent" });
                        await null;
                        globalThis.moved = off().getBoundingClientRect().y - y;
                        tap(off());
                        await bench.hub.request("settings.get");
                        globalThis.isOn = state.settings.doNotDisturb;
                        """
                )
                #expect(try await page.value("moved > 20").isTrue)
                #expect(try await page.value("isOn").isTrue)
                try await page.wait(for: Self.tapping("off()", until: "!off()"))
            }
        }

        @Test func `where a row was and still is when it has moved by a little, it takes a tap at once`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages, width: 390, height: 844)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.noteCalls()
                try await page.putContact("Bob", [["type": "generic", "value": "bob"]])
                try await page.handArrives(at: "[aria-label^='Call Bob']")
                try await page.run(
                    UnintendedInputTests.tap + """
                        const row = document.querySelector("[aria-label^='Call Bob']");
                        const { watch } = await import("/phone/guard.js");
                        watch(() => (document.querySelector(".people-list").style.paddingTop = "9px"));
                        tap(row, 0.99);
                        globalThis.calledBelow = [...called];
                        tap(row, 0.5);
                        """
                )
                #expect(try await page.value("calledBelow") == [])
                #expect(try await page.value("called") == ["bob"])
            }
        }

        @Test func `a button that a keyboard on the screen has brought under the finger takes no tap at once`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages, width: 390, height: 844)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.noteCalls()
                try await page.choose("Keypad")
                try await page.handArrives(at: ".dial-pad")
                try await page.run(
                    UnintendedInputTests.tap + """
                        globalThis.echo = () => document.querySelector(".dial-call button");
                        const { y } = echo().getBoundingClientRect();
                        globalThis.resized = new Promise((then) => addEventListener("resize", () => {
                            tap(echo());
                            then([y - echo().getBoundingClientRect().y > 60, [...called]]);
                        }, { once: true }));
                        """
                )
                let size: JSON = ["width": 390, "height": 600, "deviceScaleFactor": 1, "mobile": false]
                try await page.send("Emulation.setDeviceMetricsOverride", size)
                #expect(try await page.value("resized") == [true, []])
                try await page.wait(for: Self.tapping("echo()", until: "called.length"))
            }
        }

        @Test func `a toast takes the tap that is on it, goes, and leaves the button below alone`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages, width: 390, height: 844)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                let toast = "document.querySelector(\".toast\")"
                try await page.run(
                    """
                    globalThis.presses = 0;
                    const below = document.createElement("button");
                    below.onclick = () => (presses += 1);
                    below.style.cssText = "position: fixed; inset: 0";
                    document.body.append(below);
                    (await import("/phone/toasts.js")).showToast("bob pressed 5");
                    """
                )
                try await page.handArrives(at: ".toast")
                try await page.click(".toast")
                try await page.wait(for: "!\(toast)")
                #expect(try await page.value("presses") == 0)
            }
        }

        @Test func `a tap where a toast has just been does nothing to what was below it`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages, width: 390, height: 844)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.noteCalls()
                try await page.choose("Keypad")
                let text = "bob pressed 5, 6, 7, 8, 9, 10, 11 and 12"
                try await page.run("(await import(\"/phone/toasts.js\")).showToast(\"\(text)\");")
                try await page.handArrives(at: ".toast")
                try await page.run(
                    UnintendedInputTests.tap + """
                        const { x, y, width, height } = document.querySelector(".dial-call button").getBoundingClientRect();
                        const [clientX, clientY] = [x + width / 2, y + height / 2];
                        globalThis.isCovered = document.elementFromPoint(clientX, clientY).matches(".toast");
                        globalThis.tapThere = () => {
                            const init = { bubbles: true, cancelable: true, clientX, clientY };
                            const element = document.elementFromPoint(clientX, clientY);
                            element.dispatchEvent(new PointerEvent("pointerdown", init));
                            element.dispatchEvent(new MouseEvent("click", { ...init, detail: 1 }));
                        };
                        tapThere();
                        await null;
                        globalThis.isGone = !document.querySelector(".toast");
                        tapThere();
                        globalThis.calledAtOnce = [...called];
                        """
                )
                #expect(try await page.value("[isCovered, isGone, calledAtOnce]") == [true, true, []])
                try await page.wait(for: "(tapThere(), called.length)")
            }
        }

        @Test func `a tap on a list that still scrolls calls nobody, and one on a row that stays under it does`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages, width: 390, height: 500)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.noteCalls()
                for name in ["Ann", "Bob", "Carol", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jim"] {
                    try await page.putContact(name, [["type": "generic", "value": .string(name)]])
                }
                try await page.handArrives(at: "[aria-label^='Call Jim']")
                try await page.run(
                    UnintendedInputTests.tap + """
                        globalThis.list = document.querySelector(".people-list");
                        globalThis.row = (name) => document.querySelector(`[aria-label^="Call ${name}"]`);
                        const scrolled = () => new Promise((then) => list.addEventListener("scroll", then, { once: true }));
                        const height = row("Bob").closest(".row").getBoundingClientRect().height;
                        list.scrollTop = height * 2;
                        tap(row("Eve"));
                        globalThis.ahead = [...called];
                        await scrolled();
                        tap(row("Eve"));
                        globalThis.afterwards = [...called];
                        globalThis.scrolledAt = performance.now();
                        """
                )
                #expect(try await page.value("[ahead, afterwards]") == [[], []])
                try await page.wait(for: "performance.now() - scrolledAt > 310")
                try await page.run(
                    UnintendedInputTests.tap + """
                        list.scrollTop += 5;
                        tap(row("Eve"), 0.5);
                        """
                )
                #expect(try await page.value("called") == ["Eve"], "it was under the finger and still is")
            }
        }

        @Test
        func `the button that hangs up stays where it is when the call's page is scrolled, and takes a tap at once`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.wait(for: "bench.hub.calls[0]?.choices.length")
                try await alice.run("await bench.hub.calls[0].accept();")
                try await alice.run("(await import(\"/phone/state.js\")).change({ showsCalls: true });")
                let size: JSON = ["width": 360, "height": 240, "deviceScaleFactor": 1, "mobile": false]
                try await alice.send("Emulation.setDeviceMetricsOverride", size)
                try await alice.handArrives(at: ".hang-up .round")
                try await alice.run(
                    UnintendedInputTests.tap + """
                        const end = document.querySelector(".hang-up .round");
                        const scroller = [...document.querySelectorAll("*")]
                            .find((one) => one.contains(end) && one.scrollHeight > one.clientHeight + 40
                                && getComputedStyle(one).overflowY === "auto");
                        const { y } = end.getBoundingClientRect();
                        scroller.scrollTop = 30;
                        globalThis.moved = [scroller.scrollTop, end.getBoundingClientRect().y - y];
                        tap(end, 0.1);
                        """
                )
                #expect(try await alice.value("moved") == [30, 0])
                try await bob.wait(for: "call.hasEnded")
            }
        }

        @Test func `a row that the keypad has covered takes no tap that was meant for a key`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages, width: 390, height: 844)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.noteCalls()
                for number in 1...7 {
                    try await page.putContact("Bob \(number)", [["type": "generic", "value": "bob"]])
                }
                let rows = "document.querySelectorAll(\".people-list .person\")"
                try await page.wait(for: "\(rows).length === 7")
                try await page.choose("Keypad")
                try await page.handArrives(at: ".dial-pad")
                let isCovered = """
                    (({ x, y, height }) => !row.contains(document.elementFromPoint(x + 9, y + height / 2)))(
                        row.getBoundingClientRect())
                    """
                try await page.run(
                    UnintendedInputTests.tap + """
                        globalThis.row = \(rows)[6];
                        globalThis.wasCovered = \(isCovered);
                        (await import("/phone/state.js")).change({ showsKeypad: false });
                        await null;
                        globalThis.isCovered = \(isCovered);
                        tap(row);
                        globalThis.calledAtOnce = [...called];
                        """
                )
                #expect(try await page.value("[wasCovered, isCovered, calledAtOnce]") == [true, false, []])
                try await page.wait(for: Self.tapping("row", until: "called.length"))
            }
        }

        @Test func `a tap that a busy page is late to see is judged by the time of the finger`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages, width: 390, height: 844)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.noteCalls()
                for name in ["Bob", "Carol"] {
                    try await page.putContact(name, [["type": "generic", "value": .string(name)]])
                }
                try await page.handArrives(at: "[aria-label^='Call Carol']")
                try await page.run(
                    """
                    globalThis.row = (name) => document.querySelector(`[aria-label^="Call ${name}"]`);
                    globalThis.at = (name, members) => {
                        const { x, y } = row(name).getBoundingClientRect();
                        return { bubbles: true, cancelable: true, clientX: x + 9, clientY: y + 9, ...members };
                    };
                    const { change, state } = await import("/phone/state.js");
                    const { contacts } = state;
                    globalThis.movedAt = performance.now();
                    change({ contacts: contacts.slice(1) });
                    const timer = setInterval(change, 50, {});
                    """
                )
                try await page.wait(for: "performance.now() - movedAt > 900")
                try await page.run(
                    """
                    const touch = new PointerEvent("pointerdown", at("Carol"));
                    Object.defineProperty(touch, "timeStamp", { value: movedAt + 100 });
                    row("Carol").dispatchEvent(touch);
                    row("Carol").dispatchEvent(new MouseEvent("click", at("Carol", { detail: 1 })));
                    """
                )
                #expect(try await page.value("called") == [])
            }
        }

        @Test func `a finger that was put down on one row does not call another that has come there meanwhile`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.noteCalls()
                for name in ["Bob", "Carol"] {
                    try await page.putContact(name, [["type": "generic", "value": .string(name)]])
                }
                try await page.handArrives(at: "[aria-label^='Call Carol']")
                try await page.run(
                    """
                    globalThis.touch = (down, up) => {
                        const row = (name) => document.querySelector(`[aria-label^="Call ${name}"]`);
                        row(down).dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
                        row(up).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
                    };
                    touch("Bob", "Carol");
                    """
                )
                #expect(try await page.value("called") == [])
                try await page.run("touch(\"Carol\", \"Carol\");")
                #expect(try await page.value("called") == ["Carol"])
            }
        }

        @Test func `a second tap of a double tap does not confirm what the first has asked`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                let block = ".person-actions :is(.red, .danger)"
                try await page.run(
                    """
                    globalThis.blocked = () => phone.state.blocked.handles.length;
                    globalThis.phone = await import("/phone/state.js");
                    (await import("/phone/actions.js")).openPerson({ handle: { type: "generic", value: "bob" } });
                    """
                )
                try await page.handArrives(at: block)
                try await page.run(
                    UnintendedInputTests.tap + """
                        globalThis.block = () => document.querySelector("\(block)");
                        for (let taps = 0; taps < 2; taps += 1) {
                            tap(block());
                            await null;
                        }
                        await bench.hub.request("settings.get");
                        """
                )
                #expect(try await page.value("[phone.state.confirming, blocked()]") == ["block", 0])
                try await page.wait(for: Self.tapping("block()", until: "!block()"))
                try await page.wait(for: "blocked() === 1")
            }
        }

        @Test func `a Talk button that has just appeared opens no microphone`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.wait(for: "bench.hub.calls[0]?.choices.length")
                try await alice.run("await bench.hub.calls[0].accept();")
                try await alice.wait(for: "document.querySelector(\".controls\")")
                try await alice.run(
                    """
                    globalThis.phone = await import("/phone/state.js");
                    globalThis.press = () => {
                        const talk = document.querySelector(".talk");
                        const { x, y } = talk.getBoundingClientRect();
                        const init = { bubbles: true, clientX: x + 20, clientY: y + 20 };
                        talk.dispatchEvent(new PointerEvent("pointerdown", init));
                        return phone.state.holdsToTalk;
                    };
                    (await import("/phone/preferences.js")).setPreferences({ pushToTalk: true });
                    await null;
                    globalThis.talksAtOnce = press();
                    """
                )
                #expect(try await alice.value("talksAtOnce") == false)
                try await alice.wait(for: "press()")
            }
        }

        @Test func `a slider that has just appeared does not move`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.run(
                    """
                    // A browser moves a slider unless its mousedown is refused.
                    globalThis.moves = () => {
                        const slider = document.querySelector("input[type=range]");
                        const { x, y } = slider.getBoundingClientRect();
                        const init = { bubbles: true, cancelable: true, clientX: x + 9, clientY: y + 5 };
                        slider.dispatchEvent(new PointerEvent("pointerdown", init));
                        return slider.dispatchEvent(new MouseEvent("mousedown", init));
                    };
                    (await import("/phone/actions.js")).openTab("settings");
                    await null;
                    globalThis.movesAtOnce = moves();
                    """
                )
                #expect(try await page.value("movesAtOnce") == false)
                try await page.wait(for: "moves()")
            }
        }

        private static let turnOff = ".people-list .banner .small"

        /// Returns an expression that taps an element and is truthy when a condition is true.
        private static func tapping(_ element: String, until condition: String) -> String {
            "(() => { \(UnintendedInputTests.tap) tap(\(element)); return \(condition); })()"
        }
    }
}
