import BrowserKit
import Testing

extension BrowserSuite {
    /// Tests of `/trust`, where devices get the certificate authority of a server with `tls.own`.
    struct TrustPageTests {
        private static let settings: [String: JSON] = ["tls": ["own": true], "http": ["redirectPort": 0]]

        /// The page without TLS and the fingerprint, as the server's terminal shows them.
        private static func announced(by hub: BrowserHub) async throws -> (page: String, fingerprint: String) {
            let line = try await hub.line(with: "Devices trust its certificate")
            let words = try #require(line.firstMatch(of: /(http:\/\/[^;]+\/trust); SHA-256 ([0-9A-F:]{95})/))
            return (String(words.1), String(words.2))
        }

        @Test(arguments: [
            ("en-GB", "Trust this server"), ("ko", "이 서버 신뢰하기"), ("cs", "Důvěřovat tomuto serveru"),
            ("fr", "Trust this server"),
        ])
        func `the page shows the fingerprint of the terminal and the steps of this device, in three languages`(
            _ language: String,
            _ title: String
        ) async throws {
            try await BrowserTestEnvironment.set(settings: Self.settings) { environment, pages in
                let (address, fingerprint) = try await Self.announced(by: environment.hub)
                let page = try await environment.page(pages, width: 390)
                // Chromium ignores these headers on insecure pages, and says so.
                page.ignoreErrors("Cross-Origin-Opener-Policy")
                try await page.show(DisplaySettings(width: 390, height: 800, language: language))
                try await page.open(address)
                try await page.wait(for: "document.querySelector(\"h1\")?.innerText === \"\(title)\"")
                #expect(try await page.value("document.querySelector(\"code\").innerText") == .string(fingerprint))
                #expect(
                    try await page.value("document.documentElement.lang")
                        == .string(language == "fr" ? "en" : String(language.prefix(2)))
                )
                let open =
                    "[...document.querySelectorAll(\"details[open]\")].map((one) => one.innerText.split(\"\\n\")[0])"
                #expect(try await page.value(open) == ["Linux (Chrome)"])
                #expect(try await page.value("document.querySelectorAll(\"details\").length") == 6)
                #expect(try await page.value("document.documentElement.scrollWidth <= innerWidth") == true)
                for isDark in [false, true] {
                    try await page.show(DisplaySettings(width: 390, height: 800, isDark: isDark, language: language))
                    let violations = try await page.accessibilityViolations()
                    #expect(violations == [])
                }
            }
        }

        @Test func `each device's link leads to its file, and the page works by https, too`() async throws {
            var options = Chromium.Options()
            options.more = ["--ignore-certificate-errors"]
            try await BrowserTestEnvironment.set(.headlessShell, options, settings: Self.settings) {
                environment,
                pages in
                let page = try await environment.page(pages)
                try await page.open("https://127.0.0.1:\(environment.hub.port)/trust")
                try await page.wait(for: "document.querySelector(\"details\")")
                let types = """
                    Object.fromEntries(await Promise.all([...document.querySelectorAll("details a")].map(async ({ href }) => {
                        const file = await fetch(href);
                        return [new URL(href).pathname, file.headers.get("content-type")];
                    })))
                    """
                #expect(
                    try await page.value(types) == [
                        "/callhub-ca.crt": "application/x-x509-ca-cert",
                        "/callhub.mobileconfig": "application/x-apple-aspen-config",
                    ]
                )
                let phone = try await page.value("document.querySelector(\"main > p a\").href").text
                #expect(phone == "https://127.0.0.1:\(environment.hub.port)/")
                // An invitation goes on after the device trusts the server.
                try await page.open("about:blank")
                try await page.open("https://127.0.0.1:\(environment.hub.port)/trust#i=SECRET")
                try await page.wait(for: "document.querySelector(\"main > p a\")?.href === \"\(phone ?? "")#i=SECRET\"")
                try await page.open(phone ?? "")
                try await page.wait(for: "document.querySelector(\"form input\")")
            }
        }
    }
}
