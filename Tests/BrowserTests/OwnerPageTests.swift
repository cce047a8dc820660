import BrowserKit
import Testing

extension BrowserSuite {
    /// From a server without accounts to a call: the owner's link, an invitation, and the second person.
    struct OwnerPageTests {
        /// A server with https by its own authority, and with accounts.
        private static let settings: [String: JSON] = ["auth": ["mode": "accounts"], "tls": ["own": true]]

        private static let noOwner = "This server has no owner yet. Open the link that callhub up shows."

        /// A browser that accepts the server's certificate, as a device does that trusts its authority.
        private static var options: Chromium.Options {
            var options = Chromium.Options()
            options.more = ["--ignore-certificate-errors"]
            return options
        }

        private static func set(
            _ settings: [String: JSON] = settings,
            _ body: (BrowserTestEnvironment, OpenPages) async throws -> Void
        ) async throws {
            try await BrowserTestEnvironment.set(.headlessShell, options, settings: settings, body: body)
        }

        /// Creates an invitation by the command; returns its secret.
        private static func secret(_ environment: BrowserTestEnvironment, _ words: [String]) async throws -> String {
            let link = try await environment.hub.invitation(words)
            return String(try #require(link.firstRange(of: "#i=").map { link[$0.upperBound...] }))
        }

        @Test func `the owner opens one link, invites a second person by another, and they talk`() async throws {
            try await Self.set { environment, pages in
                let address = "https://127.0.0.1:\(environment.hub.port)/"
                let secret = try await Self.secret(environment, ["owner"])
                let (owner, late) = (try await environment.page(pages), try await environment.page(pages))
                for page in [owner, late] {
                    try await page.open(address + "#i=" + secret)
                    try await page.wait(for: "document.querySelector(\"h1\")?.innerText === \"Set up your server\"")
                    // The secret has left the address.
                    #expect(try await page.value("location.href") == .string(address))
                }
                let violations = try await owner.accessibilityViolations()
                #expect(violations == [])
                try await owner.createAccount("ann")
                try await owner.wait(for: "document.querySelector(\".shell\")")
                try await late.createAccount("eve")
                let sentence = "This server has an owner already. Sign in, or ask for an invitation."
                try await late.wait(for: "document.querySelector(\".error\").innerText === \"\(sentence)\"")

                try await owner.run(
                    """
                    const { change } = await import("/phone/state.js");
                    await import("/invite/inviting.js");
                    change({ overlay: "invite" });
                    """
                )
                try await owner.wait(for: "document.querySelector(\".sheet select\")")
                try await owner.run(
                    """
                    const select = [...document.querySelectorAll(".sheet select")].find(({ options }) =>
                        [...options].some(({ value }) => value === "account"));
                    select.value = "account";
                    select.dispatchEvent(new Event("change", { bubbles: true }));
                    """
                )
                try await owner.handArrives(at: ".sheet [type=submit]")
                try await owner.click(".sheet [type=submit]")
                try await owner.wait(for: "document.querySelector(\".sheet input[name=link]\")?.value")
                let link = try await owner.value("document.querySelector(\".sheet input[name=link]\").value").text ?? ""
                #expect(link.hasPrefix(address + "#i="))
                try await owner.press("Escape")

                let bob = try await environment.page(pages)
                try await bob.open(link)
                try await bob.wait(for: "document.querySelector(\"h1\")?.innerText === \"Create your account\"")
                #expect(try await bob.value("document.querySelector(\"p.quiet\").innerText") == "ann invited you.")
                try await bob.createAccount("bob")
                try await bob.wait(for: "document.querySelector(\".shell\")")
                for (page, tone) in [(owner, PageTone.alice), (bob, PageTone.bob)] {
                    try await page.run("const { attach } = await import(\"/tests/attach.js\"); await attach(\(tone));")
                }
                try await bob.run("await bench.hub.call(\"ann\");")
                try await owner.wait(for: "document.querySelector(\"[role=alertdialog]\")")
                try await owner.secondOfCardPasses()
                try await owner.press("a")
                try await owner.waitToHear(PageTone.bob)
                try await bob.waitToHear(PageTone.alice)

                // Photographed by somebody else: once only.
                let thief = try await environment.page(pages)
                try await thief.open(link)
                let used = "This invitation has already been used. Ask for a new one."
                try await thief.wait(for: "document.querySelector(\".card [role=alert]\")?.innerText === \"\(used)\"")
            }
        }

        @Test(arguments: [
            ("en", noOwner), ("ko", "이 서버에는 아직 소유자가 없습니다. callhub up에 표시되는 링크를 여세요."),
            ("cs", "Tento server ještě nemá vlastníka. Otevřete odkaz, který ukazuje callhub up."),
        ])
        func `a server without an owner says in one sentence what to do, until there is one`(
            _ language: String,
            _ sentence: String
        ) async throws {
            try await Self.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.open("https://127.0.0.1:\(environment.hub.port)/")
                try await page.wait(for: "document.querySelector(\"[role=status]\")?.innerText")
                try await page.use(language)
                try await page.wait(
                    for: "document.querySelector(\".card [role=status]\").innerText === \"\(sentence)\""
                )
                #expect(try await page.value("document.querySelectorAll(\"form, .card input\").length") == 0)
                let violations = try await page.accessibilityViolations()
                #expect(violations == [])
                let other = try await environment.page(pages)
                try await other.open(
                    "https://127.0.0.1:\(environment.hub.port)/#i=" + Self.secret(environment, ["owner"])
                )
                try await other.wait(for: "document.querySelector(\"form [name=password]\")")
                try await other.createAccount("ann")
                try await other.wait(for: "document.querySelector(\".shell\")")
                try await page.handArrives(at: ".card .primary")
                try await page.click(".card .primary")
                try await page.wait(for: "document.querySelector(\"form [name=password]\")")
            }
        }

