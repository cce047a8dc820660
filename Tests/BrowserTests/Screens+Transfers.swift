import BrowserKit

extension Screen {
    /// The sheet that transfers a call, and the screens of those whom it has been transferred to.
    static let transfers: [Screen] = [
        Screen(name: "transfer") { page, environment, pages in
            try await twoCalls.show(page, environment, pages)
            try await page.openTransfer()
        },
        Screen(name: "transfer-chosen") { page, environment, pages in
            try await page.signedIn(environment)
            _ = try await page.connect("bob", environment, pages)
            try await page.openTransfer()
            try await page.run("document.querySelector(\".sheet input\").focus();")
            try await page.type("carol")
            try await page.press("Enter")
            try await page.wait(for: "document.querySelector(\".sheet .people-list .primary\")")
        },
        Screen(name: "transfer-ringing") { page, environment, pages in
            try await page.signedIn(environment)
            let bob = try await page.connect("bob", environment, pages)
            let carol = try await environment.page(pages)
            try await carol.openClientTestPage(environment.hub.url, as: "carol", speaking: PageTone.carol)
            try await bob.run("await bench.hub.calls[0].transferTo(\"carol\");")
            try await page.wait(for: "document.querySelector(\".main-card .dots\")")
        },
        Screen(name: "transfer-returned") { page, environment, pages in
            try await page.signedIn(environment)
            _ = try await page.connect("bob", environment, pages)
            try await page.run("await bench.hub.calls[0].transferTo(\"nobody\");")
            try await page.wait(for: "document.querySelector(\"[role=alertdialog]\")")
        },
    ]
}

extension ChromiumPage {
    /// Opens the sheet that transfers the call by its key.
    func openTransfer() async throws {
        // Letters act on no card that has just come.
        try await handArrives(at: ".controls button:nth-child(6):enabled")
        try await press("t")
        try await wait(for: "document.querySelector(\"[aria-labelledby=transfer-title]\")")
    }
}
