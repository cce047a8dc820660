import BrowserKit
import Testing

extension Screen {
    /// The screens of a tab that operates another device.
    static let operating: [Screen] = [
        Screen(name: "operate-idle") { page, environment, pages in
            _ = try await page.operate(environment, pages)
        },
        Screen(name: "operate-ringing") { page, environment, pages in
            _ = try await page.operate(environment, pages)
            _ = try await environment.callDoor("bob", pages)
            try await page.wait(for: "document.querySelector(\"[role=alertdialog]\")")
        },
        Screen(name: "operate-calls") { page, environment, pages in
            let door = try await page.operate(environment, pages)
            for (count, name) in ["bob", "carol"].enumerated() {
                _ = try await environment.callDoor(name, pages)
                try await door.run(
                    "const call = await bench.call(call => call.state === \"ringing\" && call.choices.length);"
                        + "await call.accept();"
                )
                try await page.wait(for: "bench.hub.calls.filter(one => one.connectedAt).length === \(count + 1)")
            }
            try await page.wait(for: "document.querySelector(\".held-card\")")
        },
    ]
}

extension BrowserTestEnvironment {
    /// Has somebody call the door.
    func callDoor(_ account: String, _ pages: OpenPages) async throws -> ChromiumPage {
        let caller = try await page(pages)
        try await caller.openClientTestPage(hub.url, as: account, speaking: PageTone.bob)
        try await caller.run("await bench.hub.call(\"door\");")
        return caller
    }
}

extension ChromiumPage {
    /// Makes this page the screen of a headless device, which is returned.
    func operate(_ environment: BrowserTestEnvironment, _ pages: OpenPages) async throws -> ChromiumPage {
        let door = try await environment.page(pages)
        try await door.openClientTestPage(environment.hub.url, as: "door", speaking: PageTone.alice)
        let id = try #require(try await door.value("bench.hub.device.id").text)
        try await openOperating(id, environment)
        return door
    }

    /// Opens the page that operates a device of the door, and signs in by the keyboard.
    func openOperating(_ device: String, _ environment: BrowserTestEnvironment) async throws {
        try await open(environment.hub.url + "#operate=" + device)
        try await wait(for: "document.querySelector(\"input[name=account]\")")
        try await run("document.querySelector(\"input[name=account]\").select();")
        try await type("door")
        try await press("Enter")
        try await wait(for: "document.querySelector(\"#operate-title\")")
        try await run("const { hub } = await import(\"/phone/hub.js\"); globalThis.bench = { hub };")
        try await run("document.activeElement.blur();")
    }
}
