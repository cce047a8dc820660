import BrowserKit
import Testing

extension BrowserSuite {
    /// Tests of invitations in the page: making them, opening them, and what is said about those that have ended.
    struct InvitationTests {
        private static let accounts: [String: JSON] = [
            "auth": ["mode": "accounts", "passwordMegabytes": 8, "passwordPasses": 1],
            "invitations": ["accounts": "everyone"],
        ]
        private static let password = "Rosenkohl und Spinat"

        @Test func `who is invited opens an account by the keyboard alone, and invites the next one the same way`()
            async throws
        {
            try await BrowserTestEnvironment.set(settings: Self.accounts) { environment, pages in
                let alice = try await environment.page(pages)
                try await alice.open(try await environment.hub.invitation(["account", "alice", "--name", "Alice"]))
                try await alice.acceptByKeyboard(password: Self.password)
                #expect(try await alice.value("location.hash") == "", "the secret leaves the address")
                try await alice.press("3", modifiers: 1)
                try await alice.openInviting()
                try await alice.run("document.querySelector(\".sheet select\").focus();")
                try await alice.press("ArrowDown")
                try await alice.wait(for: "document.querySelectorAll(\".sheet select\").length === 2")
                try await alice.press("Tab")
                try await alice.type("Bob")
                try await alice.press("Enter")
                try await alice.wait(for: "document.querySelector(\".sheet img\")?.naturalWidth > 0")
                let link = try #require(try await alice.value("document.querySelector(\"[name=link]\").value").text)
                #expect(link.hasPrefix(environment.hub.url + "#i="))
                let bob = try await environment.page(pages)
                try await bob.open(link)
                try await bob.wait(for: "document.querySelector(\".card p\")?.innerText === \"Alice invited you.\"")
                #expect(try await bob.value("document.querySelector(\"[name=displayName]\").value") == "Bob")
                try await bob.run("document.querySelector(\"[name=account]\").focus();")
                try await bob.type("bob")
                try await bob.acceptByKeyboard(password: Self.password)
                #expect(try await bob.value("(await import(\"/phone/hub.js\")).hub.account") == "bob")
                let late = try await environment.page(pages)
                try await late.open(link)
                try await late.expectRefusal("This invitation has already been used. Ask for a new one.")
                try await late.choose("Sign in instead")
                try await late.wait(for: "document.querySelector(\"input[name=password]\")")
            }
        }

        @Test func `a refused password is explained, what was entered stays, and the next one is accepted`()
            async throws
        {
            try await BrowserTestEnvironment.set(settings: Self.accounts) { environment, pages in
                let page = try await environment.page(pages)
                try await page.open(try await environment.hub.invitation(["account", "alice"]))
                for (password, text) in [
                    ("short", "Use at least 8 characters for the password."),
                    ("password1", "This password is too common. Choose another one."),
                ] {
                    try await page.enter(password: password)
                    try await page.press("Enter")
                    try await page.wait(for: "document.querySelector(\".error\").innerText === \"\(text)\"")
                    #expect(try await page.value("document.querySelector(\"[name=account]\").value") == "alice")
                }
                try await page.acceptByKeyboard(password: Self.password)
            }
        }

