import BrowserKit
import Foundation
import Testing

extension BrowserSuite {
    /// Tests of the administrator's page, `#admin`.
    struct AdministrationTests {
        private static let settings: [String: JSON] = [
            "auth": ["mode": "accounts", "passwordMegabytes": 8, "passwordPasses": 1],
            "invitations": ["accounts": "admins"],
        ]
        private static let password = "Rosenkohl und Spinat"
        private static let sections = ["Now", "Accounts", "Invitations", "Numbers", "Server", "Audit log"]

        /// Runs a test with a hub that has accounts: root, an administrator, and three others.
        private static func set(_ body: (BrowserTestEnvironment, OpenPages) async throws -> Void) async throws {
            try await BrowserTestEnvironment.set(settings: settings) { environment, pages in
                for name in ["root", "alice", "bob", "carol"] {
                    let right = name == "root" ? ["--admin"] : []
                    try await environment.hub.account(["add", name] + right, password: password)
                }
                try await body(environment, pages)
            }
        }

        @Test func `an administrator ends the call of two others, which the question names`() async throws {
            try await Self.set { environment, pages in
                let (alice, bob) = (try await environment.page(pages), try await environment.page(pages))
                for (page, name) in [(alice, "alice"), (bob, "bob")] { try await page.signIn(name, environment) }
                try await alice.run("await bench.hub.call(\"bob\");")
                try await bob.wait(for: "document.querySelector(\"[role=alertdialog]\")")
                try await bob.secondOfCardPasses()
                try await bob.press("a")
                try await alice.wait(for: "document.querySelector(\".main-card [role=timer]\")")
                let root = try await environment.page(pages)
                try await root.openAdministration(environment)
                try await root.wait(for: "document.querySelector(\".quality-line\")")
                let row = try await root.value("document.querySelector(\".admin-list li b\").innerText")
                #expect(row == "alice → bob")
                try await root.choose("End", within: ".admin-list")
                try await root.wait(for: "document.querySelector(\".admin-list .danger\")")
                let question = try await root.value("document.querySelector(\".admin-list .danger\").innerText")
                #expect(question == "End the call of alice and bob?")
                #expect(try await alice.value("bench.hub.calls.length") == 1)
                try await root.choose("End the call", within: ".admin-list")
                try await alice.wait(for: "bench.hub.calls.length === 0")
                try await root.wait(for: "document.body.innerText.includes(\"No calls right now.\")")
                try await root.choose("Audit log")
                let entry = "document.querySelector(\".admin-list li\")?.innerText"
                try await root.wait(for: "\(entry)?.startsWith(\"Call ended\")")
                #expect(try await root.value("\(entry).includes(\"alice, bob\")") == true)
                try await root.choose("Verify")
                try await root.wait(for: "document.querySelector(\".note[role=status]\")")
            }
        }

