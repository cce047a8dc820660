import BrowserKit
import Testing

extension BrowserSuite {
    /// Tests of transfers: the sheet, and all that the three parties see and hear.
    struct TransferTests {
        @Test
        func `one tap connects the held caller with the active one, who hear one another; the phone is free (CH-05)`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let alice = try await environment.phone("alice", PageTone.alice, pages)
                let bob = try await environment.phone("bob", PageTone.bob, pages)
                let carol = try await environment.phone("carol", PageTone.carol, pages)
                try await alice.connect(phone: bob)
                try await alice.connect(phone: carol, choosing: "Hold & accept")
                try await alice.tap(Self.transfer)
                try await alice.wait(for: Self.says("", "both calls leave this phone", in: ".sheet"))
                #expect(try await alice.value(Self.primary) == "Connect carol with bob")
                // Otherwise the detector rests with the phone, which is free.
                try await alice.run("bench.hub.audio.needs(\"test\");")
                try await alice.tap(".sheet .primary")
                try await bob.waitToHear(PageTone.carol)
                try await carol.waitToHear(PageTone.bob)
                try await alice.waitToHear()
                #expect(try await alice.value("bench.hub.calls.length") == 0)
                for (page, name) in [(bob, "carol"), (carol, "bob")] {
                    try await page.wait(for: "document.querySelector(\".main-card h2\")?.innerText === \"\(name)\"")
                    let line = "alice has transferred you to \(name)"
                    try await page.wait(for: Self.says(line, line, in: ".main-card"))
                    try await page.wait(
                        for: "document.querySelector(\".stage > [role=status]\").innerText"
                            + ".includes(\"In a call with \(name). \(line)\")"
                    )
                }
            }
        }

        @Test func `a second tap transfers a call, which rings for its party, and the target knows by whom (CH-06)`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob, carol) = try await environment.transferring(pages)
                try await alice.keepEndedCards()
                try await alice.chooseTarget("carol")
                try await alice.run("await bench.hub.request(\"settings.get\");")
                #expect(try await alice.value("bench.hub.calls.map(call => call.state)") == ["connected"])
                #expect(try await alice.value(Self.primary) == "Transfer to carol")
                try await alice.tap(".sheet .primary")
                try await alice.wait(for: Self.says("", "Transferred to carol", in: ".held-card [role=status]"))
                #expect(try await alice.value("bench.hub.calls.length") == 0)
                let line = "alice has transferred you to carol"
                try await bob.wait(for: Self.says(line, line, in: ".main-card"))
                try await bob.wait(for: Self.says("", "Ringing…", in: ".main-card .status"))
                try await bob.wait(for: "bench.hub.audio.tones.playing === \"ringback\"")
                #expect(try await bob.value("document.querySelector(\".main-card [role=timer]\")") == .null)
                try await carol.wait(for: Self.says("bob", "transferred by alice", in: ".caller"))
                #expect(
                    try await carol.value(Self.announced) == ["bob is calling", "transferred by alice"]
                )
                try await carol.tap(".choice.accept")
                try await bob.waitToHear(PageTone.carol)
                try await carol.waitToHear(PageTone.bob)
                #expect(try await bob.value("bench.hub.audio.tones.playing") == .null)
                try await bob.wait(for: "document.querySelector(\".main-card [role=timer]\")")
                try await carol.wait(for: Self.says("bob", "transferred by alice", in: ".main-card"))
            }
        }

        @Test func `a transferred call that is declined, or goes to nobody, comes back and says so (CH-06)`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob, carol) = try await environment.transferring(pages)
                try await alice.chooseTarget("carol")
                try await alice.tap(".sheet .primary")
                try await carol.tap(".choice.decline")
                try await alice.wait(for: Self.says("bob", "carol declined the transfer", in: ".caller"))
                #expect(
                    try await alice.value(Self.announced) == ["bob is calling", "carol declined the transfer"]
                )
                try await alice.secondOfCardPasses()
                try await alice.tap(".choice.accept")
                try await alice.waitToHear(PageTone.bob)
                try await bob.waitToHear(PageTone.alice)
                try await bob.wait(for: "document.querySelector(\".main-card h2\")?.innerText === \"alice\"")
                #expect(try await alice.value(Self.says("", "declined", in: ".main-card")) == false)
                try await alice.chooseTarget("nobody")
                try await alice.tap(".sheet .primary")
                try await alice.wait(for: Self.says("bob", "nobody is not reachable", in: ".caller"))
                try await alice.secondOfCardPasses()
                try await alice.tap(".choice.accept")
                try await bob.waitToHear(PageTone.alice)
            }
        }

        @Test func `a second transfer by the same user is said like the first (CH-06)`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob, carol) = try await environment.transferring(pages)
                let line = "alice has transferred you to carol"
                let isSaid = Self.says(line, line, in: ".main-card")
                let isAnnounced = Self.says(line, line, in: ".stage > [role=status]")
                for _ in 1...2 {
                    try await alice.chooseTarget("carol")
                    try await alice.tap(".sheet .primary")
                    try await bob.wait(for: "\(isSaid) && \(isAnnounced)")
                    try await carol.tap(".choice.decline")
                    try await alice.wait(for: Self.says("bob", "carol declined the transfer", in: ".caller"))
                    try await alice.secondOfCardPasses()
                    try await alice.tap(".choice.accept")
                    try await bob.wait(for: "!\(isSaid) && !\(isAnnounced)")
                    try await alice.wait(for: "document.querySelector(\".main-card [role=timer]\")")
                }
            }
        }

        @Test func `a transfer to one who refuses strangers says so and changes nothing (CH-08)`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob, carol) = try await environment.transferring(pages)
                let refusal = "{ acceptsTransferredStrangers: false }"
                try await carol.run("await bench.hub.request(\"settings.set\", \(refusal));")
                try await alice.chooseTarget("carol")
                try await alice.tap(".sheet .primary")
                try await alice.wait(for: Self.says("", "These two can’t be connected", in: ".toasts"))
                try await bob.waitToHear(PageTone.alice)
                #expect(try await carol.value("bench.hub.calls.length") == 0)
            }
        }

        @Test func `by the keyboard alone two calls are connected, and letters in the sheet act on no call (CH-05)`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                let carol = try await environment.page(pages)
                try await carol.openClientTestPage(environment.hub.url, as: "carol", speaking: PageTone.carol)
                try await alice.connect(bob)
                try await alice.connect(carol, choosing: "Hold & accept")
                try await alice.openTransfer()
                #expect(try await alice.value("document.activeElement.ariaLabel") == "Close")
                for letter in ["e", "m", "h", "s", "g", "k", "t", "/"] as [Key] { try await alice.press(letter) }
                try await alice.run("await bench.hub.request(\"settings.get\");")
                let calls = "bench.hub.calls.map(({ state, isMuted }) => [state, isMuted]).sort()"
                #expect(try await alice.value(calls) == [["connected", false], ["held", false]])
                try await alice.press("Escape")
                try await alice.wait(for: "!document.querySelector(\".sheet\")")
                try await alice.press("t")
                try await alice.tab(to: "Connect carol with bob", within: ".sheet")
                try await alice.press("Enter")
                try await alice.wait(for: "bench.hub.calls.length === 0")
                try await bob.waitToHear(PageTone.carol)
                try await carol.waitToHear(PageTone.bob)
                #expect(try await alice.value("document.activeElement !== document.body").isTrue)
            }
        }

        @Test func `neither a second tap where a row was nor a key held down transfers; another can be chosen (CH-06)`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await alice.connect(bob)
                try await alice.openTransfer()
                try await alice.wait(for: "document.activeElement.closest(\".search\")")
                try await alice.type("carol")
                for _ in 0..<3 { try await alice.press("Enter") }
                try await alice.wait(for: "document.querySelector(\".sheet .people-list .primary\")")
                #expect(try await alice.value("document.activeElement.value") == "carol")
                try await alice.tap(".sheet .people-list .icon-button")
                try await alice.handArrives(at: ".sheet li .person")
                try await alice.run(
                    UnintendedInputTests.tap + """
                        tap(document.querySelector(".sheet li .person"));
                        await null;
                        tap(document.querySelector(".sheet .people-list .primary"));
                        """
                )
                try await alice.tap(".sheet .people-list .icon-button")
                try await alice.wait(for: "document.querySelector(\".sheet li .person\")")
                try await alice.run("document.querySelector(\".sheet li .person\").focus();")
                try await alice.press("Enter")
                try await alice.press("Enter")
                try await alice.run("await bench.hub.request(\"settings.get\");")
                #expect(try await alice.value("bench.hub.calls.map(call => call.state)") == ["connected"])
                #expect(try await alice.value("document.activeElement.innerText") == "Transfer to carol")
                try await bob.run("await call.end();")
                try await alice.wait(for: "!document.querySelector(\".sheet\")")
                try await alice.connect(bob)
                #expect(try await alice.value("document.querySelector(\".sheet\")") == .null, "it was another call's")
            }
        }

        @Test func `the six places stay while a transferred call rings, and in a call to the echo (CH-06)`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                let carol = try await environment.caller("carol", pages)
                try await alice.connect(bob)
                let before = try await alice.places()
                try await bob.run("await call.transferTo(\"carol\");")
                try await alice.wait(for: "document.querySelector(\".main-card .dots\")")
                let ringing = try await alice.places()
                #expect(ringing.rectangles == before.rectangles)
                #expect(ringing.disabled == ["Transfer"])
                try await carol.run("await (await bench.call(call => call.state === \"ringing\")).accept();")
                try await alice.wait(for: "document.querySelector(\".main-card [role=timer]\")")
                let after = try await alice.places()
                #expect(after.rectangles == before.rectangles)
                #expect(after.disabled == [])
                try await alice.handArrives(at: ".main-card")
                try await alice.press("e")
                try await alice.wait(for: "bench.hub.calls.length === 0")
                try await alice.run("await bench.hub.call(\"echo\");")
                try await alice.wait(for: "document.querySelector(\".main-card [role=timer]\")")
                let echo = try await alice.places()
                #expect(echo.rectangles == before.rectangles)
                #expect(echo.disabled == ["Transfer"])
            }
        }

        @Test(arguments: Screen.transfers)
        func `each screen fits five windows in three languages, and axe finds nothing`(screen: Screen) async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                try await screen.expectToFit(environment, pages)
            }
        }

        private static let announced =
            "[...document.querySelectorAll(\"#phone > [role=alert] p\")].map(one => one.innerText)"
        private static let transfer = ".controls button:nth-child(6)"
        private static let primary = "document.querySelector(\".sheet .primary\")?.innerText"

        /// A condition: a place shows two texts.
        private static func says(_ one: String, _ other: String, in place: String) -> String {
            "[\"\(one)\", \"\(other)\"].every(text => document.querySelector(\"\(place)\")?.innerText.includes(text))"
        }
    }
}

