import BrowserKit
import Testing

extension BrowserSuite {
    /// Tests of the accessibility tree: roles, names, states and order, as a screen reader gets them.
    struct ScreenReaderTests {
        @Test func `an incoming call is announced once, and is the first on the page, with what it offers`()
            async throws
        {
            try await Self.show("incoming") { page in
                let tree = try await page.accessibilityTree()
                #expect(
                    tree.prefix(8).map(\.description) == [
                        "RootWebArea \"bob is calling\"", "alert \"bob is calling\" live=assertive",
                        "alertdialog \"bob\" modal=false", "region \"bob\"", "heading \"bob\"", "button \"Decline\"",
                        "button \"Message\"", "button \"Accept\"",
                    ]
                )
                #expect(Self.announced(tree) == ["bob is calling"])
            }
        }

        @Test(arguments: calls)
        func `a call is announced once and has its controls in the order of use`(call: ReadCall) async throws {
            try await Self.show(call.screen) { page in
                let tree = try await page.accessibilityTree()
                #expect(Self.announced(tree) == [call.announcement])
                let place = try #require(tree.firstIndex { $0.role == "article" })
                let cards = tree[place...].filter { !["status", "alert", "timer"].contains($0.role) }
                #expect(cards.map(\.description).filter { !$0.contains("connection\"") } == call.cards)
            }
        }

        @Test
        func `by roles and names alone one calls, answers, swaps, merges, splits and ends, and is told each change`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                let carol = try await environment.page(pages)
                try await carol.openClientTestPage(environment.hub.url, as: "carol", speaking: PageTone.carol)
                try await alice.activate("combobox", "Name or number")
                try await alice.type("bob")
                try await alice.activate("button", "Call bob, Call this username")
                try await bob.accept()
                try await alice.waitToRead("In a call with bob.")
                try await alice.waitToHear(PageTone.bob)
                try await carol.run("await bench.hub.call(\"alice\");")
                try await alice.waitToRead("carol is calling")
                try await alice.secondOfCardPasses()
                try await alice.activate("button", "Hold & accept")
                try await alice.waitToRead("In a call with carol. bob is on hold.")
                try await alice.waitToHear(PageTone.carol)
                try await alice.activate("button", "Swap")
                try await alice.waitToRead("In a call with bob. carol is on hold.")
                try await alice.waitToHear(PageTone.bob)
                try await alice.activate("button", "Merge")
                try await alice.waitToRead("In a call with bob & carol.")
                try await alice.waitToHear(PageTone.bob, PageTone.carol)
                try await alice.activate("button", "Talk privately with carol")
                try await alice.waitToRead("In a call with carol. bob is on hold.")
                try await alice.waitToHear(PageTone.carol)
                try await alice.activate("button", "Mute")
                try await carol.waitToHear()
                try await alice.activate("button", "End the call with bob")
                try await bob.wait(for: "bench.hub.calls.length === 0")
                try await alice.activate("button", "Hold")
                try await alice.waitToRead("carol is on hold.")
                try await alice.activate("button", "Hold")
                try await alice.activate("button", "End")
                for page in [alice, carol] { try await page.wait(for: "bench.hub.calls.length === 0") }
            }
        }

        @Test func `no live region repeats itself while the clock of a call goes on`() async throws {
            try await Self.show("two-calls") { page in
                try await page.run(
                    """
                    globalThis.said = [];
                    const observer = new MutationObserver((all) => said.push(...all.map(({ target }) => target.data)));
                    for (const one of document.querySelectorAll("[role=status], [role=alert], [aria-live]")) {
                        observer.observe(one, { childList: true, subtree: true, characterData: true });
                    }
                    globalThis.times = new Set();
                    """
                )
                try await page.wait(
                    for: "times.add(document.querySelector(\".main-card [role=timer]\").innerText).size > 3"
                )
                #expect(try await page.value("said") == [])
            }
        }

        @Test(arguments: [
            "people", "incoming", "call", "two-calls", "group", "invite", "invite-code", "invitation-account",
            "invitation-unknown",
        ])
        func `each control has a name, and the tree differs between languages in words alone`(screen: String)
            async throws
        {
            try await Self.show(screen) { page in
                let english = try await page.accessibilityTree()
                let controls = english.filter { Self.controls.contains($0.role) }
                #expect(!controls.isEmpty)
                for language in ["ko", "cs"] {
                    try await page.use(language)
                    let tree = try await page.accessibilityTree()
                    #expect(tree.map { [$0.role] + $0.states } == english.map { [$0.role] + $0.states }, "\(language)")
                    let named = tree.filter { Self.controls.contains($0.role) }
                    #expect(named.filter { $0.name.isEmpty }.map(\.description) == [], "\(language)")
                    let same = Set(named.map(\.name)).intersection(controls.map(\.name))
                    #expect(same == [], "\(language): left in English")
                }
                #expect(controls.filter { $0.name.isEmpty }.map(\.description) == [])
                let unread = try await page.value(
                    """
                    [...document.querySelectorAll("[aria-hidden=true] *, [aria-hidden=true]")]
                        .filter(one => one.tabIndex >= 0).map(one => one.outerHTML.slice(0, 100))
                    """
                )
                #expect(unread == [], "hidden from screen readers, but not from Tab")
            }
        }

        private static let controls: Set<String> = ["button", "combobox", "textbox", "switch", "link", "slider"]

        /// Shows a screen whose calls have a grade of quality, which comes later than the rest.
        private static func show(_ name: String, body: (ChromiumPage) async throws -> Void) async throws {
            let screen = try #require(Screen.all.first { $0.name == name })
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await screen.show(page, environment, pages)
                if try await page.value(
                    "globalThis.bench?.hub.calls.some(({ state }) => state === \"connected\") ?? false"
                ).isTrue {
                    try await page.wait(for: "document.querySelector(\".main-card .grade\")")
                }
                try await body(page)
            }
        }

        /// Returns the texts of the live regions.
        private static func announced(_ tree: [AccessibilityNode]) -> [String] {
            tree.filter { ["status", "alert"].contains($0.role) && !$0.name.isEmpty }.map(\.name)
        }
    }
}