        @Test func `an account is disabled and signed out, and its user chooses a new password by a link`()
            async throws
        {
            try await Self.set { environment, pages in
                let (root, carol) = (try await environment.page(pages), try await environment.page(pages))
                try await carol.signIn("carol", environment)
                try await root.openAdministration(environment)
                try await root.choose("Accounts")
                try await root.wait(for: "document.querySelectorAll(\".admin-list li\").length === 4")
                try await root.run("document.querySelector(\".admin .search input\").focus();")
                try await root.type("CAR")
                try await root.wait(for: "document.querySelectorAll(\".admin-list li\").length === 1")
                try await root.choose("carol", within: ".admin-list")
                try await root.choose("Disable", within: ".sheet")
                try await root.choose("Disable carol?", within: ".sheet")
                try await carol.wait(for: "bench.hub.state === \"closed\" || bench.hub.state === \"signedOut\"")
                try await root.choose("Enable", within: ".sheet")
                try await root.choose("Make a reset link", within: ".sheet")
                try await root.wait(for: "document.querySelector(\".sheet input[name=link]\")")
                let link = try await root.value("document.querySelector(\".sheet input[name=link]\").value")
                let fresh = try await environment.page(pages)
                try await fresh.open(try #require(link.text))
                try await fresh.wait(for: "document.querySelector(\"input[name=password]\")")
                #expect(try await fresh.value("document.querySelector(\"input[name=account]\").value") == "carol")
                try await fresh.run("document.querySelector(\"input[name=password]\").focus();")
                try await fresh.type("Blumenkohl und Mangold")
                try await fresh.choose("Set password")
                try await fresh.wait(
                    for: """
                        import("/phone/hub.js").then(({ hub }) => hub.state === "online" && hub.account === "carol")
                        """
                )
            }
        }

        @Test func `an invitation is made and revoked, and the graph of the last hour is drawn`() async throws {
            try await Self.set { environment, pages in
                let root = try await environment.page(pages)
                try await root.openAdministration(environment)
                try await root.run(
                    "await bench.hub.request(\"invitations.create\", { kind: \"account\", name: \"Dora\" });"
                )
                try await root.choose("Invitations")
                try await root.choose("Revoke", within: ".admin-list")
                try await root.wait(for: "document.querySelector(\".admin-list .danger\")")
                try await root.run("document.querySelector(\".admin-list .danger\").click();")
                try await root.wait(for: "document.querySelector(\".admin-list li\").innerText.includes(\"revoked\")")
                try await root.choose("Server")
                let lines = "[...document.querySelectorAll(\".admin-graph .line\")].map(one => one.getAttribute(\"d\"))"
                try await root.wait(for: "\(lines).length === 3 && \(lines)[0].includes(\"L\")", seconds: 40)
                let label = try await root.value("document.querySelector(\".admin-graph svg\").ariaLabel")
                #expect(label == "Calls: now 0, at most 0 in the last hour")
                #expect(try await root.value("document.querySelectorAll(\".admin details tbody tr\").length") != 0)
            }
        }

        @Test func `every section fits from 320 to 1440 pixels, in three languages, and axe finds nothing`()
            async throws
        {
            try await Self.set { environment, pages in
                let root = try await environment.page(pages)
                try await root.openAdministration(environment)
                for (number, section) in Self.sections.enumerated() {
                    try await root.choose(section, within: ".admin-tabs")
                    let current = "document.querySelector(\".admin-tabs [aria-current]\").innerText"
                    try await root.wait(for: "\(current) === \"\(section)\"")
                    try await root.wait(for: "!document.querySelector(\".admin [aria-busy=true]\")")
                    for isDark in [false, true] {
                        try await root.show(DisplaySettings(width: 1_024, height: 800, isDark: isDark))
                        let found = try await root.accessibilityViolations()
                        #expect(found == [], "\(section)")
                    }
                    for language in ["ko", "cs", "en"] {
                        try await root.run(
                            """
                            const { setPreferences } = await import("/phone/preferences.js");
                            const { loadLanguage } = await import("/phone/text.js");
                            setPreferences({ language: "\(language)" });
                            loadLanguage();
                            (await import("/phone/state.js")).change();
                            """
                        )
                        for width in [320, 768, 1_440] {
                            try await root.show(DisplaySettings(width: width, height: 800))
                            // Without a scrollbar, which a long list has on a wide window.
                            let whole = "document.documentElement"
                            let over = try await root.value("\(whole).scrollWidth - \(whole).clientWidth")
                            #expect(over == 0, "\(section), \(language), \(width) pixels")
                        }
                        let untranslated = try await root.value(
                            "(document.querySelector(\".admin\").innerText.match(/\\badmin\\.\\w+/g) ?? [])"
                        )
                        #expect(untranslated == [], "\(section), \(language)")
                    }
                    #expect(number < 6)
                }
                try await root.choose("Accounts", within: ".admin-tabs")
                try await root.choose("alice", within: ".admin-list")
                try await root.wait(for: "document.querySelector(\".sheet\")")
                let found = try await root.accessibilityViolations()
                #expect(found == [])
            }
        }

        @Test func `a plain account sees nothing of the page, and its requests are refused`() async throws {
            try await Self.set { environment, pages in
                let alice = try await environment.page(pages)
                try await alice.signIn("alice", environment)
                try await alice.run("location.hash = \"admin\";")
                let sentence = "Only administrators can open this page."
                try await alice.wait(for: "document.body.innerText.includes(\"\(sentence)\")")
                #expect(try await alice.value("document.querySelector(\".admin\") === null") == true)
                #expect(try await alice.value("location.hash") == "")
                let codes = try await alice.run(
                    """
                    const methods = ["status", "history", "accounts", "handles", "calls", "devices", "audit",
                        "verifyAudit", "backup", "reload"];
                    const code = (method) => bench.hub.request(`admin.${method}`).then(() => 0, ({ code }) => code);
                    return Promise.all(methods.map(code));
                    """
                )
                #expect(codes.elements.count == 10 && codes.elements.allSatisfy { $0 == 403 }, "\(codes)")
                let policy = try await alice.value(
                    """
                    fetch("/", { cache: "no-store" }).then(({ headers }) => headers.get("content-security-policy"))
                    """
                )
                #expect(policy.text?.contains("frame-ancestors 'none'") == true)
            }
        }

        @Test func `who loses the right while the page is open is back at the phone`() async throws {
            try await Self.set { environment, pages in
                let root = try await environment.page(pages)
                try await root.openAdministration(environment)
                try await environment.hub.account(["admin", "root", "off"])
                try await root.wait(for: "!document.querySelector(\".admin\") && document.querySelector(\".tabs\")")
                #expect(try await root.value("bench.hub.state") == "online")
            }
        }
    }
}

extension ChromiumPage {
    /// Signs in by a password.
    fileprivate func signIn(_ name: String, _ environment: BrowserTestEnvironment, fragment: String = "") async throws {
        // The hub learns by and by of accounts that the command line adds; until then it waits for its owner.
        try await open(environment.hub.url + "bench.html")
        try await wait(for: "!(await (await fetch(\"v1/info\")).json()).setup")
        try await open(environment.hub.url + fragment)
        try await wait(for: "document.querySelector(\"input[name=account], input[autocomplete=username]\")")
        try await run(
            """
            const { signIn, updateSignIn } = await import("/phone/sign-in.js");
            updateSignIn({ account: "\(name)", password: "Rosenkohl und Spinat" });
            await signIn();
            const { attach } = await import("/tests/attach.js");
            await attach(\(PageTone.alice));
            """
        )
        try await wait(for: "bench.hub.state === \"online\"")
    }

    /// Signs root in at the address of the administrator's page.
    fileprivate func openAdministration(_ environment: BrowserTestEnvironment) async throws {
        try await signIn("root", environment, fragment: "#admin")
        try await wait(for: "document.querySelector(\".admin-tabs\")")
    }
}
