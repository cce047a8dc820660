import BrowserKit
import Testing

extension BrowserSuite {
    /// Tests of calls that are handled by the keyboard alone.
    struct KeyboardTests {
        @Test func `add call, hold, swap, merge, split and end need no mouse, and the focus is never lost`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                let carol = try await environment.page(pages)
                try await carol.openClientTestPage(environment.hub.url, as: "carol", speaking: PageTone.carol)
                try await alice.dialByKeyboard("/", "bob", answeredBy: bob)
                try await alice.waitToHear(PageTone.bob)
                try await alice.tab(to: "Add call")
                try await alice.dialByKeyboard("Enter", "carol", answeredBy: carol)
                try await alice.waitToHear(PageTone.carol)
                try await alice.tab(to: "Swap")
                try await alice.press("Enter")
                try await alice.waitToHear(PageTone.bob)
                try await alice.expectFocus("swapped")
                try await alice.press("s")
                try await alice.waitToHear(PageTone.carol)
                try await alice.tab(to: "Merge")
                try await alice.press(" ")
                try await alice.waitToHear(PageTone.bob, PageTone.carol)
                try await alice.expectFocus("merged")
                try await alice.tab(to: "Hold")
                try await alice.press("Enter")
                try await alice.waitToHear()
                try await alice.press("Enter")
                try await alice.waitToHear(PageTone.bob, PageTone.carol)
                try await alice.expectFocus("resumed")
                try await alice.tab(to: "Talk privately with carol")
                try await alice.press("Enter")
                try await alice.waitToHear(PageTone.carol)
                try await alice.expectFocus("split")
                try await alice.tab(to: "End the call with bob")
                try await alice.press("Enter")
                try await bob.wait(for: "bench.hub.calls.length === 0")
                try await alice.waitToHear(PageTone.carol)
                try await alice.expectFocus("one call ended")
                try await alice.tab(to: "End")
                try await alice.press("Enter")
                for page in [alice, carol] { try await page.wait(for: "bench.hub.calls.length === 0") }
                try await alice.expectFocus("both calls ended")
            }
        }

        @Test func `an incoming call, its text, the keypad, Sound and Mute need Tab and Enter alone`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                let carol = try await environment.caller("carol", pages)
                let dan = try await environment.caller("dan", pages)
                try await alice.dialByKeyboard("/", "bob", answeredBy: bob)
                try await carol.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.secondOfCardPasses()
                try await alice.tab(to: "Hold & accept")
                try await alice.press("Enter")
                try await carol.wait(for: "call.state === \"connected\"")
                try await bob.wait(for: "bench.hub.calls[0].remoteIsOnHold")
                try await alice.expectFocus("answered beside a call")
                try await dan.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.secondOfCardPasses()
                try await alice.tab(to: "Message")
                try await alice.press("Enter")
                try await alice.tab(to: "Can you call me later?")
                try await alice.press("Enter")
                try await dan.wait(for: "call.cause === \"declined\"")
                try await alice.expectFocus("declined with a text")
                let record = "({ detail }) => { globalThis.digits = detail.digits; }"
                try await carol.run("bench.hub.addEventListener(\"dtmf\", \(record));")
                try await alice.tab(to: "Keypad", within: ".main-card")
                try await alice.press("Enter")
                try await alice.tab(to: "5", within: ".main-card")
                try await alice.press("Enter")
                try await carol.wait(for: "globalThis.digits === \"5\"")
                try await alice.tab(to: "Hide", within: ".main-card")
                try await alice.press("Enter")
                try await alice.wait(for: "document.querySelector(\".controls\")")
                try await alice.expectFocus("keypad hidden")
                try await alice.tab(to: "Sound")
                try await alice.press("Enter")
                try await alice.wait(for: "document.activeElement.closest(\".sheet\")")
                try await alice.press("Escape")
                try await alice.wait(for: "document.activeElement.innerText.trim() === \"Sound\"")
                try await alice.tab(to: "Mute")
                try await alice.press(" ")
                try await carol.waitToHear()
                try await alice.expectFocus("muted")
            }
        }
    }
}

extension ChromiumPage {
    private static let focusedName = "(document.activeElement.ariaLabel ?? document.activeElement.innerText).trim()"

    /// Presses Tab until the control with a name has the focus, as often as there are controls, and no more.
    func tab(to name: String, within place: String = "body") async throws {
        try await wait(
            for: """
                [...document.querySelectorAll("\(place) button:enabled")]
                    .some(one => (one.ariaLabel ?? one.innerText).trim() === "\(name)")
                """
        )
        let isThere = """
            document.activeElement.closest("\(place)") !== null && \(Self.focusedName) === "\(name)"
            """
        for _ in 0..<60 where try await !value(isThere).isTrue { try await press("Tab") }
        #expect(try await value(isThere).isTrue, "\(name)")
    }

    /// Opens the field by a key, dials a name, and lets its owner answer.
    fileprivate func dialByKeyboard(_ key: Key, _ name: String, answeredBy other: ChromiumPage) async throws {
        try await press(key)
        try await wait(for: "document.activeElement.id === \"dial-field\"")
        try await type(name)
        try await press("Enter")
        try await other.run(
            "await (await bench.call(call => call.state === \"ringing\" && call.choices.length)).accept();"
        )
        try await wait(for: "bench.hub.calls.some(call => call.remoteHandle.value === \"\(name)\" && call.connectedAt)")
    }

    /// Expects that an element has the focus, so that the next Tab continues there.
    fileprivate func expectFocus(_ moment: Comment) async throws {
        #expect(try await value("document.activeElement !== document.body").isTrue, moment)
    }
}
