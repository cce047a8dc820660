import BrowserKit
import Foundation
import Testing

extension BrowserSuite {
    /// Tests of the pages before a sign-in: the credentials that they ask for, the brand, insecure pages, guests.
    struct SignedOutTests {
        private static let fields = "[...document.querySelectorAll(\"form input\")].map(({ name }) => name)"

        @Test(arguments: ["open", "accounts"])
        func `the page asks at once for what the server's mode needs, and for no more`(mode: String) async throws {
            let names: JSON = mode == "open" ? ["account"] : ["account", "password"]
            // Without an account a server with accounts has nothing to sign in to; token+accounts would have.
            let settings: JSON = ["mode": .string(mode), "selfRegistration": .bool(mode == "accounts")]
            try await BrowserTestEnvironment.set(settings: ["auth": settings]) { environment, pages in
                let page = try await environment.page(pages)
                // Even a slow answer is waited for: no field comes later.
                try await page.runFirst(
                    """
                    const { fetch } = globalThis;
                    globalThis.fetch = async (...all) => {
                        const answer = await fetch(...all);
                        await new Promise(then => setTimeout(then, 500));
                        return answer;
                    };
                    globalThis.seen = [];
                    new MutationObserver(() => {
                        const form = document.querySelector("form");
                        const names = form && [...form.querySelectorAll("input")].map(({ name }) => name);
                        if (form && String(names) !== String(seen.at(-1))) seen.push(names);
                    }).observe(document, { childList: true, subtree: true });
                    """
                )
                try await page.open(environment.hub.url)
                try await page.wait(for: "(await import(\"/phone/state.js\")).state.information")
                try await page.wait(for: "document.querySelector(\"form\")")
                #expect(try await page.value(Self.fields) == names)
                #expect(try await page.value("seen") == [names])
                #expect(try await page.value("document.querySelectorAll(\"form details\").length") == 0)
            }
        }

