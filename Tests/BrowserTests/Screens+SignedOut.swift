import BrowserKit

extension Screen {
    /// The pages before a sign-in.
    static let signedOut: [Screen] = [
        Screen(name: "sign-in") { page, environment, _ in try await page.openSignIn(environment) },
        Screen(name: "sign-in-password") { page, environment, _ in
            try await page.openSignIn(environment, mode: "accounts")
        },
        Screen(name: "sign-in-token") { page, environment, _ in
            try await page.openSignIn(environment, mode: "token")
        },
        Screen(name: "sign-in-options") { page, environment, _ in
            try await page.openSignIn(environment, mode: "accounts+token")
            try await page.run("document.querySelector(\"form [type=submit]\").click();")
            try await page.run("document.querySelector(\"details summary\").click();")
            try await page.wait(for: "document.querySelector(\".error\").innerText")
        },
        Screen(name: "no-owner") { page, environment, _ in
            try await page.openSignIn(environment)
            try await page.change("{ information: { authMode: \"accounts\", setup: true, brand: {} } }")
            try await page.run("(await import(\"/invite/opened.js\")).showSetup();")
            try await page.wait(for: "document.querySelector(\".card [role=status]\")")
        },
        Screen(name: "guest") { page, environment, _ in
            try await page.open(try await environment.hub.link("bob"))
            try await page.wait(for: "document.querySelector(\".accept\")")
        },
        Screen(name: "guest-named") { page, environment, _ in
            try await page.open(try await environment.hub.link("bob", ["--guest-names"]))
            try await page.wait(for: "document.querySelector(\"input[name=guestName]\")")
        },
        Screen(name: "insecure") { page, environment, _ in
            try await page.openSignIn(environment)
            try await page.run("Object.defineProperty(globalThis, \"isSecureContext\", { value: false });")
            try await page.change("{ information: { secureURL: \"https://phone.example.org/\", brand: {} } }")
            try await page.wait(for: "document.querySelector(\"a.link\")")
        },
        Screen(name: "other-tab") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.change("{ connection: \"steppedBack\" }")
            try await page.wait(for: "document.querySelector(\".card .wide\")")
        },
    ]
}

extension ChromiumPage {
    /// Opens the sign-in of a server with a mode.
    fileprivate func openSignIn(_ environment: BrowserTestEnvironment, mode: String? = nil) async throws {
        try await open(environment.hub.url)
        try await wait(for: "document.querySelector(\"form input\")")
        if let mode { try await change("{ information: { authMode: \"\(mode)\", brand: {} } }") }
    }
}
