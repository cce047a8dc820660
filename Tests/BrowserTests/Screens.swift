import BrowserKit
import Testing

/// A screen of the phone, and the steps to reach it; the screenshots and axe cover all of them.
struct Screen: Sendable, CustomTestStringConvertible {
    let name: String
    /// Leads a fresh page there; other pages are the other parties'.
    let show: @Sendable (ChromiumPage, BrowserTestEnvironment, OpenPages) async throws -> Void

    var testDescription: String { name }

    /// Those that `make test` looks at: most of what there is to see is on them.
    static let most = ["sign-in", "people", "search", "dial", "person", "settings", "group", "bench"]

    static let all: [Screen] = [
        Screen(name: "sign-in") { page, environment, _ in
            try await page.open(environment.hub.url)
            try await page.wait(for: "document.querySelector(\"input[name=account]\")")
        },
        Screen(name: "people") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.showHouse()
        },
        Screen(name: "search") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.showHouse()
            try await page.run("(await import(\"/phone/actions.js\")).type(\"an\");")
            try await page.wait(for: "document.querySelector(\"[role=row]\")")
        },
        Screen(name: "dial") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.showHouse()
            try await page.run("(await import(\"/phone/state.js\")).change({ showsKeypad: true });")
            try await page.run("(await import(\"/phone/actions.js\")).type(\"49\");")
            try await page.wait(for: "document.querySelector(\".dial-pad\")")
        },
        Screen(name: "person") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.showHouse()
            try await page.run("document.querySelector(\".people-list .icon-more\").closest(\"button\").click();")
            try await page.wait(for: "document.querySelector(\".person-pane\")")
        },
        Screen(name: "recents") { page, environment, _ in try await page.signedIn(environment, tab: 2) },
        Screen(name: "settings") { page, environment, _ in try await page.signedIn(environment, tab: 3) },
        Screen(name: "quiet-hours") { page, environment, _ in
            try await page.signedIn(environment, tab: 3)
            try await page.choose(row: 0)
            try await page.run("document.querySelector(\".sheet > .small\").click();")
            try await page.wait(for: "document.querySelector(\".stretch\")")
        },
        Screen(name: "blocked") { page, environment, _ in
            try await page.signedIn(environment, tab: 3)
            try await page.run("await bench.hub.request(\"block.add\", { prefix: \"4930\" });")
            try await page.choose(row: 1)
            try await page.wait(for: "document.querySelector(\".sheet li\")")
        },
        Screen(name: "devices") { page, environment, _ in
            try await page.signedIn(environment, tab: 3)
            try await page.choose(row: -3)
            try await page.wait(for: "document.querySelector(\".sheet li\")")
        },
        Screen(name: "stored") { page, environment, _ in
            try await page.signedIn(environment, tab: 3)
            try await page.choose(row: -2)
            try await page.run("document.querySelector(\".sheet > .red\").click();")
            try await page.wait(for: "document.querySelector(\".danger\")")
        },
        Screen(name: "diagnostics") { page, environment, _ in
            try await page.open(environment.hub.url + "#diagnostics")
            try await page.wait(for: "document.querySelector(\".sheet\")")
            try await page.run("document.querySelector(\".sheet .primary\").click();")
            try await page.wait(
                for: "document.querySelector(\".finding\") && !document.querySelector(\".finding.run\")",
                seconds: 60
            )
        },
        Screen(name: "contact") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.run("document.querySelector(\".icon-add\").closest(\"button\").click();")
            try await page.wait(for: "document.querySelector(\".sheet form\")")
        },
        Screen(name: "shortcuts") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.press("?", modifiers: 8)
            try await page.wait(for: "document.querySelector(\".layer\")")
        },
        Screen(name: "incoming") { page, environment, pages in
            try await page.signedIn(environment)
            _ = try await caller("bob", of: page, environment, pages)
        },
        Screen(name: "incoming-waiting") { page, environment, pages in
            try await page.signedIn(environment)
            _ = try await inCall("bob", page, environment, pages)
            _ = try await caller("carol", of: page, environment, pages)
        },
        Screen(name: "call") { page, environment, pages in
            try await page.signedIn(environment)
            _ = try await inCall("bob", page, environment, pages)
        },
        Screen(name: "keypad") { page, environment, pages in
            try await page.signedIn(environment)
            _ = try await inCall("bob", page, environment, pages)
            try await page.press("k")
        },
        Screen(name: "two-calls") { page, environment, pages in
            try await page.signedIn(environment)
            _ = try await inCall("bob", page, environment, pages)
            _ = try await inCall("carol", page, environment, pages)
        },
        quality,
        Screen(name: "group") { page, environment, pages in
            try await page.signedIn(environment)
            _ = try await inCall("bob", page, environment, pages)
            _ = try await inCall("carol", page, environment, pages)
            try await page.press("g")
            try await page.wait(for: "document.querySelector(\".members\")")
        },
        Screen(name: "reconnecting") { page, environment, pages in
            try await page.signedIn(environment)
            page.ignoreErrors("WebSocket connection to")
            environment.hub.kill()
            try await page.wait(for: "bench.hub.state === \"reconnecting\"")
        },
        Screen(name: "bench") { page, environment, _ in
            try await page.openTesterBench(environment.hub.url)
            try await page.dial("carol", on: "alice")
            try await page.pressButton("carol: accept A")
            try await page.dial("carol", on: "bob")
            try await page.pressButton("carol: hold and accept B")
            try await page.pressButton("carol: merge A with B")
            try await page.run("document.querySelectorAll(\"details\").forEach(one => one.open = true);")
            try await page.waitToSee("alice: bob carol; bob: alice carol; carol: alice bob")
        },
    ]

    /// Two calls, with the figures of the active one: the highest of all screens.
    static let quality = Screen(name: "quality") { page, environment, pages in
        try await page.signedIn(environment)
        _ = try await inCall("bob", page, environment, pages)
        _ = try await inCall("carol", page, environment, pages)
        try await page.wait(for: "document.querySelector(\".main-card .grade\")")
        try await page.run("document.querySelector(\".grade\").click();")
        try await page.wait(for: "document.querySelector(\".figures dd\")")
    }

    /// Places a call from another party.
    private static func caller(
        _ name: String,
        of page: ChromiumPage,
        _ environment: BrowserTestEnvironment,
        _ pages: OpenPages
    ) async throws -> ChromiumPage {
        let other = try await environment.page(pages)
        try await other.openClientTestPage(environment.hub.url, as: name, speaking: PageTone.bob)
        try await other.run("await bench.hub.call(\"alice\");")
        try await page.wait(for: "document.querySelector(\"[role=alertdialog]\")")
        return other
    }

    private static func inCall(
        _ name: String,
        _ page: ChromiumPage,
        _ environment: BrowserTestEnvironment,
        _ pages: OpenPages
    ) async throws -> ChromiumPage {
        let other = try await caller(name, of: page, environment, pages)
        try await page.run("document.querySelector(\".choice.accept\").click();")
        try await other.run("await bench.call(call => call.state === \"connected\");")
        try await page.wait(
            for: "!document.querySelector(\"[role=alertdialog]\") && document.querySelector(\".main-card\")"
        )
        return other
    }
}