        @Test(arguments: ["en", "ko", "cs"])
        func `a small or low window shows the whole page, with the language and Diagnostics in one row`(
            language: String
        ) async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.open(environment.hub.url)
                try await page.wait(for: "document.querySelector(\"form\")")
                try await page.use(language)
                for (width, height) in [(320, 568), (844, 390)] {
                    try await page.show(DisplaySettings(width: width, height: height))
                    let seen = try await page.value(
                        """
                        (({ scrollHeight }, [...parts]) => [scrollHeight <= innerHeight,
                            new Set(parts.map(one => Math.round(one.getBoundingClientRect().bottom))).size])
                            (document.documentElement, document.querySelectorAll("footer > *"))
                        """
                    )
                    #expect(seen == [true, 1], "\(width)")
                }
            }
        }

        @Test func `what is missing is said in the language that is chosen, even afterwards`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.open(environment.hub.url)
                try await page.wait(for: "document.querySelector(\"form\")")
                try await page.run("document.querySelector(\".primary\").click();")
                for (language, text) in [("en", "Enter a name."), ("cs", "Zadejte jméno.")] {
                    try await page.use(language)
                    try await page.wait(for: "document.querySelector(\".error\").innerText === \"\(text)\"")
                }
            }
        }

        @Test func `where both passwords and tokens are accepted, the token is under Other options`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.open(environment.hub.url)
                try await page.wait(for: "document.querySelector(\"form\")")
                let change = "(await import(\"/phone/state.js\")).change"
                try await page.run("\(change)({ information: { authMode: \"accounts+token\", brand: {} } });")
                #expect(try await page.value(Self.fields) == ["account", "password"])
                try await page.run(
                    """
                    document.querySelector("details summary").click();
                    document.querySelector("details button").click();
                    """
                )
                #expect(try await page.value(Self.fields) == ["account", "password", "token"])
                try await page.run("\(change)({ information: { authMode: \"token\", brand: {} } });")
                #expect(try await page.value(Self.fields) == ["token"])
            }
        }

        @Test func `the name, the colour and the logo of the server are on its pages`() async throws {
            let logo = FileManager.default.temporaryDirectory.path + "/callhub-logo-\(UUID().uuidString).svg"
            let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><path d=\"M0 0h9v9z\"/></svg>"
            try svg.write(toFile: logo, atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(atPath: logo) }
            let brand: JSON = ["name": "Acme", "color": "#ffee00", "logo": .string(logo)]
            try await BrowserTestEnvironment.set(settings: ["brand": brand]) { environment, pages in
                let page = try await environment.page(pages)
                try await page.open(environment.hub.url)
                try await page.wait(for: "document.querySelector(\"h1\")?.innerText === \"Acme\"")
                try await page.wait(for: "document.title === \"Acme\"")
                try await page.wait(for: "document.querySelector(\"img.logo\").naturalWidth === 9")
                for isDark in [false, true] {
                    try await page.show(DisplaySettings(width: 1024, height: 800, isDark: isDark))
                    let violations = try await page.accessibilityViolations()
                    #expect(violations == [], "yellow is legible nowhere as it is")
                }
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.wait(for: "document.querySelector(\".idle img.logo\")")
                #expect(try await page.value("document.title") == "Acme")
                #expect(try await page.value("document.querySelector(\"main h1\").innerText") == "Acme")
                try await page.run("await bench.hub.call(\"echo\");")
                try await page.wait(for: "navigator.mediaSession.metadata?.artist === \"Acme\"")
            }
        }

        @Test(arguments: [nil, "https://phone.example.com/"] as [String?])
        func `a page by http from another machine cannot go online, and says where calls work`(secureURL: String?)
            async throws
        {
            var options = Chromium.Options()
            options.more = ["--host-resolver-rules=MAP phone.test 127.0.0.1"]
            let settings: [String: JSON] = ["http": ["publicURL": secureURL.map { JSON.string($0) } ?? .null]]
            try await BrowserTestEnvironment.set(.headlessShell, options, settings: settings) { environment, pages in
                let page = try await environment.page(pages)
                // Chromium ignores these headers on insecure pages, and says so.
                page.ignoreErrors("Cross-Origin-Opener-Policy")
                try await page.open("http://phone.test:\(environment.hub.port)/#call=bob&token=secret.token")
                try await page.wait(for: "document.querySelector(\".card h1\")")
                #expect(try await page.value("isSecureContext") == false)
                #expect(try await page.value("document.querySelectorAll(\"form, .card button\").length") == 0)
                #expect(try await page.value("document.body.innerText.includes(\"Calls need a secure page\")") == true)
                let links = try await page.value("[...document.querySelectorAll(\"a\")].map(({ href }) => href)")
                if let secureURL {
                    #expect(links == [.string(secureURL + "#call=bob&token=secret.token")])
                } else {
                    #expect(links == [])
                    #expect(try await page.value("document.body.innerText.includes(\"tls.certificate\")") == true)
                }
            }
        }

        @Test func `a guest gives a name where the link asks for one, and the callee sees it and that it is a guest`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let alice = try await environment.page(pages)
                try await alice.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                for (options, shown) in [
                    (["--guest-names", "--name", "Press"], "Dana"), (["--name", "Visitor"], "Visitor"), ([], "Guest"),
                ] {
                    let link = try await environment.hub.link("alice", options)
                    let guest = try await environment.page(pages)
                    try await guest.open(link)
                    try await guest.handArrives(at: ".accept")
                    if shown == "Dana" {
                        try await guest.click(".accept")
                        try await guest.wait(for: "document.querySelector(\".error\").innerText === \"Enter a name.\"")
                        try await guest.click("input[name=guestName]")
                        try await guest.type(shown)
                        try await guest.press("Enter")
                    } else {
                        #expect(try await guest.value("document.querySelectorAll(\"input\").length") == 0)
                        try await guest.click(".accept")
                    }
                    try await alice.wait(for: "document.querySelector(\"[role=alertdialog] h1\")")
                    let card = "[\"h1\", \"p\"].map(tag => document.querySelector(`.caller-party ${tag}`).textContent)"
                    let texts = try await alice.value(card)
                    let source = shown == "Dana" ? "guest with your link “Press”" : "guest with your link"
                    #expect(texts == [.string(shown), .string(source)], "\(texts)")
                    try await alice.secondOfCardPasses()
                    try await alice.press("d")
                    try await alice.wait(for: "!document.querySelector(\"[role=alertdialog]\")")
                    try await guest.close()
                }
            }
        }

        @Test func `a link that has ended says so, also where its guest was online before`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.open(environment.hub.url + "#call=alice&token=not.a.token")
                try await page.handArrives(at: ".accept")
                try await page.click(".accept")
                let text = "This link no longer works. Ask for a new one."
                try await page.wait(for: "document.querySelector(\".error\").innerText === \"\(text)\"")
                try await page.run(
                    """
                    const { change } = await import("/phone/state.js");
                    for (const closing of [{ reason: "expired" }, { reason: "credentials", error: { name: "wrongToken" } }]) {
                        change({ connection: "closed", isGuest: true, closing, signIn: { error: null } });
                        await new Promise(then => setTimeout(then));
                        const note = document.querySelector(".note").innerText;
                        if (note !== "\(text)") throw new Error(note);
                    }
                    """
                )
            }
        }
    }
}
