import BrowserKit
import Testing

extension BrowserSuite {
    /// Tests of a tab that is the lock screen of another device.
    struct OperateTests {
        private static let sizes = [(320, 568), (390, 844), (844, 390), (768, 1024), (1440, 900)]

        @Test func `a call of the device rings here, is answered, held, muted and ended here, and heard there`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                let door = try await page.operate(environment, pages)
                let bob = try await environment.callDoor("bob", pages)
                try await page.wait(for: "document.querySelector(\"[role=alertdialog] h1\")?.innerText === \"bob\"")
                try await page.secondOfCardPasses()
                try await page.press("a")
                try await page.wait(for: "document.querySelector(\".main-card [role=timer]\")")
                try await bob.waitToHear(PageTone.alice)
                try await door.waitToHear(PageTone.bob)
                try await page.press("m")
                try await bob.waitToHear()
                try await page.press("m")
                try await page.wait(for: "!bench.hub.calls[0].isMuted")
                try await page.press("h")
                try await bob.wait(for: "bench.hub.calls[0].remoteIsOnHold")
                try await page.press("h")
                try await bob.waitToHear(PageTone.alice)
                try await page.press("k")
                try await page.press("5")
                try await page.press("Escape")
                try await page.press("e")
                try await bob.wait(for: "bench.hub.calls.length === 0")
                // The microphone is the device's.
                #expect(try await page.value("bench.hub.audio.mic.isOpen") == false)
            }
        }

        @Test func `a second call is taken beside the first one, and both are merged`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                let door = try await page.operate(environment, pages)
                let bob = try await environment.callDoor("bob", pages)
                try await page.wait(for: "document.querySelector(\"[role=alertdialog]\")")
                try await page.secondOfCardPasses()
                try await page.press("a")
                try await page.wait(for: "document.querySelector(\".main-card [role=timer]\")")
                let carol = try await environment.callDoor("carol", pages)
                try await page.wait(for: "document.querySelectorAll(\".accepts .choice\").length === 2")
                try await page.secondOfCardPasses()
                try await page.press("a")
                try await page.wait(for: "document.querySelector(\".held-card\")")
                try await bob.wait(for: "bench.hub.calls[0].remoteIsOnHold")
                // Letters act on no card that has just come.
                try await page.wait(for: "performance.now() - (globalThis.heldSince ??= performance.now()) > 500")
                try await page.press("g")
                try await carol.wait(for: "bench.hub.calls[0].participants.length === 1")
                #expect(try await door.value("bench.hub.calls.every(one => one.group)") == true)
            }
        }

        @Test func `a call that is there is shown to who comes later and after a reload, and outlives the tab`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let door = try await environment.page(pages)
                try await door.openClientTestPage(environment.hub.url, as: "door", speaking: PageTone.alice)
                try await door.run("await bench.hub.call(\"echo\");")
                let id = try #require(try await door.value("bench.hub.device.id").text)
                let page = try await environment.page(pages)
                try await page.open(environment.hub.url + "#operate=" + id)
                try await page.wait(for: "document.querySelector(\"input[name=account]\")")
                try await page.run("document.querySelector(\"input[name=account]\").focus();")
                try await page.type("door")
                try await page.press("Enter")
                try await page.wait(for: "document.querySelector(\".main-card h2\")?.innerText === \"echo\"")
                try await page.run("location.reload();")
                try await page.wait(for: "document.querySelector(\".main-card h2\")?.innerText === \"echo\"")
                try await page.open("about:blank")
                #expect(try await door.value("bench.hub.calls.map(one => one.state)") == ["connected"])
            }
        }

        @Test func `the device calls from here, and one that is not connected is told of`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                let door = try await page.operate(environment, pages)
                try await page.run("document.querySelector(\"input[name=handle]\").focus();")
                try await page.type("echo")
                try await page.press("Enter")
                try await page.wait(for: "document.querySelector(\".main-card [role=timer]\")")
                #expect(try await door.value("bench.hub.calls.length") == 1)
                let other = try await environment.page(pages)
                try await other.openOperating("nowhere", environment)
                try await other.run("document.querySelector(\"input[name=handle]\").focus();")
                try await other.type("echo")
                try await other.press("Enter")
                try await other.wait(
                    for: "document.querySelector(\".toast\")?.innerText === \"nowhere isn’t connected right now.\""
                )
            }
        }

        @Test func `a phone of the same account in another tab goes on`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let phone = try await environment.page(pages)
                try await phone.signIn(by: "door", at: environment.hub.url, speaking: PageTone.alice)
                let id = try #require(try await phone.value("bench.hub.device.id").text)
                let page = try await phone.secondTab()
                try await page.openOperating(id, environment)
                _ = try await environment.callDoor("bob", pages)
                for one in [phone, page] { try await one.wait(for: "document.querySelector(\"[role=alertdialog]\")") }
                #expect(try await phone.value("bench.hub.state") == "online")
            }
        }

        @Test(arguments: Screen.operating)
        func `each screen fits five windows in three languages, and axe finds nothing`(screen: Screen) async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await screen.show(page, environment, pages)
                for language in ["en", "ko", "cs"] {
                    try await page.use(language)
                    for (width, height) in Self.sizes {
                        try await page.show(DisplaySettings(width: width, height: height))
                        #expect(try await page.overflow() == [], "\(language) \(width)x\(height)")
                    }
                }
                for isDark in [false, true] {
                    try await page.show(DisplaySettings(width: 1024, height: 800, isDark: isDark))
                    #expect(try await page.accessibilityViolations() == [])
                }
            }
        }
    }
}
