import BrowserKit
import Testing

/// A screen of the phone, and the steps to reach it; the screenshots and axe cover all of them.
struct Screen: Sendable, CustomTestStringConvertible {
    let name: String
    /// Leads a fresh page there; other pages are the other parties'.
    let show: @Sendable (ChromiumPage, BrowserTestEnvironment, OpenPages) async throws -> Void

    var testDescription: String { name }

    /// Those that `make test` looks at: most of what there is to see is on them.
    static let most = [
        "sign-in", "people", "search", "dial", "person", "settings", "group", "bench", "transfer", "transfer-chosen",
        "invite", "invite-code", "invitation-account", "invitation-unknown",
    ]

    static let all = signedOut + invitations + people + settings + calls + transfers + operating + [bench]

    static let bench = Screen(name: "bench") { page, environment, _ in
        try await page.openTesterBench(environment.hub.url)
        try await page.dial("carol", on: "alice")
        try await page.pressButton("carol: accept A")
        try await page.dial("carol", on: "bob")
        try await page.pressButton("carol: hold and accept B")
        try await page.pressButton("carol: merge A with B")
        try await page.run("document.querySelectorAll(\"details\").forEach(one => one.open = true);")
        try await page.waitToSee("alice: bob carol; bob: alice carol; carol: alice bob")
    }
}

extension ChromiumPage {
    /// Alice's phone, on one of its three tabs.
    func signedIn(_ environment: BrowserTestEnvironment, tab: Int = 1) async throws {
        try await signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
        if tab > 1 {
            try await press(Key(stringLiteral: String(tab)), modifiers: 1)
            try await wait(for: "document.querySelectorAll(\".tab\")[\(tab - 1)]?.ariaCurrent === \"page\"")
        }
    }

    /// Changes the phone's displayed state, given as a JavaScript object.
    func change(_ members: String) async throws {
        try await run("(await import(\"/phone/state.js\")).change(\(members));")
    }
}
