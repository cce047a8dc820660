import BrowserKit
import HubTestSupport
import Testing

extension BrowserSuite {
    /// Tests of the screen of a call: its places, its sizes, and its words.
    struct CallScreenTests {
        @Test func `the buttons of a call have places that never move, and what cannot be done is disabled there`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                let carol = try await environment.caller("carol", pages)
                try await alice.connect(bob)
                let alone = try await alice.places()
                #expect(alone.names == ["Mute", "Keypad", "Sound", "Add call", "Hold", "Transfer"])
                #expect(alone.disabled == [])
                let left = "[...document.querySelectorAll(\".controls button\")].map(one => one.offsetLeft)"
                let columns = try await alice.value(left).elements.compactMap(\.number)
                try #require(columns.count == 6)
                for column in 0..<3 { #expect(columns[column] == columns[column + 3], "two rows of three") }
                try await alice.press("h")
                try await bob.wait(for: "call.remoteIsOnHold")
                let held = try await alice.places()
                #expect(held.disabled == ["Keypad"], "a held call takes no keys")
                #expect(held.rectangles == alone.rectangles)
                try await alice.press("h")
                try await bob.wait(for: "!call.remoteIsOnHold")
                try await alice.connect(carol, choosing: "Hold & accept")
                let two = try await alice.places()
                #expect(two.names == ["Mute", "Keypad", "Sound", "Merge", "Swap", "Transfer"])
                #expect(two.disabled == [])
                #expect(two.rectangles == alone.rectangles)
                try await alice.choose("Merge")
                try await alice.wait(for: "document.querySelectorAll(\".members li\").length === 2")
                let group = try await alice.places()
                #expect(group.names == alone.names)
                #expect(group.disabled == ["Transfer"])
                #expect(group.rectangles == alone.rectangles)
                for page in [bob, carol] {
                    let record = "({ detail }) => { globalThis.digits = detail.digits; }"
                    try await page.run("bench.hub.addEventListener(\"dtmf\", \(record));")
                }
                try await alice.press("k")
                try await alice.press("5")
                for page in [bob, carol] { try await page.wait(for: "globalThis.digits === '5'") }
            }
        }

