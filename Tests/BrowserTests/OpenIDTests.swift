import BrowserKit
import Foundation
import HubTestSupport
import Testing

extension BrowserSuite {
    /// Tests of the sign-in by an OpenID provider, which is on another site than the phone.
    struct OpenIDTests {
        private static let secret = "s%ecret: with + signs & more"
        private static let online = "document.querySelector(\".shell\") && (\(state)).connection === \"online\""
        private static let state = "(await import(\"/phone/state.js\")).state"

        @Test func `a user signs in at the provider, calls, and is not asked again while the page is open`()
            async throws
        {
            try await Self.set { environment, pages, provider in
                let page = try await environment.page(pages)
                try await provider.accept(environment.hub.url, by: page)
                try await page.open(environment.hub.url)
                try await page.wait(for: "document.querySelector(\".primary\")?.innerText === \"Sign in with Acme\"")
                try await page.handArrives(at: ".primary")
                try await page.clickThrough(".primary")
                #expect(try await page.value("location.origin").text == provider.url)
                try await page.type("dana")
                try await page.clickThrough("form button")
                try await page.wait(for: Self.online)
                #expect(try await page.value("\(Self.state).account") == "dana")
                #expect(try await page.value("location.href").text == environment.hub.url)

                try await page.run("(await import(\"/phone/hub.js\")).hub.call(\"echo\");")
                try await page.wait(for: "\(Self.state).calls[0]?.state === \"connected\"")
                try await page.run("await (await import(\"/phone/hub.js\")).hub.calls[0].end();")

                page.ignoreErrors("WebSocket connection to")
                environment.hub.kill()
                try await page.wait(for: "\(Self.state).connection !== \"online\"")
                try await environment.hub.start()
                try await page.wait(for: Self.online)
                try await page.reload()
                try await page.wait(for: Self.online)
                let storage = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"
                let stored = try await page.value(storage).text ?? ""
                for secret in ["openid", "openID"] { #expect(!stored.contains(secret), "\(stored)") }
            }
        }

        @Test func `a user who cancels at the provider is back on the sign-in page, which says so`() async throws {
            try await Self.set { environment, pages, provider in
                let page = try await environment.page(pages)
                try await provider.accept(environment.hub.url, by: page)
                try await page.open(environment.hub.url)
                try await page.handArrives(at: ".primary")
                try await page.clickThrough(".primary")
                try await page.clickThrough("form button[name=cancel]")
                let text = "The sign-in was cancelled or not allowed."
                try await page.wait(for: "document.querySelector(\".error\")?.innerText === \"\(text)\"")
                #expect(try await page.value("location.href").text == environment.hub.url)
                let violations = try await page.accessibilityViolations()
                #expect(violations == [])
            }
        }

        @Test func `a user without a password adds a first passkey after a fresh sign-in at the provider`() async throws
        {
            try await Self.set { environment, pages, provider in
                let page = try await environment.page(pages)
                // Passkeys need a host name.
                let url = "http://localhost:\(environment.hub.port)/"
                try await provider.accept(url, by: page)
                try await page.open(url)
                try await page.handArrives(at: ".primary")
                try await page.clickThrough(".primary")
                try await page.type("dana")
                try await page.clickThrough("form button")
                try await page.wait(for: Self.online)
                try await page.openAccount()
                let confirm = ".sheet form .row button:last-child"
                let label = "document.querySelector(\"\(confirm)\")?.innerText"
                try await page.wait(for: "\(label) === \"Sign in at Acme again to add one\"")
                #expect(try await page.accessibilityViolations() == [])

                // The sign-in leaves the page, which would end the call.
                try await page.run("(await import(\"/phone/hub.js\")).hub.call(\"echo\");")
                try await page.wait(for: "\(Self.state).calls[0]?.state === \"connected\"")
                try await page.handArrives(at: confirm)
                try await page.click(confirm)
                try await page.wait(
                    for: "document.querySelector(\".sheet\").innerText.includes(\"End your calls first\")"
                )
                try await page.run("await (await import(\"/phone/hub.js\")).hub.calls[0].end();")
                try await page.wait(for: "\(Self.state).calls.length === 0")

                try await page.handArrives(at: confirm)
                try await page.clickThrough(confirm)
                #expect(try await page.value("location.origin").text == provider.url)
                try await page.type("dana")
                try await page.clickThrough("form button")
                try await page.wait(for: "document.querySelector(\".sheet section form .row\")")
                #expect(try await page.value("document.querySelector(\"[name=passkey-password]\")") == .null)
                try await page.addAuthenticator()
                try await page.choose("Add a passkey", within: ".sheet")
                try await page.wait(for: "document.querySelector(\".sheet li input\")")
                try await page.run("(await import(\"/phone/state.js\")).change({ overlay: null, tab: \"settings\" });")
                try await page.signOutOfPhone()
                try await page.choose("Sign in with a passkey")
                try await page.wait(for: Self.online)
                #expect(try await page.value("\(Self.state).account") == "dana")
            }
        }

        @Test func `another person's link with a code signs nobody in`() async throws {
            try await Self.set { environment, pages, _ in
                let page = try await environment.page(pages)
                let code = String(repeating: "a", count: 43)
                try await page.open("\(environment.hub.url)#openid=\(code)")
                let text = "The sign-in was started elsewhere. Start it here."
                try await page.wait(for: "document.querySelector(\".error\")?.innerText === \"\(text)\"")
                #expect(try await page.value("document.querySelector(\".shell\")") == .null)
            }
        }

        @Test(arguments: ["en", "ko", "cs"])
        func `each reason of a failure has a sentence in the language of the user`(language: String) async throws {
            let document = try String(contentsOfFile: SourceTree.path("docs/protocol.md"), encoding: .utf8)
            let table = try #require(document.components(separatedBy: "#openid-error=WORD").last)
            let rows = table.components(separatedBy: "### ")[0].matches(of: /\n\| (`[^|]*) \|/).map(\.1)
            let words = rows.flatMap { $0.matches(of: /`(\w+)`/).map { String($0.1) } }
            #expect(words.count >= 15)
            try await Self.set { environment, pages, _ in
                let page = try await environment.page(pages)
                try await page.open(environment.hub.url)
                try await page.wait(for: "document.querySelector(\".primary\")")
                try await page.use(language)
                var sentences: Set<String> = []
                for word in words {
                    try await page.run("(await import(\"/phone/sign-in.js\")).updateSignIn({ error: null });")
                    try await page.wait(for: "!document.querySelector(\".error\").innerText")
                    try await page.open("\(environment.hub.url)#openid-error=\(word)")
                    let shown = "document.querySelector(\".error\")?.innerText"
                    let sentence = try await page.wait(for: "location.hash === \"\" && \(shown)").text ?? ""
                    #expect(!sentence.contains("openid"), "\(word): \(sentence)")
                    sentences.insert(sentence)
                }
                #expect(sentences.count >= 10)
            }
        }

        private static func set(
            body: (BrowserTestEnvironment, OpenPages, TestOpenIDProvider) async throws -> Void
        ) async throws {
            let folder = try TemporaryFolder()
            let provider = try await TestOpenIDProvider()
            let file = try folder.write(secret + "\n", to: "secret")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            let openID: JSON = [
                "issuer": .string(provider.url), "clientID": "callhub", "clientSecretFile": .string(file),
                "label": "Acme",
            ]
            try await BrowserTestEnvironment.set(settings: ["auth": ["mode": "accounts", "openID": openID]]) {
                try await body($0, $1, provider)
            }
        }
    }
}

/// The provider of `Tests/OpenIDProvider`, as a program.
private final class TestOpenIDProvider: Sendable {
    let url: String
    private let process: GuardedProcess

    init() async throws {
        // Another site than the phone's, 127.0.0.1, so that cookies are what they are between a company's servers.
        process = try GuardedProcess([
            SourceTree.path(".build/venv/bin/python"), SourceTree.path("Tests/OpenIDProvider/provider.py"), "localhost",
        ])
        let line = await process.output.line(within: .seconds(60)) { $0.contains("The provider is") }
        guard let line, let address = line.split(separator: " ").last else {
            throw BrowserError("the provider has not started: \(process.output.text)")
        }
        url = String(address)
    }

    /// Registers the redirect URI of a hub's page, on the provider's own page.
    func accept(_ hubURL: String, by page: ChromiumPage) async throws {
        try await page.open(url + "/.well-known/openid-configuration")
        try await page.run(
            "await fetch(\"/redirects\", { method: \"POST\", body: new URLSearchParams({ uri }) });",
            ["uri": .string(hubURL + "v1/openid/callback")]
        )
    }
}