        @Test func `a link that is replaced or incomplete is refused with a sentence, and the sign-in is a tap away`()
            async throws
        {
            try await Self.set { environment, pages in
                let address = "https://127.0.0.1:\(environment.hub.port)/"
                let old = try await Self.secret(environment, ["owner"])
                _ = try await Self.secret(environment, ["owner"])
                for (secret, sentence) in [
                    (old, "This invitation was revoked. Ask for a new one."),
                    (String(old.dropLast()), "This invitation doesn’t work. Check that the link is complete."),
                ] {
                    let page = try await environment.page(pages)
                    try await page.open(address + "#i=" + secret)
                    try await page.wait(
                        for: "document.querySelector(\".card [role=alert]\")?.innerText === \"\(sentence)\""
                    )
                    try await page.handArrives(at: ".card button.link")
                    try await page.click(".card button.link")
                    try await page.wait(
                        for: "document.querySelector(\".card [role=status]\")?.innerText === \"\(Self.noOwner)\""
                    )
                }
            }
        }

        @Test func `a guest of an invitation whose calls are all made reads why there is no further one`() async throws
        {
            try await Self.set { environment, pages in
                let address = "https://127.0.0.1:\(environment.hub.port)/"
                let ann = try await environment.page(pages)
                try await ann.open(address + "#i=" + Self.secret(environment, ["owner"]))
                try await ann.wait(for: "document.querySelector(\"form [name=password]\")")
                try await ann.createAccount("ann")
                try await ann.wait(for: "document.querySelector(\".shell\")")
                let once = try await Self.secret(environment, ["guest", "ann", "--calls", "1"])
                let guest = try await environment.page(pages)
                try await guest.open(address + "#i=" + once)
                try await guest.wait(for: "document.querySelector(\".accept\")")
                try await guest.handArrives(at: ".accept")
                try await guest.click(".accept")
                try await ann.wait(for: "document.querySelector(\"[role=alertdialog]\")")
                let used = "This invitation has already been used. Ask for a new one."
                let second = try await environment.page(pages)
                try await second.open(address + "#i=" + once)
                try await second.wait(for: "document.querySelector(\".card [role=alert]\")?.innerText === \"\(used)\"")
            }
        }

        @Test func `where anybody may have an account, it is created from the sign-in`() async throws {
            var settings = Self.settings
            settings["auth"] = ["mode": "accounts", "selfRegistration": true]
            try await Self.set(settings) { environment, pages in
                let page = try await environment.page(pages)
                try await page.open("https://127.0.0.1:\(environment.hub.port)/")
                try await page.wait(for: "document.querySelector(\"form .link\")")
                try await page.handArrives(at: "form > .link")
                try await page.click("form > .link")
                try await page.wait(for: "document.querySelector(\"form [name=displayName]\")")
                try await page.createAccount("carol")
                try await page.wait(for: "document.querySelector(\".shell\")")
                let other = try await environment.page(pages)
                try await other.open("https://127.0.0.1:\(environment.hub.port)/")
                try await other.wait(for: "document.querySelector(\"form .link\")")
                try await other.handArrives(at: "form > .link")
                try await other.click("form > .link")
                try await other.wait(for: "document.querySelector(\"form [name=displayName]\")")
                try await other.createAccount("Carol")
                try await other.wait(for: "document.querySelector(\".error\").innerText === \"This name is taken.\"")
            }
        }
    }
}

extension ChromiumPage {
    /// Fills in the form of an invitation by the keyboard, and sends it.
    fileprivate func createAccount(_ name: String) async throws {
        for (field, text) in [("account", name), ("password", "a long password of \(name)")] {
            try await run("document.querySelector(\"form [name=\(field)]\").focus();")
            try await type(text)
        }
        try await press("Enter")
    }
}