        @Test func `Add call closes the keypad of the call, and leaves the call in sight`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await alice.connect(bob)
                try await alice.choose("Keypad", within: ".pane")
                try await alice.wait(for: "document.querySelector(\".dial-pad\")")
                try await alice.press("k")
                try await alice.wait(for: "document.querySelector(\".call-keys\")")
                let keypads = """
                    [...document.querySelectorAll(".keypad")]
                        .filter(one => one.checkVisibility({ visibilityProperty: true })).length
                    """
                #expect(try await alice.value(keypads) == 1, "there is one keypad at a time")
                try await alice.press("/")
                try await alice.wait(for: "!document.querySelector(\".call-keys\")")
                try await alice.wait(for: "document.activeElement.id === \"dial-field\"")
                for (width, call) in [(1280, ".main-card h2"), (390, ".return-bar")] {
                    try await alice.show(DisplaySettings(width: width, height: 844))
                    try await alice.choose("Add call")
                    let isSeen = "document.querySelector(\"\(call)\").checkVisibility()"
                    #expect(try await alice.value(isSeen).isTrue, "\(width)")
                    try await alice.run("(await import(\"/phone/state.js\")).change({ showsCalls: true });")
                }
            }
        }

        @Test func `each screen of a call can be used without scrolling in windows of five sizes`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let link = try FaultyLink(to: environment.hub.port)
                pages.links.append(link)
                let alice = try await environment.page(pages)
                try await alice.signIn(by: "alice", at: "http://127.0.0.1:\(link.port)/", speaking: PageTone.alice)
                for words in ["WebSocket connection to", "ERR_CONNECTION_REFUSED"] { alice.ignoreErrors(words) }
                let bob = try await environment.caller("bob", pages)
                let carol = try await environment.caller("carol", pages)
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.expectInSight(".incoming button", 3, "incoming")
                try await alice.choose("Accept")
                try await alice.wait(for: "document.querySelector(\".main-card .grade\")")
                try await alice.expectInSight(call, 7, "call")
                try await alice.run("(await import(\"/phone/toasts.js\")).showToast(\"bob pressed 5\");")
                try await alice.expectInSight(call, 7, "call with a toast")
                try await alice.press("k")
                try await alice.expectInSight(".main-card button", 14, "keypad")
                try await alice.press("Escape")
                try await carol.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.expectInSight(".incoming button", 4, "incoming beside a call")
                try await alice.choose("Hold & accept")
                try await alice.wait(
                    for: "document.querySelector(\".held-card\") && document.querySelector(\".main-card\")"
                )
                try await alice.expectInSight(call + ", .held-card button", 9, "one call and a held one")
                let dan = try await environment.caller("dan", pages)
                try await dan.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.wait(for: "document.querySelectorAll(\".choice\").length === 3")
                for language in ["ko", "cs", "en"] {
                    try await alice.use(language)
                    try await alice.expectInSight(".incoming button", 4, "incoming beside two calls, \(language)")
                }
                try await dan.run("await call.end();")
                try await alice.wait(for: "!document.querySelector(\".incoming\")")
                try await alice.press("k")
                try await alice.expectInSight(".main-card button", 14, "keypad beside a held call")
                try await alice.press("Escape")
                try await alice.press("g")
                try await alice.wait(for: "document.querySelectorAll(\".members li\").length === 2")
                try await alice.expectInSight(call, 7, "group")
                link.refuse()
                link.reset()
                try await alice.wait(for: "document.querySelector(\".banner.warning\")")
                try await alice.expectInSight(call, 7, "reconnecting")
                link.restore()
                try await alice.wait(for: "bench.hub.state === \"online\"")
                try await alice.press("e")
                try await alice.wait(for: "document.querySelectorAll(\".held-card\").length === 2")
                try await alice.expectInSight(".held-card button", 4, "ended")
            }
        }

        @Test func `of callers and calls with long names, Decline and Accept stay in sight`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                let carol = try await environment.caller("carol", pages)
                let dan = try await environment.caller("dan", pages)
                for name in ["bob", "carol", "dan"] {
                    let long = "\(name) Maximiliane Schwarzenberger-Leutheusser of the Accounting Department"
                    try await alice.putContact(long, [["type": "generic", "value": .string(name)]])
                }
                try await alice.connect(bob)
                try await alice.connect(carol, choosing: "Hold & accept")
                try await dan.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.wait(for: "document.querySelectorAll(\".choice\").length === 3")
                for language in ["cs", "en"] {
                    try await alice.use(language)
                    try await alice.expectInSight(".incoming button", 4, language)
                }
            }
        }

        private let call = ".main-card :is(.controls, .hang-up) button"

        @Test func `a call that was cancelled says so, and the way back is offered only to a call`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages, width: 390, height: 844)
                try await alice.run("await bench.hub.call(\"bob\");")
                try await bob.run("await bench.call(call => call.state === \"ringing\");")
                try await alice.choose("Cancel")
                try await alice.wait(for: "document.querySelector(\".held-card\")")
                #expect(try await alice.value(Self.endedCard).text?.hasSuffix("Cancelled") == true)
                try await alice.wait(for: "bench.hub.calls.length === 0")
                #expect(try await alice.value(Self.endedCard).text?.hasSuffix("Cancelled") == true)
                try await alice.choose("Back to the phone")
                #expect(try await alice.value("document.querySelector(\".return-bar\")") == .null)
                #expect(try await alice.value("(await import(\"/phone/state.js\")).state.ended.length") == 1)
            }
        }

        private static let endedCard = "document.querySelector(\".held-card [role=status]\").innerText.trim()"

        @Test func `a conversation is titled by its people, and others in it are named under the name`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                let carol = try await environment.caller("carol", pages)
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.wait(for: "document.querySelector(\".caller\")")
                try await alice.run(Self.participants)
                try await alice.wait(for: Self.names("dan & one more person", in: ".caller"))
                try await alice.choose("Accept")
                try await alice.wait(for: "document.querySelector(\".main-card [role=timer]\")")
                for (width, height) in [(1280, 800), (320, 568), (844, 390)] {
                    try await alice.show(DisplaySettings(width: width, height: height))
                    try await alice.wait(for: Self.names("dan & one more person", in: ".main-card"))
                }
                try await alice.connect(carol, choosing: "Hold & accept")
                try await alice.wait(for: Self.names("dan & one more person", in: ".held-card"))
                try await alice.handArrives(at: ".held-card")
                try await alice.press("g")
                try await alice.wait(for: "document.querySelector(\".main-card h2\")?.innerText === \"bob & carol\"")
            }
        }

        @Test func `whose call is merged sees by whom else they are heard, until they are not`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, carol) = try await environment.phoneAndCaller(pages)
                let bob = try await environment.page(pages)
                try await bob.signIn(by: "bob", at: environment.hub.url, speaking: PageTone.bob)
                try await carol.run("await bench.hub.signOut(); await bench.hub.signIn({ account: \"carol\" });")
                try await alice.connect(bob)
                let line = "document.querySelector(\".main-card .call-party\").innerText"
                #expect(try await bob.value(line).text?.contains("with ") == false)
                try await alice.connect(carol, choosing: "Hold & accept")
                try await alice.choose("Merge")
                try await bob.wait(for: Self.names("carol", in: ".main-card"))
                #expect(try await bob.value("document.querySelector(\".main-card h2\").innerText") == "alice")
                try await carol.run("await call.end();")
                try await bob.wait(for: "!\(line).includes(\"with \")")
            }
        }

        /// Gives the first call the other people of a conversation, as `participants` of the call object.
        private static let participants = """
            const person = (value, nameSource) => ({ handle: { type: "generic", value }, name: "", nameSource });
            const list = [person("dan", "handle"), person("anonymous", "hidden")];
            Object.defineProperty(bench.hub.calls[0], "participants", { get: () => list, set() {} });
            (await import("/phone/state.js")).change();
            """

        private static func names(_ names: String, in place: String) -> String {
            "document.querySelector(\"\(place)\")?.innerText.includes(\"with \(names)\")"
        }

        @Test func `an incoming call can be declined with a text, whose button is far from Accept`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages, width: 320, height: 568)
                try await alice.run(
                    """
                    globalThis.ends = [];
                    const { request } = bench.hub;
                    bench.hub.request = (method, params) => {
                        ends.push(...(params?.actions ?? []).filter(({ type }) => type === "end"));
                        return request.call(bench.hub, method, params);
                    };
                    """
                )
                for (text, sent) in [
                    ("Can you call me later?", "Can you call me later?"), (nil, String(repeating: "é", count: 128)),
                ] {
                    try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                    try await alice.wait(for: "document.querySelector(\".tell\")")
                    let gap = try await alice.value(
                        """
                        document.querySelector(".choice.accept").getBoundingClientRect().left
                            - document.querySelector(".tell").getBoundingClientRect().right
                        """
                    )
                    #expect((gap.number ?? 0) >= 96)
                    try await alice.choose("Message")
                    if let text {
                        try await alice.choose(text, within: ".sheet")
                    } else {
                        try await alice.wait(for: "document.querySelector(\".sheet input\")")
                        try await alice.run(
                            """
                            const field = document.querySelector(".sheet input");
                            field.value = "é".repeat(200);
                            field.dispatchEvent(new Event("input", { bubbles: true }));
                            field.form.requestSubmit();
                            """
                        )
                    }
                    try await bob.wait(for: "call.hasEnded")
                    #expect(try await bob.value("call.cause") == "declined")
                    #expect(try await alice.value("ends.pop().message") == .string(sent))
                    try await alice.wait(for: "!document.querySelector(\".layer\")")
                }
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.choose("Message")
                try await alice.wait(for: "document.querySelector(\".sheet\")")
                try await bob.run("await call.end();")
                try await alice.wait(for: "!document.querySelector(\".layer\")")
            }
        }

        @Test func `the text of a declined call is shown until it is dismissed`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await alice.run(
                    """
                    const call = await bench.hub.call("bob");
                    Object.defineProperty(call, "message", { get: () => "I am <b>late</b>", set() {} });
                    const { setTimeout } = globalThis;
                    globalThis.setTimeout = (body, delay, ...more) => setTimeout(body, delay >= 4000 ? 0 : delay, ...more);
                    """
                )
                try await bob.run("await (await bench.call(call => call.state === \"ringing\")).choose(\"decline\");")
                try await alice.wait(for: "document.querySelector(\".said\")?.innerText === \"I am <b>late</b>\"")
                try await alice.run("await new Promise(then => setTimeout(then, 100));")
                try await alice.choose("Dismiss")
                try await alice.wait(for: "!document.querySelector(\".held-card\")")
            }
        }

        @Test
        func `Hold shows at once without a connection, nothing is heard meanwhile, and the hub performs it later`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let link = try FaultyLink(to: environment.hub.port)
                pages.links.append(link)
                let alice = try await environment.page(pages)
                try await alice.signIn(by: "alice", at: "http://127.0.0.1:\(link.port)/", speaking: PageTone.alice)
                for words in ["WebSocket connection to", "ERR_CONNECTION_REFUSED"] { alice.ignoreErrors(words) }
                let bob = try await environment.caller("bob", pages)
                try await alice.connect(bob)
                try await bob.waitToHear(PageTone.alice)
                link.refuse()
                link.reset()
                try await alice.wait(for: "bench.hub.state === \"reconnecting\"")
                try await alice.press("h")
                let status = "document.querySelector(\".main-card .status\").innerText"
                #expect(try await alice.value(status).text?.contains("On hold") == true)
                #expect(
                    try await alice.value("[bench.hub.audio.areCallsMuted, bench.hub.audio.output.gain.value]") == [
                        true, 0,
                    ]
                )
                #expect(try await bob.value("call.remoteIsOnHold") == false)
                link.restore()
                try await bob.wait(for: "call.remoteIsOnHold")
                try await alice.wait(for: "bench.hub.calls[0].state === \"held\" && !bench.hub.calls[0].isHolding")
                link.refuse()
                link.reset()
                try await alice.wait(for: "bench.hub.state === \"reconnecting\"")
                try await alice.press("h")
                #expect(try await alice.value(status).text?.contains("Resuming") == true, "it is not heard yet")
                link.restore()
                try await alice.waitToHear(PageTone.bob)
                try await bob.waitToHear(PageTone.alice)
                #expect(try await alice.value(status).text?.contains("Resuming") == false)
            }
        }
    }
}

