import BrowserKit

extension Screen {
    /// The settings and their sheets.
    static let settings: [Screen] = [
        Screen(name: "settings") { page, environment, _ in try await page.signedIn(environment, tab: 3) },
        Screen(name: "settings-end") { page, environment, _ in
            try await page.signedIn(environment, tab: 3)
            try await page.run("document.querySelector(\".pane\").scrollTop = 1e6;")
        },
        Screen(name: "quiet-hours") { page, environment, _ in
            try await page.signedIn(environment, tab: 3)
            try await page.choose(row: 0)
            try await page.wait(for: "document.querySelector(\".sheet > .small\")")
            try await page.run("document.querySelector(\".sheet > .small\").click();")
            try await page.wait(for: "document.querySelector(\".stretch\")")
        },
        Screen(name: "blocked") { page, environment, _ in
            try await page.signedIn(environment, tab: 3)
            try await page.run("await bench.hub.request(\"block.add\", { prefix: \"4930\" });")
            try await page.choose(row: 1)
            try await page.wait(for: "document.querySelector(\".sheet li\")")
        },
        Screen(name: "account") { page, environment, _ in
            try await page.signedIn(environment, tab: 3)
            try await page.choose(row: -5)
            try await page.wait(for: "document.querySelector(\".sheet [type=file]\")")
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
    ]
}

extension ChromiumPage {
    /// Opens what lies behind a row of the settings, counted from the first or, below 0, the last.
    fileprivate func choose(row: Int) async throws {
        try await run("[...document.querySelectorAll(\".row.open\")].at(\(row)).click();")
        try await wait(for: "document.querySelector(\".sheet\")")
    }
}