        @Test func `a guest's invitation calls who has made it, until that one revokes it`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let alice = try await environment.page(pages)
                try await alice.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await alice.press("3", modifiers: 1)
                try await alice.openInviting()
                try await alice.run("document.querySelector(\".sheet [type=submit]\").click();")
                try await alice.wait(for: "document.querySelector(\"[name=link]\")")
                let link = try #require(try await alice.value("document.querySelector(\"[name=link]\").value").text)
                let guest = try await environment.page(pages)
                try await guest.open(link)
                try await guest.handArrives(at: ".accept")
                try await guest.click(".accept")
                try await alice.wait(
                    for: "document.querySelector(\"[role=alertdialog] h1\")?.textContent === \"Guest\""
                )
                try await alice.secondOfCardPasses()
                try await alice.press("d")
                try await alice.wait(for: "!document.querySelector(\"[role=alertdialog]\")")
                try await alice.choose("Revoke", within: ".sheet")
                try await alice.choose("Really revoke?", within: ".sheet")
                try await guest.wait(for: "document.querySelector(\".note\")?.innerText")
                let late = try await environment.page(pages)
                try await late.open(link)
                try await late.expectRefusal("This invitation was revoked. Ask for a new one.")
            }
        }

        @Test(arguments: ["en", "ko", "cs"])
        func `an incomplete link is explained in the page's language, and leads to the sign-in`(language: String)
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.open(environment.hub.url)
                try await page.wait(for: "document.querySelector(\"form\")")
                try await page.use(language)
                try await page.run("location.hash = \"i=AAAA\";")
                let texts = [
                    "en": "This invitation doesn’t work. Check that the link is complete.",
                    "ko": "사용할 수 없는 초대입니다. 링크 전체를 열었는지 확인하세요.",
                    "cs": "Tato pozvánka nefunguje. Zkontrolujte, zda je odkaz celý.",
                ]
                try await page.expectRefusal(try #require(texts[language]))
                try await page.press("Tab")
                try await page.press("Enter")
                try await page.wait(for: "document.querySelector(\"input[name=account]\")")
            }
        }

        @Test func `an invitation opened in a page that is signed in leaves its calls as they are`() async throws {
            try await BrowserTestEnvironment.set(settings: ["auth": ["mode": "open"]]) { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await alice.run("await bench.hub.call(\"bob\");")
                try await bob.run(
                    "await (await bench.call(call => call.state === \"ringing\" && call.choices.length)).accept();"
                )
                try await alice.wait(for: "document.querySelector(\".main-card [role=timer]\")")
                let link = try await environment.hub.invitation(["account", "carol"])
                let hash = try #require(link.split(separator: "#").last)
                try await alice.run(
                    """
                    globalThis.wasGone = false;
                    new MutationObserver(() => wasGone ||= !document.querySelector(".main-card"))
                        .observe(document.body, { childList: true, subtree: true });
                    location.hash = "\(hash)";
                    """
                )
                try await alice.wait(
                    for: "document.querySelector(\".toast\")?.innerText.startsWith(\"You’re signed in.\")"
                )
                #expect(try await alice.value("wasGone") == false)
            }
        }

        @Test func `a server without accounts says who begins, until its owner has an account`() async throws {
            try await BrowserTestEnvironment.set(settings: Self.accounts) { environment, pages in
                let page = try await environment.page(pages)
                try await page.open(environment.hub.url)
                let status = "document.querySelector(\"[role=status]\")?.innerText"
                try await page.wait(for: "\(status)?.startsWith(\"This server has no owner yet.\")")
                let owner = try await environment.page(pages)
                try await owner.open(try await environment.hub.invitation(["account", "alice", "--admin"]))
                try await owner.acceptByKeyboard(password: Self.password)
                try await page.wait(for: "!(await (await fetch(\"v1/info\")).json()).setup")
                try await page.open(environment.hub.url)
                try await page.wait(for: "document.querySelector(\"input[name=password]\")")
                #expect(try await page.value("document.body.innerText.includes(\"no owner\")") == false)
            }
        }
    }
}

extension ChromiumPage {
    fileprivate func enter(password: String) async throws {
        let field = "document.querySelector(\"form [name=password][autocomplete=new-password]\")"
        try await wait(for: field)
        try await run("\(field).focus(); \(field).select();")
        try await type(password)
    }

    /// Enters a password in the page of an invitation, and creates the account.
    fileprivate func acceptByKeyboard(password: String) async throws {
        try await enter(password: password)
        try await press("Enter")
        try await wait(for: "document.querySelector(\".shell\")")
    }

    fileprivate func expectRefusal(_ text: String) async throws {
        try await wait(for: "document.querySelector(\".card [role=alert]\")?.innerText === \"\(text)\"")
    }
}