/// The buttons of the active call.
struct CallPlaces {
    var names: JSON = []
    var disabled: JSON = []
    var rectangles: [JSON] = []
}

extension ChromiumPage {
    /// Lets another party call, and accepts.
    func connect(_ other: ChromiumPage, choosing choice: String = "Accept") async throws {
        try await other.run("globalThis.call = await bench.hub.call(\"alice\");")
        try await choose(choice)
        try await other.wait(for: "call.state === \"connected\"")
        try await wait(for: "document.querySelector(\".main-card [role=timer]\")")
    }

    /// The buttons of the active call, with their places in a wide window, a small one, and one on its side.
    func places() async throws -> CallPlaces {
        var found = CallPlaces()
        for (width, height) in [(1280, 800), (320, 568), (844, 390)] {
            try await show(DisplaySettings(width: width, height: height))
            let all = try await value(
                """
                [...document.querySelectorAll(".controls button")].map(one => {
                    const { x, y } = one.getBoundingClientRect();
                    return [one.innerText, one.disabled, Math.round(x), Math.round(y)];
                })
                """
            )
            found.names = .array(all.elements.map { $0[0] })
            found.disabled = .array(all.elements.filter { $0[1].isTrue }.map { $0[0] })
            found.rectangles.append(.array(all.elements.map { [$0[2], $0[3]] }))
        }
        return found
    }
}