/// A screen of calls as it is read.
struct ReadCall: Sendable, CustomTestStringConvertible {
    let screen: String
    let announcement: String
    let cards: [String]

    var testDescription: String { screen }
}

extension ChromiumPage {
    /// Accepts the call that rings.
    fileprivate func accept() async throws {
        try await run("await (await bench.call(call => call.state === \"ringing\" && call.choices.length)).accept();")
    }
}

private let first = ["button \"Keypad\"", "button \"Sound\""]
private let calls = [
    ReadCall(
        screen: "call",
        announcement: "In a call with bob.",
        cards: ["article \"bob\"", "heading \"bob\"", "button \"Mute\" pressed=false"] + first
            + ["button \"Add call\"", "button \"Hold\" pressed=false", "button \"Transfer\"", "button \"End\""]
    ),
    ReadCall(
        screen: "call-muted",
        announcement: "In a call with bob. You are muted",
        cards: ["article \"bob\"", "heading \"bob\"", "button \"Mute\" pressed=true"] + first
            + ["button \"Add call\"", "button \"Hold\" pressed=false", "button \"Transfer\"", "button \"End\""]
    ),
    ReadCall(
        screen: "two-calls",
        announcement: "In a call with carol. bob is on hold.",
        cards: [
            "article \"bob\"", "heading \"bob\"", "button \"Resume the call with bob\"",
            "button \"End the call with bob\"", "article \"carol\"", "heading \"carol\"",
            "button \"Mute\" pressed=false",
        ] + first + ["button \"Merge\"", "button \"Swap\"", "button \"Transfer\"", "button \"End\""]
    ),
    ReadCall(
        screen: "call-held",
        announcement: "bob is on hold.",
        cards: ["article \"bob\"", "heading \"bob\"", "button \"Mute\" pressed=false"]
            + ["button \"Keypad\" disabled=true", "button \"Sound\""]
            + ["button \"Add call\"", "button \"Hold\" pressed=true", "button \"Transfer\"", "button \"End\""]
    ),
    ReadCall(
        screen: "outgoing",
        announcement: "Ringing bob.",
        cards: ["article \"bob\"", "heading \"bob\"", "button \"Mute\" pressed=false"]
            + ["button \"Keypad\" disabled=true", "button \"Sound\""]
            + ["button \"Add call\" disabled=true", "button \"Hold\" disabled=true pressed=false"]
            + ["button \"Transfer\" disabled=true", "button \"Cancel\""]
    ),
    ReadCall(
        screen: "group",
        announcement: "In a call with bob & carol.",
        cards: ["article \"bob & carol\"", "heading \"bob & carol\"", "list"]
            + ["bob", "carol"].flatMap {
                ["listitem", "button \"Talk privately with \($0)\"", "button \"End the call with \($0)\""]
            } + ["button \"Mute\" pressed=false"] + first
            + ["button \"Add call\"", "button \"Hold\" pressed=false", "button \"Transfer\" disabled=true"]
            + ["button \"End all\""]
    ),
]