extension ChromiumPage {
    /// Fills the home screen with a house, a favourite and calls.
    fileprivate func showHouse() async throws {
        try await scriptDirectory(house)
        let number: JSON = [["type": "phoneNumber", "value": "+49 30 901820"]]
        try await putContact("Jürgen Müller-Lüdenscheidt", number, ["favorite": true])
        try await run(
            """
            const calls = [["ann", "incoming", "missed", 1], ["+82 2 120", "outgoing", "answered", 30]];
            const recents = calls.map(([value, direction, outcome, hours]) => ({
                id: value, handle: { type: value.startsWith("+") ? "phoneNumber" : "generic", value }, name: value,
                direction, outcome, duration: 70, startedAt: new Date(Date.now() - hours * 3.6e6).toISOString(),
            }));
            (await import("/phone/state.js")).change({ recents });
            """
        )
        try await wait(for: "document.querySelectorAll(\".people-list .row\").length > 5")
    }

    /// Opens what lies behind a row of the settings, counted from the first or, below 0, the last.
    fileprivate func choose(row: Int) async throws {
        try await run("[...document.querySelectorAll(\".row.open\")].at(\(row)).click();")
        try await wait(for: "document.querySelector(\".sheet\")")
    }

    /// Alice's phone, on one of its three tabs.
    fileprivate func signedIn(_ environment: BrowserTestEnvironment, tab: Int = 1) async throws {
        try await signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
        if tab > 1 {
            try await press(Key(stringLiteral: String(tab)), modifiers: 1)
            try await wait(for: "document.querySelectorAll(\".tab\")[\(tab - 1)]?.ariaCurrent === \"page\"")
        }
    }
}