extension BrowserTestEnvironment {
    /// Opens the phone of a user.
    fileprivate func phone(_ name: String, _ tone: Int, _ pages: OpenPages) async throws -> ChromiumPage {
        let phone = try await page(pages)
        try await phone.signIn(by: name, at: hub.url, speaking: tone)
        return phone
    }

    /// Opens three phones; Bob's call is connected with Alice's.
    fileprivate func transferring(_ pages: OpenPages) async throws -> (
        alice: ChromiumPage, bob: ChromiumPage, carol: ChromiumPage
    ) {
        let alice = try await phone("alice", PageTone.alice, pages)
        let bob = try await phone("bob", PageTone.bob, pages)
        let carol = try await phone("carol", PageTone.carol, pages)
        try await alice.connect(phone: bob)
        return (alice, bob, carol)
    }
}

extension ChromiumPage {
    /// Clicks a control with the mouse, once it takes taps.
    fileprivate func tap(_ selector: String) async throws {
        try await handArrives(at: "\(selector):enabled")
        try await click(selector)
    }

    /// Lets the phone of another user call, and accepts.
    fileprivate func connect(phone other: ChromiumPage, choosing choice: String = "Accept") async throws {
        try await other.run("globalThis.call = await bench.hub.call(\"alice\");")
        try await choose(choice)
        try await other.wait(for: "call.state === \"connected\"")
        try await wait(for: "document.querySelector(\".main-card [role=timer]\")")
    }

    /// Opens the sheet with the mouse, and taps on who is found by a name.
    fileprivate func chooseTarget(_ name: String) async throws {
        try await tap(".controls button:nth-child(6)")
        try await tap(".sheet input")
        try await type(name)
        try await wait(for: "document.querySelector(\".sheet li .name\")?.innerText === \"\(name)\"")
        try await tap(".sheet li .person")
        try await wait(for: "document.querySelector(\".sheet .people-list .primary\")")
    }

    /// Lets the cards of ended calls stay.
    fileprivate func keepEndedCards() async throws {
        try await run(
            """
            const { setTimeout } = globalThis;
            globalThis.setTimeout = (body, delay, ...more) => setTimeout(body, delay >= 4000 ? 1e9 : delay, ...more);
            """
        )
    }
}
